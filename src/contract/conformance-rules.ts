/** One observable rule of the specification, by the name that reports use. */
export interface Rule {
  /** Section of the specification, without the paragraph sign. */
  readonly section: string
  readonly title: string
}

/** Rules of what forecasts and bodies hold; for either variant. */
const PAYLOAD = {
  'body-json': { section: '9', title: 'every body is well-formed JSON without repeated names' },
  'api-version': { section: '9', title: 'every body carries api_version v1' },
  envelope: { section: '2.3', title: 'success bodies have the members of their envelope' },
  'resource-fields': { section: '2.1', title: 'every forecast has all fields, of the right types' },
  'resource-id': { section: '2.1', title: 'forecast_id is origin, model and horizon' },
  'resource-timestamps': { section: '2.1', title: 'timestamps are valid and carry an offset' },
  'resource-horizon': { section: '2.1', title: 'horizons are positive integers' },
  'resource-target': { section: '2.1', title: 'the target lies the horizon after the origin' },
  'resource-interval': { section: '2.1', title: 'bounds ascend, or are null together' },
  'resource-level': { section: '2.1', title: 'interval levels lie strictly between 0 and 1' },
  'resource-confidence': {
    section: '2.1',
    title: 'scores lie in 0 to 1; unknown ones are 0 and explained',
  },
  'resource-change': { section: '2.1', title: 'change_pct is relative to the source price' },
  'resource-lineage': {
    section: '2.1',
    title: 'history_key names the row, and absences are explained',
  },
  'freshness-fields': {
    section: '2.2',
    title: 'freshness has a timestamp, an age and a known status',
  },
  'freshness-classes': { section: '2.2', title: 'no stale forecast is younger than a fresh one' },
  'page-order': {
    section: '4',
    title: 'forecasts come newest first, then by horizon, then by model',
  },
  'each-once': { section: '4', title: 'a walk over all pages meets no forecast twice' },
} as const satisfies Record<string, Rule>

const STATIC = {
  'latest-file': { section: '4.1', title: 'latest.json is there' },
  'head-file': { section: '4.1', title: 'forecasts.json is there' },
  'latest-is-newest': {
    section: '4.1',
    title: 'latest.json holds the first forecast of the history',
  },
  'latest-null': {
    section: '2.5',
    title: 'latest.json has null data exactly when the history is empty',
  },
  'chain-complete': { section: '4.1', title: 'every next_url leads to a page' },
  'chain-ends': { section: '4.1', title: 'the chain of pages ends with null' },
  'page-size': { section: '2.5', title: 'no page is longer than its page_size' },
  snapshot: { section: '2.5', title: 'both heads are of one snapshot, and no page of a later one' },
  'freshness-age': { section: '2.2', title: 'ages are those at the time of the snapshot' },
  'page-freshness': {
    section: '2.3',
    title: 'the freshness of the head is that of the newest origin',
  },
  'pages-reachable': { section: '4.1', title: 'every page file is reached from the head' },
  'sealed-unchanged': {
    section: '8',
    title: 'pages whose forecasts were all stale have not changed',
  },
  checksums: { section: '8', title: 'every file is the one its checksum was taken of' },
  encodings: { section: '8', title: 'compressed copies hold what the plain file holds' },
} as const satisfies Record<string, Rule>

const DYNAMIC = {
  'latest-newest': { section: '4.2', title: 'latest is the forecast of the greatest origin' },
  'latest-parameters': { section: '4.2', title: 'latest takes no parameters' },
  'latest-empty': { section: '4.2', title: 'latest of an empty history is 404 forecast_not_found' },
  'same-resource': { section: '2.1', title: 'latest and history give one forecast the same way' },
  'limit-default': { section: '4.3', title: 'a page holds 50 forecasts unless asked' },
  'limit-bounds': { section: '4.3', title: 'limit takes 1 to 100 and nothing else' },
  'limit-kept': { section: '4.3', title: 'no page is longer than its limit' },
  'unknown-parameter': { section: '4.3', title: 'unknown parameters are refused' },
  'repeated-parameter': { section: '4.3', title: 'repeated parameters are refused' },
  'cursor-walk': {
    section: '4.3',
    title: 'cursors lead through the history without gap or repetition',
  },
  'cursor-end': { section: '4.3', title: 'the last page has no cursor' },
  'cursor-filters': { section: '4.3', title: 'a cursor is refused with other filters' },
  'cursor-invalid': { section: '4.3', title: 'edited and made-up cursors are refused' },
  'filter-origin': {
    section: '4.3',
    title: 'origin bounds include their ends, whatever the offset',
  },
  'filter-horizon': { section: '4.3', title: 'horizon_hours gives just that horizon' },
  'filter-model': { section: '4.3', title: 'model gives just that model' },
  'filter-run': { section: '4.3', title: 'run_id gives just that run' },
  'filter-nothing': { section: '4.3', title: 'filters that match nothing give 200 and no data' },
  'filter-malformed': { section: '4.3', title: 'malformed filters are refused' },
  'health-body': { section: '2.4', title: 'health has its members and known states' },
  livez: { section: '4.5', title: '/livez answers ok' },
  readyz: { section: '4.5', title: '/readyz is ready exactly when health is healthy' },
  metrics: { section: '4.5', title: '/metrics is text exposition of the four kinds of figures' },
  'probes-open': { section: '5', title: 'probes need no key' },
  'method-refused': { section: '4.6', title: 'methods other than GET are 400 invalid_request' },
  'path-refused': { section: '4.6', title: 'unknown paths are 400 invalid_request' },
  'accept-allowed': { section: '4.6', title: 'Accept may be the media type, */* or absent' },
  'accept-refused': {
    section: '9',
    title: 'other media types and versions are 406 not_acceptable',
  },
  'media-type': { section: '4.6', title: 'every JSON response has the media type of version 1' },
  'no-store': { section: '4.6', title: 'every JSON response has Cache-Control: no-store' },
  'key-missing': { section: '5', title: 'a request without a key is 401 invalid_request' },
  'key-wrong': { section: '5', title: 'a request with an unknown key is 401 invalid_request' },
  'check-order': {
    section: '4.6',
    title: 'method and media type come before the key, the key before the rest',
  },
  'error-envelope': { section: '7', title: 'every error has the error envelope and a stable code' },
  'error-safe': { section: '7', title: 'messages show no paths, credentials or stack traces' },
  'rate-limited': {
    section: '7',
    title: '429 rate_limited says in whole seconds when to come back',
  },
} as const satisfies Record<string, Rule>

export const RULES = { ...PAYLOAD, ...STATIC, ...DYNAMIC } as const
export type RuleName = keyof typeof RULES

const names = <T extends object>(rules: T) => Object.keys(rules) as (keyof T)[]
export const STATIC_RULES: readonly RuleName[] = [...names(PAYLOAD), ...names(STATIC)]
export const DYNAMIC_RULES: readonly RuleName[] = [...names(PAYLOAD), ...names(DYNAMIC)]
