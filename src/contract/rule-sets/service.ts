import { rule } from './rule.js'

/** Rules of a service. */
export const SERVICE_RULES = {
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
