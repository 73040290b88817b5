import { error, joined, listNames, NOT_FOR, quoted, row, shellWord, warning } from './row.js'

const HUB_PAGE = 'docs/exchange.md says what a hub has to look like.'

const releases = (n: number) => `${n} ${n === 1 ? 'release' : 'releases'} of outcomes`

/** What a format of others has no place for, each kind with its number. */
const KINDS = {
  attempts: (n: number) => `${n} attempts without a forecast`,
  unscored: (n: number) => `${n} expected attempts that were not scored`,
  lineage: (n: number) => `run, configuration, manifest or time of making of ${n} forecasts`,
  provenance: (n: number) => `provenance of ${n} forecasts`,
  levels: (n: number) => `intervals of ${n} forecasts, which are not of 80 %`,
  quantiles: (n: number) => `${n} forecasts without quantiles`,
  outcomes: (n: number) => `${n} forecasts whose outcome is not known`,
  points: (n: number) => `points of ${n} forecasts, which are not their medians`,
  releases: (n: number) => `${releases(n)} that another one of the same day followed`,
  hours: (n: number) => `the time of day of ${releases(n)}, which is read as the end of the day`,
} as const

/** In double quotes a shell reads some letters. */
const asWord = (text: string) => (/["$`\\!]/.test(text) ? shellWord(text) : quoted(text))

type Kind = keyof typeof KINDS
type LeftOut = {
  readonly format: string
  readonly counts: { readonly [K in Kind]?: number }
}

/** Forecasts in formats of others. */
export const exchangeRows = {
  'exchange-left-out': warning<LeftOut>(
    ({ format, counts }) => {
      const parts = (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
        const count = counts[kind]
        return count === undefined ? [] : [KINDS[kind](count)]
      })
      return `${format} has no place for: ${parts.join('; ')}`
    },
    { format: 'hubverse', counts: { attempts: 12, lineage: 4000 } },
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
        'Rename it, or unpack it. A copy or an older version of another file moves out of model-output: which of two counts is not guessed.',
      ],
      'other-model': [
        'the file is named for another model than its folder',
        'Move it into the folder of its model, or rename it.',
      ],
      sources: ['the prices at the origins are not in a regular file', HUB_PAGE],
      round: [
        'the id of the round is no time of the calendar, such as 2026_01_31_12, and no date',
        HUB_PAGE,
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
    ({ missing, more }) =>
      [
        ...(missing.length > 0 ? [`there is no column ${joined(missing.map(quoted), 'and')}`] : []),
        ...(more.length > 0 ? [`${joined(more.slice(0, 8).map(quoted), 'and')} is not known`] : []),
      ].join('; '),
    {
      missing: ['horizon_hours'],
      more: ['horizon'],
      known: ['origin_id', 'horizon_hours', 'output_type', 'output_type_id', 'value'],
    },
    'The columns are {known}.',
  ),
  'exchange-row': error(
    {
      round: ['the row is of the round "{found}", and not of that of its file'],
      type: ['"{found}" is no output_type of hubverse'],
      type_id: ['the output_type_id "{found}" does not belong to this output_type'],
      'no-point': ['there is no median, mean or quantile 0.5: {found}'],
      price: ['the source_price_usd "{found}" is no positive number'],
      'no-round': ['the round "{found}" is no time of the calendar'],
      'two-prices': ['the round "{found}" has two rows'],
      level: [
        'the quantile_level "{found}" is none of 0.1, 0.5 and 0.9',
        'A history holds these three. Leave the rows of other levels out.',
      ],
      scale: [
        'the scale "{found}" is neither natural nor log_return',
        'natural is US dollars. Leave the rows of other scales out.',
      ],
      twice: [
        'there are two rows, with other values, of {found}',
        'Which of the rows was the forecast that was made?',
      ],
      levels: [
        'there is no row of the level {found}',
        'A forecast with quantiles needs rows of the levels 0.1, 0.5 and 0.9.',
      ],
      target: ['target_at "{found}" is not horizon hours after origin_at'],
      source: ['the rows of one forecast differ in source_price_usd: {found}'],
      empty: ['the row has no {found}'],
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
    { fault: 'level', found: '0.25' },
  ),
  'exchange-unread': row(
    'note',
    'warning',
    'error',
  )(
    {
      'two-sources': [
        'the price at an origin is that of auxiliary-data/source-prices.csv; --outcomes is asked for other origins only',
      ],
      kinds: [
        '{rows} rows are not imported: a history has no place for them',
        'It holds a point and the quantiles 0.1, 0.5 and 0.9.',
      ],
      observed: [
        'the column observed is not imported',
        'Outcomes are a vintage: foreproof outcomes import.',
      ],
      'log-returns': [
        '{rows} rows of the scale log_return are not imported: a history holds US dollars',
        'Every forecast needs rows of the scale natural.',
      ],
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
    { fault: 'log-returns', rows: 300, names: [''] },
  ),
  'quantiles-form': error(
    'the table has a column sample_id: its rows are samples, and not quantiles',
    'Let scoringutils make quantiles of them: as_forecast_quantile(samples, probs = c(0.1, 0.5, 0.9)).',
  ),
}
