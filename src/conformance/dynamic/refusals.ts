import type { RuleName } from '../../contract/conformance-rules.js'
import { type ApiErrorCode, MEDIA_TYPE } from '../../contract/limits.js'
import type { CallOptions, ServiceClient } from './client.js'
import { HEALTH_PATH, HISTORY_PATH, historyPath, LATEST_PATH } from './client.js'

type Options = Omit<CallOptions, 'path'>

const REASONS = {
  invalid: [400, 'invalid_request'],
  'no key': [401, 'invalid_request'],
  'no type': [406, 'not_acceptable'],
} as const satisfies Record<string, readonly [number, ApiErrorCode]>

/** A request that every route must reject: the rule, the reason, and the options of the request. */
type Door = readonly [RuleName, keyof typeof REASONS, Options]

/** Invalid queries or paths: the rule, their common prefix, and the rest of each. */
type Invalid = readonly [RuleName, before: string, readonly string[]]

const MADE_UP = 'conformance-check-no-such-key'
const KEYS_IN_A_QUERY = `key=${MADE_UP}&api_key=${MADE_UP}&access_token=${MADE_UP}`
const KEYLESS = { withKey: false } as const
const HTML = { headers: { accept: 'text/html' } } as const
/** A weight of 0 means that a type is not acceptable (RFC 9110, 12.4.2). */
const OTHER_TYPES = [
  'text/html',
  'application/json',
  MEDIA_TYPE.replace('v1', 'v2'),
  `${MEDIA_TYPE};q=0`,
  `${MEDIA_TYPE};q=0, */*`,
  '*/*;q=0',
]
const METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Headers that make some frameworks treat a POST as another method. */
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override']
const WRONG_KEYS = [`Bearer ${MADE_UP}`, 'Basic Og==', 'Bearer', MADE_UP]

const withKey = (headers: Options['headers']): Door => [
  'key-wrong',
  'no key',
  { headers: headers ?? {}, ...KEYLESS },
]

/**
 * Requests that no route answers. They are rejected before a key is checked, or because it is missing, so they do not
 * count against a limit.
 */
const DOORS: readonly Door[] = [
  ...METHODS.map((method): Door => ['method-refused', 'invalid', { method }]),
  ...OVERRIDES.map(
    (name): Door => ['method-refused', 'invalid', { method: 'POST', headers: { [name]: 'GET' } }],
  ),
  ['key-missing', 'no key', KEYLESS],
  ...WRONG_KEYS.map((authorization) => withKey({ authorization })),
  ...OTHER_TYPES.map((accept): Door => ['accept-refused', 'no type', { headers: { accept } }]),
  ['check-order', 'invalid', { method: 'POST', ...KEYLESS }],
  ['check-order', 'invalid', { method: 'POST', ...HTML }],
  ['check-order', 'no type', { ...HTML, ...KEYLESS }],
]

/** Almost the key, and the key in the wrong position. */
function misplaced(key: string): Door[] {
  const swapped = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()
  const near = [`${key}x`, key.slice(0, -1), swapped].filter((other) => other !== key)
  const basic = Buffer.from(`${key}:`).toString('base64')
  const wrong = [...near.map((other) => `Bearer ${other}`), key, `Token ${key}`, `Basic ${basic}`]
  return [
    ...wrong.map((authorization) => withKey({ authorization })),
    withKey({ 'x-api-key': key }),
  ]
}

const PATHS = [
  ...['/v1/', '/v1/forecast', '/v1/Forecasts', '/v1/latest', '/v1/nothing'],
  ...[HISTORY_PATH, LATEST_PATH, HEALTH_PATH].flatMap((path) => [
    `${path}/`,
    `${path}.json`,
    `${path};v=1`,
  ]),
  ...[`${HEALTH_PATH}/x`, `${HISTORY_PATH}/page-0001.json`],
]
/** Paths outside `/v1`, which a proxy may answer by itself. */
const OUTSIDE = ['/', '/v1', '/forecasts', '/v2/forecasts', '/V1/forecasts']
/** Paths that a proxy may normalise before it passes them on. */
const NORMALISED = ['/v1//forecasts', '/v1/forecasts%2Flatest', '//v1/forecasts']

/** Invalid instants; each must be rejected as either bound. */
const NO_TIMESTAMPS = [
  ...['', 'yesterday', '1767225600', '2026-01-01', '20260101T000000Z', '2026-01-01T00:00Z'],
  ...['2026-01-01T00:00:00', '2026-01-01T00:00:00+0200', '２０２６-01-01T00:00:00Z'],
  ...['2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z', '2100-02-29T00:00:00Z'],
  ...['2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:00+24:00'],
  ...['2026-01-01T00:00:00+02:60', ' 2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z '],
]
const NO_HORIZONS = ['', '0', '-1', '2.0', '02', '+2', '2e0', '２', ' 2', 'two']
const NO_LIMITS = ['', '0', '101', '1000', '1000000000000', '-1', '1.5', '05', '1e1', ' 5', 'ten']
const UNKNOWN = [
  ...['colour=red', 'foo', 'foo=', '=foo', 'Limit=5', ' limit=5', 'offset=1', '_method=GET'],
  ...['model[]=x', 'key=x', 'limit=5&colour=red'],
]
const KNOWN = [
  ...['limit=5', 'model=a', 'run_id=a', 'horizon_hours=2', 'cursor=a'],
  ...['origin_from=2026-01-01T00:00:00Z', 'origin_to=2026-01-01T00:00:00Z'],
]

const each = (name: string, values: readonly string[]) =>
  values.map((value) => `${name}=${encodeURIComponent(value)}`)

/** Requests that the routes must reject once the key is accepted. */
const QUERIES: readonly Invalid[] = [
  ['latest-parameters', `${LATEST_PATH}?`, [...KNOWN, 'foo', 'foo=']],
  ['health-parameters', `${HEALTH_PATH}?`, [...KNOWN, 'foo', 'foo=', 'verbose=1']],
  ['limit-bounds', `${HISTORY_PATH}?`, each('limit', NO_LIMITS)],
  ['unknown-parameter', `${HISTORY_PATH}?`, UNKNOWN.map(encodeURI)],
  [
    'repeated-parameter',
    `${HISTORY_PATH}?`,
    [...KNOWN.map((pair) => `${pair}&${pair}`), 'limit=5&limit=6', 'limit=5&%6Cimit=5'],
  ],
  ['filter-malformed', `${HISTORY_PATH}?`, each('origin_from', NO_TIMESTAMPS)],
  ['filter-malformed', `${HISTORY_PATH}?`, each('origin_to', NO_TIMESTAMPS)],
  ['filter-malformed', `${HISTORY_PATH}?`, each('horizon_hours', NO_HORIZONS)],
  // Unencoded, this + is a space.
  ['filter-malformed', `${HISTORY_PATH}?`, ['origin_from=2026-01-01T02:00:00+02:00']],
  ['cursor-invalid', `${HISTORY_PATH}?`, ['cursor=made-up', 'cursor=']],
]

/** Some of them again, together with a filter or a cursor. */
const withPair = (pair: string): Invalid[] => [
  ['limit-bounds', `${HISTORY_PATH}?${pair}&`, ['limit=0', 'limit=101']],
  ['unknown-parameter', `${HISTORY_PATH}?${pair}&`, ['foo', 'foo=', 'colour=red']],
  ['repeated-parameter', `${HISTORY_PATH}?${pair}&`, ['limit=5&limit=5', pair]],
  ['filter-malformed', `${HISTORY_PATH}?${pair}&`, ['origin_to=2026-01-01', 'horizon_hours=0']],
]

/** All filters at once; which forecasts match does not matter here. */
const FILTERED = historyPath({
  horizon_hours: 2,
  model: 'a',
  run_id: 'a',
  origin_from: '2026-01-01T00:00:00Z',
  origin_to: '2026-01-02T00:00:00Z',
})

/**
 * Checks all requests that must be rejected with any history; without a key, those that are rejected before the key is
 * checked.
 * @param cursor - one from the service for pages without filters; undefined if it gives none.
 * @param outside - whether paths outside `/v1` belong to the service too.
 */
export async function checkRefusals(
  service: ServiceClient,
  cursor: string | undefined,
  outside: boolean,
): Promise<void> {
  const { key, root } = service
  const checkRefusal = async (
    rule: RuleName,
    why: keyof typeof REASONS,
    path: string,
    by?: Options,
  ) => {
    const [status, code] = REASONS[why]
    await service.checkRefused(rule, status, code, { path, ...by })
  }
  const further = `cursor=${encodeURIComponent(cursor ?? 'made-up')}`
  const routes = [LATEST_PATH, HISTORY_PATH, HEALTH_PATH, FILTERED, `${HISTORY_PATH}?${further}`]
  for (const path of routes) {
    for (const [rule, why, by] of key === undefined ? DOORS : [...DOORS, ...misplaced(key)]) {
      await checkRefusal(rule, why, path, by)
    }
  }
  await checkRefusal('key-wrong', 'no key', `${LATEST_PATH}?${KEYS_IN_A_QUERY}`, KEYLESS)
  await checkRefusal('method-refused', 'invalid', `${HISTORY_PATH}?_method=GET`, { method: 'POST' })
  for (const path of [
    '/v1/nothing',
    `${HISTORY_PATH}?limit=0`,
    `${LATEST_PATH}?foo`,
    `${HEALTH_PATH}?foo`,
  ]) {
    await checkRefusal('check-order', 'no type', path, HTML)
    await checkRefusal('check-order', 'no key', path, KEYLESS)
  }
  if (key === undefined) return
  // An address with its own path is that of a proxy.
  const isOwn = outside && new URL(root).pathname === '/'
  const paths = [...PATHS, ...(outside ? OUTSIDE : []), ...(isOwn ? NORMALISED : [])]
  const invalid: readonly Invalid[] = [
    ['path-refused', '', paths],
    ...QUERIES,
    ...withPair('model=a'),
    ...(cursor === undefined ? [] : withPair(further)),
  ]
  for (const [rule, before, asked] of invalid) {
    for (const each of asked) await checkRefusal(rule, 'invalid', before + each)
  }
}
