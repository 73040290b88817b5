import type {
  EvaluationResult,
  Horizon,
  ResultBounds,
  ResultTest,
} from '../../../evaluation/result/types.js'
import { change, changeInPoints, counted, decimal, percent } from '../../../output/figures.js'
import { blockedBecause, horizonName } from '../../sentences.js'
import {
  candidatesOf,
  comparatorsOf,
  directedHorizons,
  overallAndHorizons,
  relative,
  testOf,
} from '../../view.js'
import { html, type Markup } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { boundCells, column, type Figure } from './figure.js'
import { type LegendItem, legendList } from './legend.js'
import { type ChartRow, rowChart } from './rows.js'

type Kind = 'point_loss' | 'direction_error'

/** Point losses are shown relative to the comparator, direction errors as they are. */
function shown(kind: Kind, value: number | null | undefined, test: ResultTest): number | null {
  return kind === 'point_loss' ? relative(value, test) : (value ?? null)
}

function shownBounds(
  kind: Kind,
  bounds: ResultBounds | null,
  test: ResultTest,
): ResultBounds | null {
  const lower = shown(kind, bounds?.lower, test)
  const upper = shown(kind, bounds?.upper, test)
  return lower === null || upper === null ? null : { lower, upper }
}

function rowOf(kind: Kind, label: string, test: ResultTest | undefined, asked: boolean): ChartRow {
  if (!test || test.decision === 'blocked') {
    const why = test ? blockedBecause(test.blocked_reasons) : 'not in the family'
    return {
      label,
      tone: 'open',
      point: null,
      bounds: null,
      cells: ['', test ? counted(test.effective_blocks, 'block') : ''],
      absent: asked ? `blocked: ${why}` : 'not asked: says up or down too seldom or never',
    }
  }
  const point = shown(kind, test.observed, test)
  const better = (test.observed ?? 0) < 0
  return {
    label,
    tone: test.decision === 'rejected' ? (better ? 'good' : 'bad') : 'open',
    point,
    bounds: shownBounds(kind, test.bounds, test),
    outer: shownBounds(kind, test.bounds_adjusted, test),
    cells: [
      kind === 'point_loss' ? change(point, 2) : changeInPoints(point),
      counted(test.effective_blocks, 'block'),
    ],
    absent: 'no relative figure: the comparator made no error',
  }
}

function groupsOf(result: EvaluationResult, candidate: string, kind: Kind) {
  const horizons =
    kind === 'point_loss' ? overallAndHorizons(result) : result.settings.horizons_hours
  return comparatorsOf(result).map(({ name: comparator }) => {
    const directed: readonly Horizon[] = directedHorizons(result, candidate, comparator)
    return {
      heading: `against ${comparator}`,
      rows: horizons.map((horizon) =>
        rowOf(
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

/**
 * What the scale must hold: the limits and all rows, but one hopeless comparator (a seasonal one, for
 * example) must not squeeze the others together. Beyond three times the median reach it is cut.
 */
function domain(references: readonly number[], rows: readonly ChartRow[]): number[] {
  const ends = rows.map((row) =>
    [row.point, row.bounds?.lower, row.bounds?.upper, row.outer?.lower, row.outer?.upper].filter(
      (value): value is number => typeof value === 'number',
    ),
  )
  const reaches = ends
    .filter((each) => each.length > 0)
    .map((each) => Math.max(...each.map(Math.abs)))
    .sort((a, b) => a - b)
  const median = reaches[Math.floor(reaches.length / 2)] ?? 0
  const most = Math.max(3 * median, ...references.map((one) => 1.2 * Math.abs(one)))
  return [...references, ...ends.flat().map((one) => Math.max(-most, Math.min(most, one)))]
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
    domain(
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
    legend: LEGEND,
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
      const bounds = [test.bounds, test.bounds_adjusted].map((of) => shownBounds(kind, of, test))
      return [
        [
          ...[candidate, comparator, String(horizon)],
          shown(kind, test.observed, test),
          ...bounds.flatMap(boundCells),
          ...[test.effective_blocks, test.p_adjusted, test.decision],
        ],
      ]
    }),
  )
  return {
    columns: [
      ...['candidate', 'comparator', 'horizon'].map((name) => column(name, 'text')),
      ...['difference', 'lower', 'upper'].map((name) => column(name, 'number')),
      ...['lower_adjusted', 'upper_adjusted'].map((name) => column(name, 'number')),
      column('effective_blocks', 'integer'),
      column('p_adjusted', 'number'),
      column('decision', 'text'),
    ],
    rows,
  }
}

const TONES = [
  ['open', 'not significant after Holm'],
  ['good', 'significantly better'],
  ['bad', 'significantly worse'],
] as const
const LEGEND = TONES.map(
  ([tone, means]): LegendItem => ({
    mark: html`<line class="thin" x1="1" x2="33" y1="7" y2="7"/><line class="thick" x1="8" x2="26" y1="7" y2="7"/><circle class="point" cx="17" cy="7" r="4.5"/>`,
    ...{ width: 34, tone, means },
  }),
)

/** How to read the marks of the forest charts; shown once, before the first of them. */
export function forestKey(result: EvaluationResult): Markup {
  return html`<div class="key">${legendList(LEGEND)}
<p>Thick line: ${percent(1 - result.settings.alpha, 0)} interval. Thin line: the interval at the level of the test’s own rung on the Holm ladder, by which the limits are judged. Dashed: the practical floor and the limits. An arrow: beyond the scale.</p></div>`
}
