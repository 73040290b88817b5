import { A_DIGEST, fixed, OTHER_DIGEST, row } from './row.js'

const UPDATE = 'To update the site, run: foreproof publish'
const REBUILD = 'Write the whole site again: foreproof publish --full'

/** What is wrong with built sites. */
export const siteRows = {
  'site-record-unreadable': fixed(
    'error',
    'the record of the build is missing or cannot be read',
    REBUILD,
  ),
  'site-outdated': row(
    'error',
    { published: 1200, history: 1248 },
    ({ published, history }) =>
      published === history
        ? 'the history has changed since this site was built'
        : `the site has ${published} forecasts, but the history has ${history}`,
    UPDATE,
  ),
  'site-attempts-outdated': row(
    'error',
    { published: 3, history: 4 },
    ({ published, history }) =>
      published === history
        ? 'the recorded attempts of the history have changed since this site was built'
        : `the site has ${published} recorded attempts, but the history has ${history}`,
    UPDATE,
  ),
  'site-log-outdated': row(
    'error',
    { published: 3, history: 4 },
    ({ published, history }) =>
      published === history
        ? 'the log has changed or has new stamps since this site was built'
        : `the log on the site has ${published} checkpoints, but that of the history has ${history}`,
    UPDATE,
  ),
  'site-unsound': row(
    'error',
    { rows: 3, first: '2026-01-02T03:00:00+00:00:seer:24' },
    ({ rows, first }) =>
      `${rows} of the forecasts that were written ${rows === 1 ? 'breaks' : 'break'} a rule of the contract: ${rows === 1 ? '' : 'the newest is '}${first}`,
    'The site shows them as the history has them, and `foreproof conformance` fails it. `foreproof history verify` names what is wrong in every row.',
  ),
  'site-unfinished': fixed(
    'error',
    'a build with --in-place began and did not finish',
    `Unless a build is still running: ${UPDATE}`,
  ),
  'site-checksums-unreadable': fixed(
    'error',
    'the list of checksums is missing or cannot be read',
    REBUILD,
  ),
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
    'the file does not belong to the site',
    'Remove it, or publish it elsewhere.',
  ),
}
