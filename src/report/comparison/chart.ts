import type { EvaluationResult, Horizon } from '../../evaluation/result/types.js'
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
import { HOURLY, horizonName } from '../sentences.js'
import { groupedBy, lossTest, rivalsOf } from '../view.js'
import type { Compared } from './comparable.js'

/** The difference of every candidate to every comparator, one evaluation per row. */
export function differencesFigure(all: readonly Compared[], horizon: Horizon): Figure {
  const tested = all.flatMap((one) =>
    rivalsOf(one.result).flatMap((rivals) => {
      const test = lossTest(one.result, rivals, horizon)
      const heading = `${rivals.candidate} against ${rivals.comparator}`
      return test ? [{ ...one, test, heading }] : []
    }),
  )
  const groups = [...groupedBy(tested, ({ heading }) => heading)].map(([heading, own]) => ({
    heading,
    rows: own.map(({ label, test }) => differenceRow('point_loss', label, test)),
  }))
  return {
    file: `difference-${horizon === 'overall' ? horizon : `${horizon}h`}`,
    title: `Difference in loss: ${horizonName(HOURLY, horizon)}`,
    description: `For each candidate and comparator a row for every evaluation that tested them, with its intervals. ${tested.length} rows.`,
    drawing: drawDifferences('point_loss', referencesOf(all), groups),
    csv: csvOf(
      [
        ...(['evaluation', 'registration', 'candidate', 'comparator', 'horizon'] as const),
        ...DIFFERENCE_COLUMNS,
      ],
      tested.map(({ number, result, test }) => ({
        ...shownDifference('point_loss', test),
        evaluation: number,
        registration: result.inputs.registration.name,
      })),
    ),
    legend: DIFFERENCE_LEGEND,
  }
}

/** The line of no difference, and floor and limit if all evaluations have the same. */
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
