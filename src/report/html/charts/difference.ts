import { relative } from '../../../evaluation/result/readings.js'
import type { AnyResult, EvaluationResult, Horizon } from '../../../evaluation/result/types.js'
import { change, changeInPoints, decimal, percent, whole } from '../../../output/figures.js'
import { hasVerdict } from '../../../registration/family.js'
import { blockedBecause, horizonName } from '../../sentences.js'
import {
  type AnyTest,
  candidatesOf,
  comparatorsOf,
  directedHorizons,
  nominalIn,
  overallAndHorizons,
  testOf,
  toneOf,
} from '../../view.js'
import { html, type Markup } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { csvOf, type Drawing, type Figure, type LegendItem, legendList } from './figure.js'
import { type ChartGroup, type ChartRow, type Reference, rowChart } from './rows.js'

/** The measures whose differences are drawn. */
export type Kind = 'point_loss' | 'direction_error'

/** Point losses are shown relative to the comparator, direction errors as they are. */
export function shownDifference(kind: Kind, test: AnyTest) {
  const shown = (value: number | null | undefined) =>
    kind === 'point_loss' ? relative(value, test) : (value ?? null)
  return {
    ...test,
    horizon: String(test.horizon),
    difference: shown(test.observed),
    lower: shown(test.bounds?.lower),
    upper: shown(test.bounds?.upper),
    lower_adjusted: shown(test.bounds_adjusted?.lower),
    upper_adjusted: shown(test.bounds_adjusted?.upper),
  }
}

/** The columns of what a row draws. */
export const DIFFERENCE_COLUMNS = [
  'difference',
  'lower',
  'upper',
  'lower_adjusted',
  'upper_adjusted',
  'effective_blocks',
  'p_adjusted',
  'decision',
] as const

/** A test as a row of a forest. */
export function differenceRow(
  kind: Kind,
  label: string,
  test: AnyTest | undefined,
  asked = true,
): ChartRow {
  const none = { lower: null, upper: null }
  if (!test || test.decision === 'blocked') {
    const why = test ? blockedBecause(test.blocked_reasons) : 'not in the family'
    const absent = asked ? `blocked: ${why}` : 'not asked: says up or down too seldom'
    return { label, tone: 'open', point: null, bounds: none, cells: [], absent }
  }
  const { difference, lower, upper, ...shown } = shownDifference(kind, test)
  return {
    label,
    tone: toneOf(test),
    point: difference,
    bounds: { lower, upper },
    outer: { lower: shown.lower_adjusted, upper: shown.upper_adjusted },
    cells: [
      kind === 'point_loss' ? change(difference, 2) : changeInPoints(difference),
      whole(test.effective_blocks),
    ],
    absent: 'no relative figure: the comparator made no error',
  }
}

const AXIS = {
  point_loss: '% of the comparator’s loss (left is better)',
  direction_error: 'percentage points (left is better)',
}

/** Differences on one scale with the limits. */
export function drawDifferences(
  kind: Kind,
  references: readonly Reference[],
  groups: readonly ChartGroup[],
): Drawing {
  const rows = groups.flatMap((group) => group.rows)
  const scale = linear(differenceDomain(references, rows), 9)
  return rowChart({
    scale,
    tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
    axis: AXIS[kind],
    references,
    columns: ['difference', 'blocks'],
    groups,
  })
}

/**
 * What the scale must hold: the references and all rows, but one hopeless comparator (a seasonal one, for
 * example) must not squeeze the others together. Beyond three times the median reach it is cut.
 */
function differenceDomain(references: readonly Reference[], rows: readonly ChartRow[]): number[] {
  const ends = rows.map(({ point, bounds, outer }) =>
    [point, bounds.lower, bounds.upper, outer?.lower, outer?.upper].filter(
      (value): value is number => typeof value === 'number',
    ),
  )
  const reaches = ends
    .filter((each) => each.length > 0)
    .map((each) => Math.max(...each.map(Math.abs)))
    .sort((a, b) => a - b)
  const median = reaches[Math.floor(reaches.length / 2)] ?? 0
  const places = references.map((reference) => reference.at)
  const most = Math.max(3 * median, ...places.map((one) => 1.2 * Math.abs(one)))
  return [...places, ...ends.flat().map((one) => Math.max(-most, Math.min(most, one)))]
}

const TONES = [
  ['open', 'not significant after Holm'],
  ['good', 'significantly better'],
  ['bad', 'significantly worse'],
] as const

/** What the colours of the rows mean. */
export const DIFFERENCE_LEGEND = TONES.map(
  ([tone, means]): LegendItem => ({
    mark: html`<line class="thin" x1="1" x2="33" y1="7" y2="7"/><line class="thick" x1="8" x2="26" y1="7" y2="7"/><circle class="point" cx="17" cy="7" r="4.5"/>`,
    width: 34,
    tone,
    means,
  }),
)

export const NO_DIFFERENCE: Reference = { at: 0, label: 'no difference', kind: 'zero' }
export const floorLine = (floor: number): Reference => ({
  at: -floor,
  label: `floor ${percent(-floor)}`,
  kind: 'limit',
})
export const regressionLine = (limit: number): Reference => ({
  at: limit,
  label: `limit ${change(limit)}`,
  kind: 'limit',
})

/** Floor and limit of losses. */
export function lossReferences({ settings }: AnyResult): Reference[] {
  const { practical_effect_floor: floor, regression_limit: limit } = settings
  return [floorLine(floor), NO_DIFFERENCE, regressionLine(limit)]
}

function referencesOf(result: EvaluationResult, kind: Kind): Reference[] {
  if (kind === 'point_loss') return lossReferences(result)
  const { settings } = result
  const at = settings.direction_limit
  return [NO_DIFFERENCE, { at, label: `limit ${changeInPoints(at)}`, kind: 'limit' }]
}

/**
 * One candidate against every comparator: differences with their intervals and the limits.
 * @param index - place of the candidate among all of them, from 0.
 */
export function forestFigure(result: EvaluationResult, index: number, kind: Kind): Figure {
  const candidate = candidatesOf(result)[index]?.name ?? ''
  const isLoss = kind === 'point_loss'
  const horizons = isLoss ? overallAndHorizons(result) : result.settings.horizons_hours
  const all = comparatorsOf(result).map(({ name: comparator }) => ({
    comparator,
    tests: horizons.map((horizon) => ({
      horizon,
      test: testOf(result, { candidate, comparator, measure: kind, horizon }),
    })),
  }))
  const groups = all.map(({ comparator, tests }) => {
    const directed: readonly Horizon[] = directedHorizons(result, candidate, comparator)
    return {
      heading: `against ${comparator}`,
      rows: tests.map(({ horizon, test }) =>
        differenceRow(
          kind,
          horizonName(result, horizon),
          test,
          isLoss || directed.includes(horizon),
        ),
      ),
    }
  })
  const said = groups.map((group) => `${group.heading} ${group.rows[0]?.cells[0] || 'blocked'}`)
  return {
    // A name may hold anything and be long; its place is its own.
    file: `${isLoss ? 'difference' : 'direction'}-${index + 1}`,
    title: `${candidate}: difference in ${isLoss ? 'loss' : 'direction error'}`,
    description: `Differences to each comparator with intervals. ${isLoss ? 'Overall' : horizonName(result, horizons[0] ?? 'all')}: ${said.join(', ')}.`,
    drawing: drawDifferences(kind, referencesOf(result, kind), groups),
    csv: csvOf(
      ['candidate', 'comparator', 'horizon', ...DIFFERENCE_COLUMNS],
      all.flatMap(({ tests }) =>
        tests.flatMap(({ test }) => (test ? shownDifference(kind, test) : [])),
      ),
    ),
    legend: DIFFERENCE_LEGEND,
    legendApart: true,
  }
}

/** How to read the marks of the forest charts; shown once, before the first of them. */
export function forestKey(result: AnyResult): Markup {
  return html`<div class="key">${legendList(DIFFERENCE_LEGEND)}
<p>Thick line: ${nominalIn(result)} interval. Thin line: ${
    hasVerdict(result.settings)
      ? 'bounds at the level of the step that the test has on the Holm ladder; they carry no verdict'
      : 'the interval at the level of the test’s own rung on the Holm ladder, by which the limits are judged'
  }. Dashed: the practical floor and the limits. An arrow: beyond the scale. Blocks: those that hold a pair.</p></div>`
}
