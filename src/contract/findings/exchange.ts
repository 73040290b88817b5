import { joined, quoted, row } from './row.js'

/** What a format of others has no place for, each kind with its number. */
type LeftOut = {
  readonly format: string
  readonly counts: {
    readonly attempts?: number
    readonly unscored?: number
    readonly lineage?: number
    readonly provenance?: number
    readonly levels?: number
    readonly quantiles?: number
    readonly outcomes?: number
    readonly points?: number
  }
}

const KINDS: Readonly<Record<keyof LeftOut['counts'], (count: number) => string>> = {
  attempts: (n) => `${n} attempts without a forecast`,
  unscored: (n) => `${n} expected attempts that were not scored`,
  lineage: (n) => `run, configuration, manifest or time of making of ${n} forecasts`,
  provenance: (n) => `provenance of ${n} forecasts`,
  levels: (n) => `intervals of ${n} forecasts, which are not of 80 %`,
  quantiles: (n) => `${n} forecasts without quantiles`,
  outcomes: (n) => `${n} forecasts whose outcome is not known`,
  points: (n) => `points of ${n} forecasts, which are not their medians`,
}

const FILES = {
  place: 'this is not the folder of a model',
  model: 'a folder of model output is named TEAM-MODEL, in letters, digits and underscores',
  name: 'a file of model output is a regular file named ROUND-TEAM-MODEL.csv or .parquet',
  'other-model': 'the file is named for another model than its folder',
  round: 'the id of the round is no time of the calendar, such as 2026_01_31_12, and no date',
} as const

const ROWS = {
  round: (found: string) => `the row is of the round ${quoted(found)}, and not of that of its file`,
  type: (found: string) => `${quoted(found)} is no output_type of hubverse`,
  level: (found: string) =>
    `the output_type_id ${quoted(found)} does not belong to this output_type`,
  twice: (found: string) => `there are two rows of this kind for one horizon: ${found}`,
  'no-point': (found: string) => `the horizon ${found} has no median, mean or quantile 0.5`,
  quantiles: (found: string) =>
    `the horizon ${found} has not all of the quantiles 0.1, 0.5 and 0.9`,
} as const

/** Forecasts in formats of others. */
export const exchangeRows = {
  'exchange-left-out': row<LeftOut>(
    'warning',
    { format: 'hubverse', counts: { attempts: 12, lineage: 4000 } },
    ({ format, counts }) => {
      const kinds = Object.keys(KINDS) as (keyof LeftOut['counts'])[]
      const parts = kinds.flatMap((kind) => {
        const count = counts[kind]
        return count === undefined ? [] : [KINDS[kind](count)]
      })
      return `${format} has no place for: ${parts.join('; ')}`
    },
    'They are not in what was written. `foreproof history export` writes all that a history holds.',
  ),
  'hub-file': row<{ fault: keyof typeof FILES }>(
    'error',
    { fault: 'name' },
    ({ fault }) => FILES[fault],
    'docs/exchange.md says what a hub has to look like.',
  ),
  'hub-columns': row<{ missing: readonly string[]; more: readonly string[] }>(
    'error',
    { missing: ['horizon_hours'], more: ['horizon'] },
    ({ missing, more }) =>
      [
        ...(missing.length > 0 ? [`there is no column ${joined(missing.map(quoted), 'and')}`] : []),
        ...(more.length > 0 ? [`${joined(more.slice(0, 8).map(quoted), 'and')} is not known`] : []),
      ].join('; '),
    'The columns are origin_id, horizon_hours, output_type, output_type_id and value.',
  ),
  'hub-row': row<{ fault: keyof typeof ROWS; found: string }>(
    'error',
    { fault: 'round', found: '2026_01_31_13' },
    ({ fault, found }) => ROWS[fault](found),
  ),
  'hub-left-out': row(
    'warning',
    { rows: 40 },
    ({ rows }) => `${rows} rows are not imported: a history has no place for them`,
    'It holds a point and the quantiles 0.1, 0.5 and 0.9.',
  ),
} as const
