import type { StratumDefinition } from '../../contract/types.js'
import {
  type ComparisonTest,
  familySeries,
  type ScoredCell,
  type SeriesTest,
} from '../../inference/family-series.js'
import { Memberships } from '../../pairing/memberships.js'
import { buildStrata } from '../../registration/strata.js'
import { lossColumns } from '../../scoring/columns.js'
import type { ScoredPairs } from '../../scoring/types.js'
import { closeAt, type Market } from './market.js'

/** A registered design, as far as its tests follow from it. */
export interface MadeDesign {
  readonly tests: readonly ComparisonTest[]
  readonly horizons: readonly number[]
  readonly strata: readonly StratumDefinition[]
  /** Half width of the band without direction, in log returns. */
  readonly epsilon: number
}

/**
 * The series of a registered family over made forecasts: from the forecasts on, everything is
 * scored as in an evaluation.
 *
 * @param models forecasts by horizon, for every candidate and comparator that a test names
 */
export function madeFamily(
  market: Market,
  models: ReadonlyMap<string, ReadonlyMap<number, ScoredPairs>>,
  { tests, horizons, strata, epsilon }: MadeDesign,
): SeriesTest[] {
  const cells = new Map<string, ScoredCell>()
  for (const [model, forecasts] of models) {
    for (const [horizon, pairs] of forecasts) {
      cells.set(`${horizon} ${model}`, { pairs, columns: lossColumns(pairs, epsilon) })
    }
  }
  const sources = { closeAt: (instant: number) => closeAt(market.closes, instant) }
  const memberships = new Memberships(
    buildStrata(strata, sources),
    market.firstOrigin,
    market.origins,
  )
  const cellOf = (model: string, horizon: number) => cells.get(`${horizon} ${model}`) as ScoredCell
  return familySeries(tests, horizons, cellOf, memberships)
}
