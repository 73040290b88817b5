import type { EvaluationResult, Horizon, ResultStratum } from '../../evaluation/result/types.js'
import {
  DIFFERENCE_COLUMNS,
  DIFFERENCE_LEGEND,
  differenceRow,
  drawDifferences,
  floorLine,
  NO_DIFFERENCE,
  regressionLine,
  shownDifference,
} from '../html/charts/difference.js'
import { csvOf, type Figure } from '../html/charts/figure.js'
import { drawLosses, LOSS_COLUMNS, LOSS_LEGEND, lossOf, lossRow } from '../html/charts/loss.js'
import { HOURLY, horizonName, stratumName } from '../sentences.js'
import { measuresOf, testOf } from '../view.js'
import { type Compared, pairsOf } from './compared.js'

/** Where a chart is taken: at a horizon and in a level of a stratum. */
interface Place {
  readonly horizon: Horizon
  readonly stratum: ResultStratum
  /** The name of the files. */
  readonly file: string
}

const EVALUATION = ['evaluation', 'registration'] as const
const named = ({ number, result }: Compared) => ({
  evaluation: number,
  registration: result.inputs.registration.name,
})

/** The difference of every candidate to every comparator, an evaluation a row. */
export function differencesFigure(all: readonly Compared[], place: Place): Figure {
  const { horizon, stratum } = place
  const within = stratum === 'all' ? { name: null, level: null } : stratum
  const pairs = pairsOf(all).map((pair) => ({
    heading: `${pair.candidate} against ${pair.comparator}`,
    tests: all.flatMap((one) => {
      const test = testOf(one.result, { ...pair, ...place, measure: 'point_loss' })
      return test ? [{ one, test }] : []
    }),
  }))
  const groups = pairs
    .filter(({ tests }) => tests.length > 0)
    .map(({ heading, tests }) => ({
      heading,
      rows: tests.map(({ one, test }) => differenceRow('point_loss', one.label, test)),
    }))
  const where =
    stratum === 'all'
      ? horizonName(HOURLY, horizon)
      : `${horizonName(HOURLY, horizon)}, ${stratumName(stratum)}`
  return {
    file: place.file,
    title: `Difference in loss: ${where}`,
    description: `For each candidate and comparator a row for every evaluation that tested them, with its intervals. ${groups.flatMap(({ rows }) => rows).length} rows.`,
    drawing: drawDifferences('point_loss', referencesOf(all), groups),
    csv: csvOf(
      [
        ...EVALUATION,
        'candidate',
        'comparator',
        'horizon',
        'stratum',
        'level',
        ...DIFFERENCE_COLUMNS,
      ],
      pairs.flatMap(({ tests }) =>
        tests.map(({ one, test }) => ({
          ...shownDifference('point_loss', test),
          ...named(one),
          stratum: within.name,
          level: within.level,
        })),
      ),
    ),
    legend: DIFFERENCE_LEGEND,
  }
}

/** No difference, and the floor and the limit where all evaluations have the same. */
function referencesOf(all: readonly Compared[]) {
  const common = (value: (of: EvaluationResult['settings']) => number) => {
    const found = [...new Set(all.map(({ result }) => value(result.settings)))]
    return found.length === 1 ? found : []
  }
  return [
    NO_DIFFERENCE,
    ...common((of) => of.practical_effect_floor).map(floorLine),
    ...common((of) => of.regression_limit).map(regressionLine),
  ]
}

/** Every model's own loss, an evaluation a row. */
export function lossesFigure(all: readonly Compared[], horizon: Horizon, file: string): Figure {
  const models = [...new Set(all.flatMap(({ result }) => result.models.map(({ name }) => name)))]
  const groups = models.map((heading) => ({
    heading,
    losses: all.flatMap((one) => {
      const own = one.result.models.find(({ name }) => name === heading)
      if (!own || !measuresOf(one.result, heading, horizon)) return []
      return [{ one, ...lossOf(one.result, own, horizon) }]
    }),
  }))
  return {
    file,
    title: `Loss of each model: ${horizonName(HOURLY, horizon)}`,
    description:
      'For each model a row for every evaluation, with its mean absolute log-return error and interval.',
    drawing: drawLosses(
      groups.map(({ heading, losses }) => ({
        heading,
        rows: losses.map(({ one, ...of }) => lossRow(one.label, of)),
      })),
    ),
    csv: csvOf(
      [...EVALUATION, ...LOSS_COLUMNS],
      groups.flatMap(({ losses }) => losses.map(({ one, ...of }) => ({ ...named(one), ...of }))),
    ),
    legend: LOSS_LEGEND,
  }
}
