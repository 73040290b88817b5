import { rule } from './rule.js'

/** Rules of what forecasts and bodies hold; for either variant. */
export const PAYLOAD_RULES = {
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
