/** One observable rule of the specification, by its name in reports. */
interface Rule {
  /** Section of the specification, without the paragraph sign. */
  readonly section: string
  readonly title: string
}

const rule = (section: string, title: string): Rule => ({ section, title })

/** Rules for the content of forecasts and bodies, for both variants. */
const PAYLOAD_RULES = {
  'body-json': rule('9', 'every body is well-formed JSON without repeated names'),
  'api-version': rule('9', 'every body carries api_version v1'),
  envelope: rule('2.3', 'success bodies have the members of their envelope'),
  'resource-fields': rule('2.1', 'every forecast has all fields, of the right types'),
  'resource-id': rule('2.1', 'forecast_id is origin, model and horizon'),
  'resource-timestamps': rule('2.1', 'timestamps are valid and carry an offset'),
  'resource-horizon': rule('2.1', 'horizons are positive integers'),
  'resource-target': rule('2.1', 'the target lies the horizon after the origin'),
  'resource-interval': rule('2.1', 'bounds ascend, or are null together'),
  'resource-level': rule('2.1', 'interval levels lie strictly between 0 and 1'),
  'resource-confidence': rule('2.1', 'scores lie in 0 to 1; unknown ones are 0 and explained'),
  'resource-price': rule('2.1', 'prices are greater than 0'),
  'resource-change': rule('2.1', 'change_pct is relative to the source price'),
  'resource-lineage': rule('2.1', 'history_key names the row, and absences are explained'),
  'freshness-fields': rule('2.2', 'freshness has a timestamp, an age and a known status'),
  'freshness-observed': rule('2.2', 'the freshness of a forecast is that of its origin'),
  'freshness-age': rule('2.2', 'ages are those at the time of the answer, or of the snapshot'),
  'freshness-classes': rule('2.2', 'one threshold separates fresh from stale in all answers'),
  'page-freshness': rule('2.3', 'the freshness of a page is that of the newest origin'),
  'page-order': rule('4', 'forecasts come newest first, then by horizon, then by model'),
  'each-once': rule('4', 'a walk over all pages meets no forecast twice'),
}

/** Rules of a static site. */
const SITE_RULES = {
  'latest-file': rule('4.1', 'latest.json is there'),
  'head-file': rule('4.1', 'forecasts.json is there'),
  'latest-is-newest': rule('4.1', 'latest.json holds the first forecast of the history'),
  'latest-null': rule('2.5', 'latest.json has null data exactly when the history is empty'),
  'chain-complete': rule('4.1', 'every next_url leads to a page'),
  'chain-ends': rule('4.1', 'the chain of pages ends with null'),
  'next-url': rule('2.5', 'next_url is a reference to a page-NNNN.json of the same site, or null'),
  'page-size': rule('2.5', 'pages state one page_size, and none is longer'),
  'page-full': rule(
    '2.5',
    'pages hold as many forecasts as their page_size, but for the first or the last',
  ),
  snapshot: rule('2.5', 'both heads are of one snapshot, and no page of a later one'),
  'pages-reachable': rule('4.1', 'every page file is reached from the head'),
  'sealed-unchanged': rule('8', 'pages whose forecasts were all stale have not changed'),
  'forecasts-kept': rule('3', 'forecasts of an earlier copy are there, and have not changed'),
  'not-older': rule('8', 'the site is not older than its earlier copy'),
  'build-record': rule(
    '8',
    'build.json, where there is one, counts the forecasts that the pages hold',
  ),
  checksums: rule('8', 'every page is listed, and every listed file has its checksum'),
  encodings: rule('8', 'compressed copies hold what the plain file holds'),
  'log-checkpoint': rule('8', 'log/checkpoint, where there is a log, is a checkpoint'),
  'log-list': rule('8', 'log/checkpoints.json lists checkpoints that are there, the newest last'),
  'log-tiles': rule('8', 'every tile of the log is there, with the hashes of the tiles below it'),
  'log-root': rule('8', 'every checkpoint of the log has the root that the tiles give'),
  'log-stamps': rule('8', 'every stamp is over its checkpoint of the log'),
}

/** Rules of a service. */
const SERVICE_RULES = {
  'latest-newest': rule('4.2', 'latest is the forecast of the greatest origin'),
  'latest-parameters': rule('4.2', 'latest takes no parameters'),
  'latest-empty': rule('4.2', 'latest of an empty history is 404 forecast_not_found'),
  'same-resource': rule(
    '2.1',
    'latest and history give one forecast the same way, in answer to any question',
  ),
  'limit-default': rule('4.3', 'a page holds 50 forecasts unless asked'),
  'limit-bounds': rule('4.3', 'limit takes 1 to 100 and nothing else'),
  'limit-kept': rule('4.3', 'no page is longer than its limit'),
  'unknown-parameter': rule('4.3', 'unknown parameters are refused'),
  'repeated-parameter': rule('4.3', 'repeated parameters are refused'),
  'cursor-walk': rule('4.3', 'cursors lead through the history without gap or repetition'),
  'cursor-end': rule('4.3', 'the last page has no cursor'),
  'cursor-filters': rule('4.3', 'a cursor is refused with other filters'),
  'cursor-invalid': rule('4.3', 'edited and made-up cursors are refused'),
  'filter-origin': rule('4.3', 'origin bounds include their ends, with any offset'),
  'filter-horizon': rule('4.3', 'horizon_hours gives just that horizon'),
  'filter-model': rule('4.3', 'model gives just that model'),
  'filter-run': rule('4.3', 'run_id gives just that run'),
  'filter-nothing': rule('4.3', 'filters that match nothing give 200 and no data'),
  'filter-malformed': rule('4.3', 'malformed filters are refused'),
  'health-body': rule('2.4', 'health has its members and known states'),
  'health-parameters': rule('4.4', 'health takes no parameters'),
  'health-status': rule(
    '4.4',
    'health is given where it can be, and is healthy only when history is fresh and no stage is degraded',
  ),
  'health-freshness': rule('2.4', 'the freshness of health is that of the newest origin'),
  livez: rule('4.5', '/livez answers ok'),
  readyz: rule('4.5', '/readyz is ready exactly when health is healthy'),
  metrics: rule('4.5', '/metrics is text exposition of the four kinds of figures, none below 0'),
  'metrics-format': rule('4.5', '/metrics is well-formed exposition'),
  'metrics-count': rule('4.5', 'request and response totals count'),
  'probes-open': rule('5', 'probes need no key'),
  'method-refused': rule('4.6', 'methods other than GET are 400 invalid_request'),
  'path-refused': rule('4.6', 'unknown paths are 400 invalid_request'),
  'accept-allowed': rule('4.6', 'Accept may be the media type, */* or absent'),
  'accept-refused': rule('9', 'other media types and versions are 406 not_acceptable'),
  'media-type': rule('4.6', 'every JSON response has the media type of version 1'),
  'no-store': rule('4.6', 'every JSON response has Cache-Control: no-store'),
  'content-encoding': rule(
    '4.3',
    'a page is sent in a coding that its client takes, and decodes to the same forecasts',
  ),
  'key-missing': rule('5', 'a request without a key is 401 invalid_request'),
  'key-wrong': rule('5', 'a key that is unknown, or not behind Bearer, is 401 invalid_request'),
  'check-order': rule('4.6', 'method and media type come before the key, the key before the rest'),
  'error-envelope': rule('7', 'every error has the error envelope and a stable code'),
  'error-safe': rule('7', 'messages show no paths, credentials or stack traces'),
  'rate-limited': rule('7', '429 rate_limited says in whole seconds when to come back'),
}

/** Every rule of the specification that can be observed from outside, by its name in reports. */
export const CONFORMANCE_RULES = { ...PAYLOAD_RULES, ...SITE_RULES, ...SERVICE_RULES }
export type RuleName = keyof typeof CONFORMANCE_RULES

const names = <T extends object>(rules: T) => Object.keys(rules) as (keyof T)[]
export const STATIC_RULES: readonly RuleName[] = [...names(PAYLOAD_RULES), ...names(SITE_RULES)]
export const DYNAMIC_RULES: readonly RuleName[] = [...names(PAYLOAD_RULES), ...names(SERVICE_RULES)]
