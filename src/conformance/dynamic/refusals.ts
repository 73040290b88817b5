import type { RuleName } from '../../contract/conformance-rules.js'
import { type ApiErrorCode, MEDIA_TYPE } from '../../contract/limits.js'
import type { CallOptions, ServiceClient } from './client.js'
import { HEALTH, HISTORY, LATEST, pathOf, type Query } from './client.js'

/** A request that must be refused, and how. */
type Refusal = readonly [RuleName, number, ApiErrorCode, CallOptions]

const MADE_UP = 'conformance-check-no-such-key'
const KEYLESS = { withKey: false } as const
const HTML = { accept: 'text/html' } as const
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

const invalid = (
  rule: RuleName,
  path: string,
  options: Omit<CallOptions, 'path'> = {},
): Refusal => [rule, 400, 'invalid_request', { path, ...options }]
const noKey = (rule: RuleName, path: string, options: Omit<CallOptions, 'path'>): Refusal => [
  rule,
  401,
  'invalid_request',
  { path, ...options },
]
const noType = (rule: RuleName, path: string, options: Omit<CallOptions, 'path'>): Refusal => [
  rule,
  406,
  'not_acceptable',
  { path, ...options },
]

/** What is refused before a key is looked at, or for want of one. None of it counts against the limit. */
const BEFORE_THE_KEY: readonly Refusal[] = [
  ...METHODS.map((method) => invalid('method-refused', HISTORY, { method })),
  ...['HEAD', 'POST'].map((method) => invalid('method-refused', HEALTH, { method })),
  invalid('method-refused', LATEST, { method: 'HEAD' }),
  ...[LATEST, HISTORY, HEALTH].map((path) => noKey('key-missing', path, KEYLESS)),
  ...[`Bearer ${MADE_UP}`, 'Basic Og==', 'Bearer', MADE_UP].map((authorization) =>
    noKey('key-wrong', LATEST, { headers: { authorization } }),
  ),
  noKey(
    'key-wrong',
    `${LATEST}?key=${MADE_UP}&api_key=${MADE_UP}&access_token=${MADE_UP}`,
    KEYLESS,
  ),
  ...OTHER_TYPES.map((accept) => noType('accept-refused', LATEST, { headers: { accept } })),
  ...[HISTORY, HEALTH].map((path) => noType('accept-refused', path, { headers: HTML })),
  invalid('check-order', LATEST, { method: 'POST', ...KEYLESS }),
  noType('check-order', LATEST, { headers: HTML, ...KEYLESS }),
  noType('check-order', '/v1/nothing', { headers: HTML }),
  noKey('check-order', pathOf({ limit: 0 }), KEYLESS),
  noKey('check-order', '/v1/nothing', KEYLESS),
]

/** Paths below `/v1` that are none; and others, which a proxy in front may answer by itself. */
const PATHS = [
  ...['/v1/', '/v1/forecast', '/v1//forecasts', '/v1/Forecasts'],
  ...[`${HISTORY}/`, `${LATEST}/`, `${HEALTH}/x`],
]
const OUTSIDE = ['/', '/v1', '/forecasts', '/v2/forecasts', '//v1/forecasts', '/V1/forecasts']

const MALFORMED: readonly Query[] = [
  { origin_from: 'yesterday' },
  { origin_from: '2026-01-01' },
  { origin_from: '2026-01-01T00:00:00' },
  { origin_from: 1_767_225_600 },
  { origin_from: '' },
  { origin_to: '2026-02-30T00:00:00Z' },
  { origin_from: '2026-02-29T00:00:00Z' },
  { origin_to: '2100-02-29T00:00:00Z' },
  { origin_to: '2026-01-01T25:00:00Z' },
  { origin_to: '2026-01-01T00:00:00' },
  { origin_to: '' },
  { horizon_hours: 0 },
  { horizon_hours: -1 },
  { horizon_hours: '2.0' },
  { horizon_hours: '02' },
  { horizon_hours: '+2' },
  { horizon_hours: 'two' },
  { horizon_hours: '' },
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
  ...PATHS.map((path) => invalid('path-refused', path)),
  invalid('latest-parameters', `${LATEST}?limit=1`),
  invalid('health-parameters', `${HEALTH}?verbose=1`),
  ...['0', '101', '1000', '1000000000000', '-1', '1.5', '05', '1e1', 'ten', ''].map((limit) =>
    invalid('limit-bounds', pathOf({ limit })),
  ),
  ...['colour=red', 'Limit=5', 'offset=1', 'limit=5&colour=red'].map((query) =>
    invalid('unknown-parameter', `${HISTORY}?${query}`),
  ),
  ...REPEATED.map((pair) => invalid('repeated-parameter', `${HISTORY}?${pair}&${pair}`)),
  invalid('repeated-parameter', `${HISTORY}?limit=5&limit=6`),
  ...MALFORMED.map((query) => invalid('filter-malformed', pathOf(query))),
  ...['made-up', ''].map((cursor) => invalid('cursor-invalid', pathOf({ cursor }))),
]

/** What is almost the key, and the key where it does not belong. */
function misplaced(key: string): Readonly<Record<string, string>>[] {
  const swapped = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()
  const near = [`${key}x`, key.slice(0, -1), swapped].filter((other) => other !== key)
  const basic = Buffer.from(`${key}:`).toString('base64')
  const wrong = [...near.map((other) => `Bearer ${other}`), key, `Token ${key}`, `Basic ${basic}`]
  return [...wrong.map((authorization) => ({ authorization })), { 'x-api-key': key }]
}

/** Judges all that must be refused whatever the history holds; without a key, what comes before it. */
export async function judgeRefusals(service: ServiceClient, outside: boolean): Promise<void> {
  const refuse = async (refusals: readonly Refusal[]) => {
    for (const [rule, status, code, options] of refusals) {
      await service.refuses(rule, status, code, options)
    }
  }
  await refuse(BEFORE_THE_KEY)
  const { key } = service
  if (key === undefined) return
  for (const headers of misplaced(key)) {
    await refuse([noKey('key-wrong', LATEST, { headers, ...KEYLESS })])
  }
  await refuse(BEHIND_THE_KEY)
  if (outside) await refuse(OUTSIDE.map((path) => invalid('path-refused', path)))
}
