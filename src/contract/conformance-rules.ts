/** One observable rule of the specification, by the name that reports use. */
interface Rule {
  /** Section of the specification, without the paragraph sign. */
  readonly section: string
  readonly title: string
  /** An example of what may be seen where it does not hold. */
  readonly seen: string
}

const rule = (section: string, title: string, seen: string): Rule => ({
  section,
  title,
  seen,
})

/** Rules of what forecasts and bodies hold; for either variant. */
const PAYLOAD_RULES = {
  'body-json': rule(
    '9',
    'every body is well-formed JSON without repeated names',
    "expected ',' or '}', found 'x'",
  ),
  'api-version': rule('9', 'every body carries api_version v1', 'must be "v1"; found "v2"'),
  envelope: rule(
    '2.3',
    'success bodies have the members of their envelope',
    'the key "pagination" is missing',
  ),
  'resource-fields': rule(
    '2.1',
    'every forecast has all fields, of the right types',
    'the key "model" is missing',
  ),
  'resource-id': rule(
    '2.1',
    'forecast_id is origin, model and horizon',
    'must be origin_at, model.name and horizon_hours joined by colons',
  ),
  'resource-timestamps': rule(
    '2.1',
    'timestamps are valid and carry an offset',
    'the timestamp "2026-01-02" is not an RFC 3339 timestamp',
  ),
  'resource-horizon': rule('2.1', 'horizons are positive integers', 'must be at least 1; found 0'),
  'resource-target': rule(
    '2.1',
    'the target lies the horizon after the origin',
    'must be 24 hours after the origin; is 23 hours after it',
  ),
  'resource-interval': rule(
    '2.1',
    'bounds ascend, or are null together',
    'the bounds must ascend; found 42500, 42000, 43500',
  ),
  'resource-level': rule(
    '2.1',
    'interval levels lie strictly between 0 and 1',
    'must be less than 1; found 80',
  ),
  'resource-confidence': rule(
    '2.1',
    'scores lie in 0 to 1; unknown ones are 0 and explained',
    'must be 0 where the label is unknown; found 0.4',
  ),
  'resource-price': rule(
    '2.1',
    'prices are greater than 0',
    'must be greater than 0, as a price is; found -1',
  ),
  'resource-change': rule(
    '2.1',
    'change_pct is relative to the source price',
    'must be the change from the source price in percent: 42000 is 1.0000 % off 41584.16; found 2',
  ),
  'resource-lineage': rule(
    '2.1',
    'history_key names the row, and absences are explained',
    'must name the same row as the forecast, 24; found 48',
  ),
  'freshness-fields': rule(
    '2.2',
    'freshness has a timestamp, an age and a known status',
    'must be one of fresh, stale or unknown; found "old"',
  ),
  'freshness-observed': rule(
    '2.2',
    'the freshness of a forecast is that of its origin',
    'is 2026-01-02T05:17:21Z, not 2026-01-02T04:00:00+00:00',
  ),
  'freshness-age': rule(
    '2.2',
    'ages are those at the time of the answer, or of the snapshot',
    'age_seconds is 3600, but 7200 s have passed since 2026-01-02T04:00:00Z',
  ),
  'freshness-classes': rule(
    '2.2',
    'one threshold separates fresh from stale in all answers',
    'fresh at 7200 s, while https://example.org/v1/forecasts is stale at 3600 s',
  ),
  'page-freshness': rule(
    '2.3',
    'the freshness of a page is that of the newest origin',
    'is 2026-01-01T04:00:00Z, not 2026-01-02T04:00:00+00:00',
  ),
  'page-order': rule(
    '4',
    'forecasts come newest first, then by horizon, then by model',
    '2026-01-02T04:00:00Z:seer:24 may not follow the last forecast of the page before',
  ),
  'each-once': rule(
    '4',
    'a walk over all pages meets no forecast twice',
    '2026-01-02T04:00:00Z:seer:24 was on an earlier page',
  ),
}

/** Rules of a static site. */
const SITE_RULES = {
  'latest-file': rule('4.1', 'latest.json is there', 'is not there'),
  'head-file': rule('4.1', 'forecasts.json is there', 'is not there'),
  'latest-is-newest': rule(
    '4.1',
    'latest.json holds the first forecast of the history',
    'holds 2026-01-02T03:00:00Z:seer:24, the head begins with 2026-01-02T04:00:00Z:seer:24',
  ),
  'latest-null': rule(
    '2.5',
    'latest.json has null data exactly when the history is empty',
    'data is null, and the head holds forecasts',
  ),
  'chain-complete': rule('4.1', 'every next_url leads to a page', 'is not there'),
  'chain-ends': rule(
    '4.1',
    'the chain of pages ends with null',
    'leads back to a page that was read before',
  ),
  'next-url': rule(
    '2.5',
    'next_url is a reference to a page-NNNN.json of the same site, or null',
    'is empty; the last page must say null',
  ),
  'page-size': rule(
    '2.5',
    'pages state one page_size, and none is longer',
    'holds 101 forecasts, more than the 100 it states as its size',
  ),
  'page-full': rule(
    '2.5',
    'pages hold as many forecasts as their page_size, but for the first or the last',
    'holds 99 forecasts of 100, and is not the only page with fewer',
  ),
  snapshot: rule(
    '2.5',
    'both heads are of one snapshot, and no page of a later one',
    'one head is of 2026-01-02T04:00:00Z, the other of 2026-01-02T05:00:00Z',
  ),
  'pages-reachable': rule(
    '4.1',
    'every page file is reached from the head',
    'no next_url leads here',
  ),
  'sealed-unchanged': rule(
    '8',
    'pages whose forecasts were all stale have not changed',
    'estimate.price_usd of 2026-01-02T04:00:00Z:seer:24 is another; copy/page-0001.json has it',
  ),
  'build-record': rule(
    '8',
    'build.json, where there is one, counts the forecasts that the pages hold',
    'counts 500 forecasts, and the pages hold 499',
  ),
  checksums: rule(
    '8',
    'every page is listed, and every listed file has its checksum',
    'is not the file that is listed',
  ),
  encodings: rule(
    '8',
    'compressed copies hold what the plain file holds',
    'does not hold what the plain file holds',
  ),
  'log-checkpoint': rule(
    '8',
    'log/checkpoint, where there is a log, is a checkpoint',
    'is not a checkpoint',
  ),
  'log-list': rule(
    '8',
    'log/checkpoints.json lists checkpoints that are there, the newest last',
    'does not list the newest checkpoint',
  ),
  'log-tiles': rule(
    '8',
    'every tile of the log is there, with the hashes of the tiles below it',
    'has 8160 bytes, not 8192',
  ),
  'log-root': rule(
    '8',
    'every checkpoint of the log has the root that the tiles give',
    'has another root than the tiles',
  ),
  'log-stamps': rule(
    '8',
    'every stamp is over its checkpoint of the log',
    'the file is not a time stamp: it ends too early',
  ),
}

/** Rules of a service. */
const SERVICE_RULES = {
  'latest-newest': rule(
    '4.2',
    'latest is the forecast of the greatest origin',
    'is of 2026-01-02T03:00:00Z, while the history begins with 2026-01-02T04:00:00Z',
  ),
  'latest-parameters': rule('4.2', 'latest takes no parameters', 'answers 200'),
  'latest-empty': rule(
    '4.2',
    'latest of an empty history is 404 forecast_not_found',
    'answers 200',
  ),
  'same-resource': rule(
    '2.1',
    'latest and history give one forecast the same way, whatever is asked',
    'estimate.price_usd of 2026-01-02T04:00:00Z:seer:24 was another before',
  ),
  'limit-default': rule('4.3', 'a page holds 50 forecasts unless asked', 'is 20, not 50'),
  'limit-bounds': rule('4.3', 'limit takes 1 to 100 and nothing else', 'limit=0 answers 200'),
  'limit-kept': rule('4.3', 'no page is longer than its limit', 'holds 11 forecasts, more than 10'),
  'unknown-parameter': rule('4.3', 'unknown parameters are refused', 'answers 200'),
  'repeated-parameter': rule('4.3', 'repeated parameters are refused', 'answers 200'),
  'cursor-walk': rule(
    '4.3',
    'cursors lead through the history without gap or repetition',
    '2026-01-02T04:00:00Z:seer:24 is left out',
  ),
  'cursor-end': rule(
    '4.3',
    'the last page has no cursor',
    'a cursor led to a page without forecasts',
  ),
  'cursor-filters': rule('4.3', 'a cursor is refused with other filters', 'answers 200'),
  'cursor-invalid': rule('4.3', 'edited and made-up cursors are refused', 'answers 200'),
  'filter-origin': rule(
    '4.3',
    'origin bounds include their ends, whatever the offset',
    '2026-01-02T04:00:00Z:seer:24 does not fit the filter',
  ),
  'filter-horizon': rule(
    '4.3',
    'horizon_hours gives just that horizon',
    '2026-01-02T04:00:00Z:seer:48 does not fit the filter',
  ),
  'filter-model': rule(
    '4.3',
    'model gives just that model',
    '2026-01-02T04:00:00Z:seer:24 does not fit the filter',
  ),
  'filter-run': rule(
    '4.3',
    'run_id gives just that run',
    '2026-01-02T04:00:00Z:seer:24 does not fit the filter',
  ),
  'filter-nothing': rule('4.3', 'filters that match nothing give 200 and no data', 'answers 404'),
  'filter-malformed': rule('4.3', 'malformed filters are refused', 'answers 200'),
  'health-body': rule(
    '2.4',
    'health has its members and known states',
    'must be one of healthy, degraded or unavailable; found "fine"',
  ),
  'health-parameters': rule('4.4', 'health takes no parameters', 'answers 200'),
  'health-status': rule(
    '4.4',
    'health is told where it can be, and is healthy only when history is fresh and no stage is degraded',
    'is healthy, while its freshness is stale',
  ),
  'health-freshness': rule(
    '2.4',
    'the freshness of health is that of the newest origin',
    'observed_at is not the newest origin of the history',
  ),
  livez: rule('4.5', '/livez answers ok', 'answers 404'),
  readyz: rule(
    '4.5',
    '/readyz is ready exactly when health is healthy',
    'is ready, while health is degraded',
  ),
  metrics: rule(
    '4.5',
    '/metrics is text exposition of the four kinds of figures, none below 0',
    'has no request totals',
  ),
  'metrics-format': rule(
    '4.5',
    '/metrics is well-formed exposition',
    'line 7: a TYPE that is malformed or repeated',
  ),
  'metrics-count': rule(
    '4.5',
    'request and response totals count',
    'request totals grew by 0 over 120 requests',
  ),
  'probes-open': rule('5', 'probes need no key', '/livez answers 401'),
  'method-refused': rule(
    '4.6',
    'methods other than GET are 400 invalid_request',
    'POST answers 405',
  ),
  'path-refused': rule('4.6', 'unknown paths are 400 invalid_request', '/v1/nothing answers 404'),
  'accept-allowed': rule('4.6', 'Accept may be the media type, */* or absent', 'answers 406'),
  'accept-refused': rule(
    '9',
    'other media types and versions are 406 not_acceptable',
    'answers 200',
  ),
  'media-type': rule(
    '4.6',
    'every JSON response has the media type of version 1',
    'Content-Type is application/json',
  ),
  'no-store': rule(
    '4.6',
    'every JSON response has Cache-Control: no-store',
    'Cache-Control is max-age=60',
  ),
  'content-encoding': rule(
    '4.3',
    'a page is sent in a coding that its client takes, and decodes to the same forecasts',
    'is sent as gzip to a client that takes no coding',
  ),
  'key-missing': rule('5', 'a request without a key is 401 invalid_request', 'answers 403'),
  'key-wrong': rule(
    '5',
    'a key that is unknown, or not behind Bearer, is 401 invalid_request',
    'answers 403',
  ),
  'check-order': rule(
    '4.6',
    'method and media type come before the key, the key before the rest',
    'answers 401 before the method was looked at',
  ),
  'error-envelope': rule(
    '7',
    'every error has the error envelope and a stable code',
    'an error without api_version v1',
  ),
  'error-safe': rule(
    '7',
    'messages show no paths, credentials or stack traces',
    'the message is "/srv/forecasts/history.sqlite: locked"',
  ),
  'rate-limited': rule(
    '7',
    '429 rate_limited says in whole seconds when to come back',
    'Retry-After is absent',
  ),
}

/** Every rule of the specification that can be observed from outside, by its name in reports. */
export const CONFORMANCE_RULES = { ...PAYLOAD_RULES, ...SITE_RULES, ...SERVICE_RULES }
export type RuleName = keyof typeof CONFORMANCE_RULES

const names = <T extends object>(rules: T) => Object.keys(rules) as (keyof T)[]
export const STATIC_RULES: readonly RuleName[] = [...names(PAYLOAD_RULES), ...names(SITE_RULES)]
export const DYNAMIC_RULES: readonly RuleName[] = [...names(PAYLOAD_RULES), ...names(SERVICE_RULES)]
