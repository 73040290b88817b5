import { roughly } from '../printable.js'
import { A_DIGEST, error, note, OTHER_DIGEST, row, warning } from './row.js'

const IMPLAUSIBLE =
  'Without --implausible no reading is recorded; with it they are scored as they are, and the evidence says so. See docs/data-in.md.'

/** Why an evaluation cannot be scored, and caveats about one that was scored. */
export const scoringRows = {
  'plan-not-registered': error(
    'this is a plan, not a registration',
    'To register it, run: foreproof register FILE --protocol PATH',
  ),
  'ledger-absent': error(
    'this folder has no ledger',
    'Name the folder of the frozen protocols with --protocol PATH.',
  ),
  'protocol-not-frozen': error(
    'the ledger has no protocol {version}, which the registration names',
    { version: 'btc-hourly-v3' },
    'Name the folder in which it was frozen with --protocol PATH.',
  ),
  'not-matured-yet': error(
    'not all targets have matured: the registered as-of is {asOf}, and it is {now} now',
    { asOf: '2026-03-01T00:00:00Z', now: '2026-02-01T00:00:00Z' },
    'Until then, foreproof pair shows the status of each attempt, without any score.',
  ),
  'outcomes-not-registered': error(
    {
      digest: [
        'this vintage has the digest {found}, but {registered} is registered',
        'Score with the registered vintage. Another vintage needs a new registration.',
      ],
      id: [
        'this is the vintage {found}, but {registered} is registered',
        'Score with the registered vintage.',
      ],
      source: [
        'these closes are from {found}, but closes from {registered} are registered',
        'Import the registered source, or name it: foreproof outcomes import --source NAME',
      ],
    },
    { fault: 'digest', registered: A_DIGEST, found: OTHER_DIGEST },
  ),
  'outcomes-too-short': error(
    'the outcomes end at {last}, before the last one that is expected counts, at {needed}',
    { last: '2026-02-28T23:00:00Z', needed: '2026-03-01T00:00:00Z' },
    'Import a later vintage; of any series, --complete-to says up to when its table is complete.',
  ),
  'registration-closed': error(
    'the registration was closed as {as} by entry {entry} of {ledger}: {reason}',
    { as: 'abandoned', entry: 7, ledger: 'ledger.jsonl', reason: 'The model was retired.' },
    'A closed registration cannot be scored. Register the evaluation again, over a window that has not begun.',
  ),
  'window-not-shortened': error(
    {
      hourly: ['only windows of protocols of version 2 can be shortened, not hourly ones'],
      prospective: ['a prospective window is scored as it is registered, or not at all'],
      unknown: ['{period} is no origin of the registered window, {from} to {to}'],
    },
    { fault: 'unknown', period: '2026-W40', from: '2025-W01', to: '2026-W22' },
    'Leave --through out, or name the last origin that is to be scored.',
  ),
  'outcomes-not-settled': error(
    '{count} forecasts are not settled: {period} and later targets can still change after {complete}, up to which these outcomes are complete; the last settles at {settled}',
    {
      count: 264,
      period: '2026-W22',
      complete: '2026-06-28T04:00:00Z',
      settled: '2026-07-19T04:00:00Z',
      through: '2026-W20',
    },
    ({ through }) =>
      `Import a later vintage. Where no release came after it, say up to when it knows all: foreproof outcomes import --complete-to TIME${through === '' ? '' : `. Or look at the part that is settled, which decides nothing: --through ${through}`}`,
  ),
  'history-without-models': error<{ models: readonly string[]; found: readonly string[] }>(
    ({ models }) =>
      `the history has no row of any registered model (${models.join(', ')}) in the window`,
    { models: ['seer'], found: ['sear', 'orcale'] },
    ({ found }) =>
      `It has rows of: ${found.join(', ') || 'none'}. Use the right history. No reading was recorded.`,
  ),
  'series-scale': error(
    {
      few: [
        'the series {series} has {differences difference|differences} between values a season apart that {differences:is|are} not 0 (transform {transform}), and a scale needs 20',
        'Register when it has more, or leave it out of the protocol.',
      ],
      small: [
        'the scale of the series {series} is {found} (transform {transform}), below 1e-40: losses divided by it cannot be added up',
        'Take another unit, or no scaling.',
      ],
    },
    { fault: 'few', series: 'US', transform: 'log_shift 1', differences: 12, found: '0.25' },
  ),
  'series-scale-differs': error(
    '{count} of {of} scales {count:is|are} not what the values in force at {at} give: registered for {series} (transform {transform}) is {registered}, and these outcomes give {found}',
    {
      count: 2,
      of: 5,
      series: 'US',
      transform: 'identity',
      registered: '412.5',
      found: '398.25',
      at: '2026-01-07T12:00:00Z',
    },
    'Where the source has dropped what it published earlier, import a table that has the rows of then, too: those that you registered with, and the new ones. If they give the same, the registered numbers are wrong: register anew.',
  ),
  'candidate-implausible': row('error', 'warning')(
    {
      price: [
        '{rows} of the {of} forecasts of {model} are off the price at their origin by more than any market moves in hours (|ln| > 0.5)',
        `Are they in USD, and prices, not returns? ${IMPLAUSIBLE}`,
      ],
      magnitude: [
        ({ model, series, comparator, ratio, rows, of, count, all }) =>
          `the forecasts of ${model} for ${series} are about ${roughly(ratio)} times those of ${comparator}, the nearest required comparator: ${rows} of ${of} differ by more than a factor of 5${count > 1 ? `, and so it is in ${count} of ${all} series` : ''}`,
        `Are they in the unit of the outcomes, not in cents for euros or centimetres for metres? ${IMPLAUSIBLE}`,
      ],
    },
    {
      fault: 'magnitude',
      model: 'seer',
      series: 'river',
      comparator: 'last_value',
      ratio: 99.6,
      rows: 118,
      of: 120,
      count: 1,
      all: 2,
    },
  ),
  'exploratory-run': warning(
    'outcomes were already read under this registration ({readings}), so this result is marked exploratory',
    { readings: 1 },
    'Only the first scoring under a registration is confirmatory.',
  ),
}

/** What a pairing noticed, in addition to its verdicts. */
export const pairingRows = {
  'pairing-model-unknown': warning<{ name: string; nearest: string | null }>(
    'the history has no rows of the model {name}: all its attempts are missing',
    { name: 'seeer', nearest: 'seer' },
    ({ nearest }) =>
      nearest === null
        ? 'Check the name: foreproof history stats lists the models of a history.'
        : `Did you mean ${nearest}?`,
  ),
  'pairing-beside': note(
    '{count row is|rows are} outside the expected grid: they are listed as ineligible and counted separately',
    { count: 2 },
  ),
}
