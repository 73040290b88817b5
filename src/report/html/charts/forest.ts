import type { EvaluationResult, Horizon } from '../../../evaluation/result/types.js'
import { change, changeInPoints, decimal, percent } from '../../../output/figures.js'
import { horizonName } from '../../sentences.js'
import {
  candidatesOf,
  comparatorsOf,
  directedHorizons,
  overallAndHorizons,
  testOf,
} from '../../view.js'
import { html, type Markup } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import {
  DIFFERENCE_COLUMNS,
  DIFFERENCE_LEGEND,
  differenceCells,
  differenceDomain,
  differenceRow,
  type Kind,
} from './difference-rows.js'
import { column, type Figure } from './figure.js'
import { legendList } from './legend.js'
import { rowChart } from './rows.js'

function groupsOf(result: EvaluationResult, candidate: string, kind: Kind) {
  const horizons =
    kind === 'point_loss' ? overallAndHorizons(result) : result.settings.horizons_hours
  return comparatorsOf(result).map(({ name: comparator }) => {
    const directed: readonly Horizon[] = directedHorizons(result, candidate, comparator)
    return {
      heading: `against ${comparator}`,
      rows: horizons.map((horizon) =>
        differenceRow(
          kind,
          horizonName(horizon),
          testOf(result, { candidate, comparator, measure: kind, horizon }),
          kind === 'point_loss' || directed.includes(horizon),
        ),
      ),
    }
  })
}

const WORDS = {
  point_loss: {
    title: (candidate: string) => `${candidate}: difference in loss`,
    axis: {
      wide: 'candidate minus comparator, in per cent of the comparator’s loss (left is better)',
      narrow: '% of the comparator’s loss (left is better)',
    },
  },
  direction_error: {
    title: (candidate: string) => `${candidate}: difference in direction error`,
    axis: {
      wide: 'candidate minus comparator, in percentage points (left is better)',
      narrow: 'percentage points (left is better)',
    },
  },
}

function referencesOf(result: EvaluationResult, kind: Kind) {
  const { practical_effect_floor, regression_limit, direction_limit } = result.settings
  const limit = (at: number, label: string) => ({ at, label, kind: 'limit' as const })
  const zero = { at: 0, label: 'no difference', kind: 'zero' as const }
  if (kind === 'direction_error') {
    return [zero, limit(direction_limit, `limit ${changeInPoints(direction_limit)}`)]
  }
  return [
    limit(-practical_effect_floor, `floor ${percent(-practical_effect_floor)}`),
    zero,
    limit(regression_limit, `limit ${change(regression_limit)}`),
  ]
}

const FILE = { point_loss: 'difference', direction_error: 'direction' } as const
const ID = { point_loss: 'forest', direction_error: 'direction' } as const

/**
 * One candidate against every comparator: differences with their intervals and the limits.
 * @param index - place of the candidate among all of them, from 0.
 */
export function forestFigure(result: EvaluationResult, index: number, kind: Kind): Figure {
  const candidate = candidatesOf(result)[index]?.name ?? ''
  const groups = groupsOf(result, candidate, kind)
  const references = referencesOf(result, kind)
  const rows = groups.flatMap((group) => group.rows)
  const scale = linear(
    differenceDomain(
      references.map((reference) => reference.at),
      rows,
    ),
    9,
  )
  const said = groups.map((group) => `${group.heading} ${group.rows[0]?.cells[0] || 'blocked'}`)
  return {
    id: `${ID[kind]}-${index}`,
    // A name may hold anything and be long; its place is its own.
    file: `${FILE[kind]}-${index + 1}`,
    title: WORDS[kind].title(candidate),
    description: `Differences to each comparator with intervals. ${kind === 'point_loss' ? 'Overall' : horizonName(result.settings.horizons_hours[0] ?? 'all')}: ${said.join(', ')}.`,
    data: forestData(result, candidate, kind),
    legend: DIFFERENCE_LEGEND,
    legendApart: true,
    draw: (layout) =>
      rowChart(
        {
          scale,
          tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
          axis: WORDS[kind].axis,
          references,
          columns: ['difference', 'evidence'],
          groups,
        },
        layout,
      ),
  }
}

function forestData(result: EvaluationResult, candidate: string, kind: Kind): Figure['data'] {
  const horizons =
    kind === 'point_loss' ? overallAndHorizons(result) : result.settings.horizons_hours
  const rows = comparatorsOf(result).flatMap(({ name: comparator }) =>
    horizons.flatMap((horizon) => {
      const test = testOf(result, { candidate, comparator, measure: kind, horizon })
      if (!test) return []
      return [[candidate, comparator, String(horizon), ...differenceCells(kind, test)]]
    }),
  )
  return {
    columns: [
      ...['candidate', 'comparator', 'horizon'].map((name) => column(name, 'text')),
      ...DIFFERENCE_COLUMNS,
    ],
    rows,
  }
}

/** How to read the marks of the forest charts; shown once, before the first of them. */
export function forestKey(result: EvaluationResult): Markup {
  return html`<div class="key">${legendList(DIFFERENCE_LEGEND)}
<p>Thick line: ${percent(1 - result.settings.alpha, 0)} interval. Thin line: the interval at the level of the test’s own rung on the Holm ladder, by which the limits are judged. Dashed: the practical floor and the limits. An arrow: beyond the scale.</p></div>`
}
