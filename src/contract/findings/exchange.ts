import { error, joined, listNames, NOT_FOR, quoted, row, shellWord, warning } from './row.js'

const releases = (n: number) => `${n} ${n === 1 ? 'release' : 'releases'} of outcomes`

/** What a foreign format cannot store, by kind, with the number. */
const KINDS = {
  attempts: (n: number) => `${n} attempts without a forecast`,
  unscored: (n: number) => `${n} ${n === 1 ? 'attempt' : 'attempts'} not scored`,
  lineage: (n: number) => `time of making or salt of ${n} forecasts`,
  provenance: (n: number) => `provenance of ${n} forecasts`,
  releases: (n: number) => `${releases(n)} that another one of the same day followed`,
  hours: (n: number) => `the time of day of ${releases(n)}, which is read as the end of the day`,
} as const

/** In double quotes, a shell interprets some characters. */
const asWord = (text: string) => (/["$`\\!]/.test(text) ? shellWord(text) : quoted(text))

type Kind = keyof typeof KINDS
type LeftOut = {
  readonly counts: { readonly [K in Kind]?: number }
}

/** Forecasts in foreign formats. */
export const exchangeRows = {
  'exchange-left-out': warning<LeftOut>(
    ({ counts }) => {
      const parts = (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
        const count = counts[kind]
        return count === undefined ? [] : [KINDS[kind](count)]
      })
      return `a hub has no place for: ${parts.join('; ')}`
    },
    { counts: { attempts: 12, lineage: 4000 } },
    'They are not in what was written. `foreproof history export` writes all that a history holds, and a vintage has all releases.',
  ),
  'hub-file': error(
    {
      place: [
        'this is not the folder of a model',
        'Move it into the folder of its model, or out of model-output.',
      ],
      model: [
        'a folder of model output is named TEAM-MODEL, in letters, digits and underscores',
        'Rename the folder and its files, or move it out of model-output.',
      ],
      name: [
        'a file of model output is a regular file named ROUND-TEAM-MODEL.csv or .parquet',
        'Rename it, or unpack it. Move copies and older versions out of model-output: foreproof does not guess which one counts.',
      ],
      'other-model': [
        'the file is named for another model than its folder',
        'Move it into the folder of its model, or rename it.',
      ],
      round: [
        'the round is no date of the calendar, such as 2026-01-31',
        'Rename the file: its round is the date of origin of its rows.',
      ],
    },
    { fault: 'name' },
  ),
  'hub-targets': error(
    {
      several: [
        ({ targets }) => `there are rows of several targets: ${listNames(targets)}`,
        ({ targets }) =>
          `Say which one is imported: --target ${asWord(targets.find((name) => name !== '') ?? '')}`,
      ],
      none: [
        'no row that could be imported is of the target "{target}"',
        ({ targets }) =>
          targets.length === 0
            ? 'Of a hub, quantiles and medians are imported.'
            : `The rows are of ${listNames(targets)}.`,
      ],
    },
    { fault: 'several', targets: ['wk inc flu hosp', 'wk inc flu prop ed visits'], target: '' },
  ),
  'exchange-columns': error(
    ({ missing }) => `there is no column ${joined(missing.map(quoted), 'and')}`,
    {
      missing: ['output_type_id'],
      known: ['output_type', 'output_type_id', 'value'],
    },
    'The columns are {known}.',
  ),
  'exchange-row': error(
    {
      type_id: ['the output_type_id "{found}" does not belong to this output_type'],
      round: ['the row is of the round "{found}", and not of that of its file'],
      'no-period': [
        'the date of origin "{found}" ends no period of the list',
        'If it is the day of submission, name its column, such as --columns origin=reference_date: the origin then follows from target_end_date and horizon.',
      ],
      'no-steps': [
        'the date of origin "{found}" ends no period of the list, and the row has no target_end_date or no horizon from which the origin follows',
      ],
      'two-origins': [
        'one date of origin leads to two periods: {found}',
        'The origin is as many periods before target_end_date as horizon says. Which of the two rows is right?',
      ],
    },
    { fault: 'round', found: '2026-01-31' },
  ),
  'exchange-unread': row(
    'note',
    'warning',
    'error',
  )(
    {
      empty: [
        'the folder has no file of forecasts',
        'Forecasts are in TEAM-MODEL/ROUND-TEAM-MODEL.csv or .parquet.',
      ],
      files: [
        ({ rows, names }) =>
          `${rows} ${rows === 1 ? 'file' : 'files'} beside the forecasts left out: ${listNames(names)}`,
      ],
      types: [
        ({ rows, names }) =>
          `${rows} ${rows === 1 ? 'row' : 'rows'} of output_type ${listNames(names)} left out`,
        `A forecast is its quantiles and its median; a mean is no median (${NOT_FOR}).`,
      ],
      only: [
        ({ rows, names }) =>
          `no row is a quantile or a median: ${rows} ${rows === 1 ? 'row is' : 'rows are'} of output_type ${listNames(names)}`,
        `A forecast is its quantiles and its median: make quantiles first where that is possible (${NOT_FOR}).`,
      ],
      dates: [
        ({ rows, names }) =>
          `${rows} ${rows === 1 ? 'date' : 'dates'} of origin end no period, and are read as horizon steps before the target: ${names.join()}`,
      ],
      medians: [
        '{rows forecast has|forecasts have} a median that is not the quantile of level 0.5: the quantile counts',
        'A point forecast is judged as the quantile of level 0.5.',
      ],
    },
    { fault: 'types', rows: 300, names: ['mean'] },
  ),
}
