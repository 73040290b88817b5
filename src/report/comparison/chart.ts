import type { Result, StepOrAll } from '../../evaluation/result/types.js'
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
import { stepName } from '../sentences.js'
import { groupedBy, lossTest, rivalsIn } from '../view.js'
import type { Compared } from './comparable.js'

/** The difference of every candidate to every comparator, one evaluation per row. */
export function differencesFigure(all: readonly Compared[], step: StepOrAll): Figure {
  const tested = all.flatMap((one) =>
    rivalsIn(one.result).flatMap((rivals) => {
      const test = lossTest(one.result, rivals, step)
      const heading = `${rivals.candidate} against ${rivals.comparator}`
      return test ? [{ ...one, test, heading }] : []
    }),
  )
  const groups = [...groupedBy(tested, ({ heading }) => heading)].map(([heading, own]) => ({
    heading,
    rows: own.map(({ label, test }) => differenceRow('loss', label, test)),
  }))
  return {
    file: `difference-${step}`,
    title: `Difference in loss: ${stepName(all[0]!.result, step)}`,
    description: `For each candidate and comparator a row for every evaluation that tested them, with its intervals. ${tested.length} rows.`,
    drawing: drawDifferences('loss', referencesOf(all), groups),
    csv: csvOf(
      [
        ...(['evaluation', 'registration', 'candidate', 'comparator', 'step'] as const),
        ...DIFFERENCE_COLUMNS,
      ],
      tested.map(({ number, result, test }) => ({
        ...shownDifference('loss', test),
        evaluation: number,
        registration: result.inputs.registration.name,
      })),
    ),
    legend: DIFFERENCE_LEGEND,
  }
}

/** The line of no difference, and floor and limit if all evaluations have the same. */
function referencesOf(all: readonly Compared[]) {
  const common = (value: (of: Result['settings']['rules']['limits']) => number) => {
    const found = [...new Set(all.map(({ result }) => value(result.settings.rules.limits)))]
    return found.length === 1 ? found : []
  }
  return [
    NO_DIFFERENCE,
    ...common((of) => of.practical_effect).map(floorLine),
    ...common((of) => of.harm).map(regressionLine),
  ]
}
