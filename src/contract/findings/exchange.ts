import { row } from './row.js'

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
} as const
