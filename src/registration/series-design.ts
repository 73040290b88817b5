import type { RulesData, SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import { originsADay } from '../inference/days.js'
import type { EwcDesign } from '../inference/ewc-judge.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { WEIGHTS, WITHOUT_OTHERS } from '../protocol/rules/weights.js'

/** The only method of version 2. Tests that do not decide have a share of alpha only where there are any. */
export const inferenceUnder = ({
  strata,
}: Pick<RulesData, 'strata'>): SeriesRegistration['inference'] => ({
  method: 'ewc-t',
  weights: strata.length > 0 ? WEIGHTS : WITHOUT_OTHERS,
})

/** With less of either, four degrees of freedom are too many: a 5 % test of 28 origins was wrong in 7 %. */
const LEAST_SERIES_BLOCKS = 10
const LEAST_SERIES_ORIGINS = 30

/** The settings of a protocol's tests in the terms of inference. */
export function seriesDesign({
  dependence,
  uncertainty,
}: Pick<SeriesProtocol, 'dependence' | 'uncertainty'>): Omit<EwcDesign, 'originsADay'> {
  return {
    blockLength: dependence.block_origins,
    minimumBlocks: dependence.minimum_blocks,
    minimumPairs: Math.max(LEAST_SERIES_ORIGINS, dependence.minimum_pairs),
    alpha: Number(uncertainty.alpha),
    leastBlocks: LEAST_SERIES_BLOCKS,
    counted: 'any',
  }
}

/** The largest number of these origins in one day. */
export const seriesOriginsADay = (
  origins: readonly number[],
  { due }: Pick<SeriesTimes, 'due'>,
): number => originsADay(origins.map(due))()

/** The origins of a window: its ends by their labels, and the count. */
export type RegisteredOrigins = Pick<SeriesRegistration['window'], 'from' | 'to' | 'origins'>
