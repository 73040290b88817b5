import { A_DIGEST, error, OTHER_DIGEST } from './row.js'

const UPDATE = 'To update the site, run: foreproof publish'
const REBUILD = 'Write the whole site again: foreproof publish --full'

type Outdated = {
  readonly of: 'forecasts' | 'recorded attempts' | 'checkpoints'
  /** How many of them. */
  readonly published: number
  readonly history: number
}

const CHANGED = {
  forecasts: 'the history has changed',
  'recorded attempts': 'the recorded attempts of the history have changed',
  checkpoints: 'the log has changed or has new stamps',
} as const satisfies Record<Outdated['of'], string>

/** Faults of built sites. */
export const siteRows = {
  'site-unreadable': error<{ readonly what: 'record of the build' | 'list of checksums' }>(
    'the {what} is missing or cannot be read',
    { what: 'record of the build' },
    REBUILD,
  ),
  'site-outdated': error<Outdated>(
    ({ of, published, history }) =>
      published === history
        ? `${CHANGED[of]} since this site was built`
        : `the site has ${published} ${of}, but the history has ${history}`,
    { of: 'forecasts', published: 1200, history: 1248 },
    UPDATE,
  ),
  'site-unsound': error(
    ({ rows, first }) =>
      `${rows} of the forecasts that were written ${rows === 1 ? 'comes of a row that is unsound' : 'come of rows that are unsound'}: ${rows === 1 ? '' : 'the newest is '}${first}`,
    { rows: 3, first: '2026-01-02T03:00:00+00:00:seer:24' },
    'The site shows them as the history has them, and where they break a rule of the contract, `foreproof conformance` fails it. `foreproof history verify` names what is wrong in every row.',
  ),
  'site-unfinished': error(
    'a build with --in-place began and did not finish',
    `Unless a build is still running: ${UPDATE}`,
  ),
  'site-file-differs': error<{ expected: string; actual: string | undefined }>(
    ({ expected, actual }) =>
      actual === undefined
        ? 'the file is missing'
        : `the file is not the one that was written: its SHA-256 is ${actual}, not ${expected}`,
    { expected: A_DIGEST, actual: OTHER_DIGEST },
    REBUILD,
  ),
  'site-file-unknown': error(
    'the file does not belong to the site',
    'Remove it, or publish it elsewhere.',
  ),
}
