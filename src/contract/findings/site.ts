import { A_DIGEST, fixed, OTHER_DIGEST, row } from './row.js'

const UPDATE = 'Bring it up to date with foreproof publish.'
const REBUILD = 'Write everything anew with foreproof publish --full.'

/** What is wrong with built sites. */
export const siteRows = {
  'site-record-unreadable': fixed(
    'error',
    'there is no record of a build, or it cannot be read',
    REBUILD,
  ),
  'site-outdated': row(
    'error',
    { published: 1200, history: 1248 },
    ({ published, history }) =>
      published === history
        ? 'the history has changed since this site was built'
        : `the site has ${published} forecasts, the history ${history}`,
    UPDATE,
  ),
  'site-attempts-outdated': row(
    'error',
    { published: 3, history: 4 },
    ({ published, history }) =>
      published === history
        ? 'the recorded attempts of the history have changed since this site was built'
        : `the site has ${published} recorded attempts, the history ${history}`,
    UPDATE,
  ),
  'site-unfinished': fixed(
    'error',
    'a build in place has begun and has not come to its end',
    `If none is running now: ${UPDATE}`,
  ),
  'site-checksums-unreadable': fixed('error', 'there are no checksums to check by', REBUILD),
  'site-file-missing': fixed('error', 'the file is missing', REBUILD),
  'site-file-changed': row(
    'error',
    { expected: A_DIGEST, actual: OTHER_DIGEST },
    ({ expected, actual }) =>
      `the file is not the one that was written: its SHA-256 is ${actual}, not ${expected}`,
    REBUILD,
  ),
  'site-file-unknown': fixed(
    'error',
    'the file is no part of the site',
    'Remove it, or publish it from somewhere else.',
  ),
}
