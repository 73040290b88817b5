import type { RuleName } from '../../contract/conformance-rules.js'
import { type ApiErrorCode, MEDIA_TYPE } from '../../contract/limits.js'
import type { CallOptions, ServiceClient } from './client.js'
import { HEALTH, HISTORY, LATEST, pathOf, type Query } from './client.js'

type Options = Omit<CallOptions, 'path'>

/** A request that must be refused: the rule that asks for it, why, and what is asked. */
type Refusal = readonly [RuleName, keyof typeof REASONS, path: string, Options?]

const REASONS = {
  invalid: [400, 'invalid_request'],
  'no key': [401, 'invalid_request'],
  'no type': [406, 'not_acceptable'],
} as const satisfies Record<string, readonly [number, ApiErrorCode]>

const MADE_UP = 'conformance-check-no-such-key'
const KEYS_IN_A_QUERY = `key=${MADE_UP}&api_key=${MADE_UP}&access_token=${MADE_UP}`
const KEYLESS = { withKey: false } as const
const HTML = { headers: { accept: 'text/html' } } as const
/** A weight of 0 says that a type is not acceptable (RFC 9110, 12.4.2). */
const OTHER_TYPES = [
  'text/html',
  'application/json',
  MEDIA_TYPE.replace('v1', 'v2'),
  `${MEDIA_TYPE};q=0`,
  `${MEDIA_TYPE};q=0, */*`,
  '*/*;q=0',
]
const METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** So that a list of them is a list of refusals. */
const refused = (...refusal: Refusal): Refusal => refusal

/** What is refused before a key is looked at, or for want of one. None of it counts against the limit. */
const BEFORE_THE_KEY: readonly Refusal[] = [
  ...METHODS.map((method) => refused('method-refused', 'invalid', HISTORY, { method })),
  ['method-refused', 'invalid', HEALTH, { method: 'HEAD' }],
  ['method-refused', 'invalid', HEALTH, { method: 'POST' }],
  ['method-refused', 'invalid', LATEST, { method: 'HEAD' }],
  ...[LATEST, HISTORY, HEALTH].map((path) => refused('key-missing', 'no key', path, KEYLESS)),
  ...[`Bearer ${MADE_UP}`, 'Basic Og==', 'Bearer', MADE_UP].map((authorization) =>
    refused('key-wrong', 'no key', LATEST, { headers: { authorization } }),
  ),
  ['key-wrong', 'no key', `${LATEST}?${KEYS_IN_A_QUERY}`, KEYLESS],
  ...OTHER_TYPES.map((accept) =>
    refused('accept-refused', 'no type', LATEST, { headers: { accept } }),
  ),
  ...[HISTORY, HEALTH].map((path) => refused('accept-refused', 'no type', path, HTML)),
  ['check-order', 'invalid', LATEST, { method: 'POST', ...KEYLESS }],
  ['check-order', 'no type', LATEST, { ...HTML, ...KEYLESS }],
  ['check-order', 'no type', '/v1/nothing', HTML],
  ['check-order', 'no key', pathOf({ limit: 0 }), KEYLESS],
  ['check-order', 'no key', '/v1/nothing', KEYLESS],
]

/** Paths below `/v1` that are none; and others, which a proxy in front may answer by itself. */
const PATHS = [
  ...['/v1/', '/v1/forecast', '/v1//forecasts', '/v1/Forecasts'],
  ...[`${HISTORY}/`, `${LATEST}/`, `${HEALTH}/x`],
]
const OUTSIDE = ['/', '/v1', '/forecasts', '/v2/forecasts', '//v1/forecasts', '/V1/forecasts']

const MALFORMED: readonly Query[] = [
  ...[
    'yesterday',
    '2026-01-01',
    '2026-01-01T00:00:00',
    1_767_225_600,
    '',
    '2026-02-29T00:00:00Z',
  ].map((origin_from) => ({ origin_from })),
  ...[
    '2026-02-30T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00',
    '',
  ].map((origin_to) => ({ origin_to })),
  ...[0, -1, '2.0', '02', '+2', 'two', ''].map((horizon_hours) => ({ horizon_hours })),
]

const REPEATED = [
  'limit=5',
  'model=a',
  'run_id=a',
  'horizon_hours=2',
  'origin_from=2026-01-01T00:00:00Z',
  'origin_to=2026-01-01T00:00:00Z',
]

/** What the routes refuse once a key is known. */
const BEHIND_THE_KEY: readonly Refusal[] = [
  ...PATHS.map((path) => refused('path-refused', 'invalid', path)),
  ['latest-parameters', 'invalid', `${LATEST}?limit=1`],
  ['health-parameters', 'invalid', `${HEALTH}?verbose=1`],
  ...['0', '101', '1000', '1000000000000', '-1', '1.5', '05', '1e1', 'ten', ''].map((limit) =>
    refused('limit-bounds', 'invalid', pathOf({ limit })),
  ),
  ...['colour=red', 'Limit=5', 'offset=1', 'limit=5&colour=red'].map((query) =>
    refused('unknown-parameter', 'invalid', `${HISTORY}?${query}`),
  ),
  ...[...REPEATED.map((pair) => `${pair}&${pair}`), 'limit=5&limit=6'].map((query) =>
    refused('repeated-parameter', 'invalid', `${HISTORY}?${query}`),
  ),
  ...MALFORMED.map((query) => refused('filter-malformed', 'invalid', pathOf(query))),
  ...['made-up', ''].map((cursor) => refused('cursor-invalid', 'invalid', pathOf({ cursor }))),
]

/** What is almost the key, and the key where it does not belong. */
function misplaced(key: string): Readonly<Record<string, string>>[] {
  const swapped = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()
  const near = [`${key}x`, key.slice(0, -1), swapped].filter((other) => other !== key)
  const basic = Buffer.from(`${key}:`).toString('base64')
  const wrong = [...near.map((other) => `Bearer ${other}`), key, `Token ${key}`, `Basic ${basic}`]
  return [...wrong.map((authorization) => ({ authorization })), { 'x-api-key': key }]
}

/** Judges all that must be refused with any history; without a key, what comes before it. */
export async function judgeRefusals(service: ServiceClient, outside: boolean): Promise<void> {
  const { key } = service
  const refusals = [...BEFORE_THE_KEY]
  if (key !== undefined) {
    for (const headers of misplaced(key)) {
      refusals.push(['key-wrong', 'no key', LATEST, { headers, ...KEYLESS }])
    }
    refusals.push(...BEHIND_THE_KEY)
    if (outside) refusals.push(...OUTSIDE.map((path) => refused('path-refused', 'invalid', path)))
  }
  for (const [rule, reason, path, options] of refusals) {
    const [status, code] = REASONS[reason]
    await service.refuses(rule, status, code, { path, ...options })
  }
}
