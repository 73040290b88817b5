import { rule } from './rule.js'

/** Rules of a static site. */
export const SITE_RULES = {
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
