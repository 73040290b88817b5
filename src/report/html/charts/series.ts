import type { SeriesEvaluationResult } from '../../../evaluation/result/types.js'
import { horizonName } from '../../sentences.js'
import { candidatesOf, comparatorsOf, lossTest, overallAndHorizons } from '../../view.js'
import {
  DIFFERENCE_COLUMNS,
  DIFFERENCE_LEGEND,
  differenceRow,
  drawDifferences,
  lossReferences,
  shownDifference,
} from './difference.js'
import { csvOf, type Figure } from './figure.js'

/**
 * One candidate against every comparator, overall and by horizon or by group: differences of the score that decides
 * as shares of the comparator's mean, with their intervals and the limits.
 * @param index - place of the candidate among all of them, from 0.
 */
function seriesForest(
  result: SeriesEvaluationResult,
  index: number,
  by: 'horizon' | 'group',
): Figure {
  const candidate = candidatesOf(result)[index]?.name ?? ''
  const rows =
    by === 'horizon'
      ? overallAndHorizons(result).map((horizon) => {
          return { label: horizonName(result, horizon), horizon, group: 'all' }
        })
      : result.settings.groups.map((group) => {
          return { label: group, horizon: 'overall' as const, group }
        })
  const all = comparatorsOf(result).map(({ name }) => ({
    heading: `against ${name}`,
    tests: rows.map(({ label, horizon, group }) => ({
      label,
      test: lossTest(result, candidate, name, horizon, group),
    })),
  }))
  const groups = all.map(({ heading, tests }) => ({
    heading,
    rows: tests.map(({ label, test }) => differenceRow('point_loss', label, test)),
  }))
  const said = groups.map((group) => `${group.heading} ${group.rows[0]?.cells[0] || 'blocked'}`)
  return {
    file: `difference-${by === 'group' ? 'groups-' : ''}${index + 1}`,
    title: `${candidate}: difference in loss by ${by}`,
    description: `Differences to each comparator with intervals. ${groups[0]?.rows[0]?.label}: ${said.join(', ')}.`,
    drawing: drawDifferences('point_loss', lossReferences(result), groups),
    csv: csvOf(
      ['candidate', 'comparator', 'horizon', 'group', ...DIFFERENCE_COLUMNS],
      all.flatMap(({ tests }) =>
        tests.flatMap(({ test }) =>
          test && 'group' in test
            ? { ...shownDifference('point_loss', test), group: test.group }
            : [],
        ),
      ),
    ),
    legend: DIFFERENCE_LEGEND,
    legendApart: true,
  }
}

/** The differences of every candidate: by horizon and, where groups are registered, by group. */
export function seriesForests(result: SeriesEvaluationResult): Figure[] {
  return candidatesOf(result).flatMap((_, index) => [
    seriesForest(result, index, 'horizon'),
    ...(result.settings.groups.length > 0 ? [seriesForest(result, index, 'group')] : []),
  ])
}
