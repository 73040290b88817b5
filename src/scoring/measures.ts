import type { RulesData } from '../contract/types.js'
import { hasHypotheses } from '../protocol/rules/bind.js'
import { logReturnBias, percentBias } from './bias.js'
import { absolutePercentError } from './percent-error.js'
import type { SeriesScale } from './scales.js'
import { listScores, type Measure } from './scores.js'
import { width, widthPercent } from './width.js'

/** The bounds among the quantiles at 0.1, 0.5 and 0.9. */
const [LOWER, UPPER] = [0, 2] as const

/**
 * Measures of hourly closes that are shown beside the scores and never tested, each defined in its own file.
 */
const SHOWN: readonly Measure[] = [
  {
    id: 'absolute_percent_error',
    of: (value, _, outcome) => absolutePercentError(value, outcome),
  },
  { id: 'log_return_bias', of: (value, _, outcome) => logReturnBias(value, outcome) },
  { id: 'percent_bias', of: (value, _, outcome) => percentBias(value, outcome) },
  { id: 'width', of: (_, quantiles) => width(quantiles[LOWER]!, quantiles[UPPER]!) },
  {
    id: 'width_percent',
    of: (_, quantiles, __, ___, base) => widthPercent(quantiles[LOWER]!, quantiles[UPPER]!, base),
  },
]

/** Everything that is measured of a forecast: the scores of the rules, then what is only shown. */
export function listMeasures(
  rules: Pick<RulesData, 'scores' | 'forecast' | 'series' | 'periods' | 'weights'>,
  scales: readonly SeriesScale[],
): readonly Measure[] {
  const scores: Measure[] = listScores(rules, scales)
  // Silence is charged where a verdict rests on one hypothesis.
  const charged = hasHypotheses(rules) ? scores : scores.map(({ id, of }) => ({ id, of }))
  return rules.periods.kind === 'hours' ? [...charged, ...SHOWN] : charged
}
