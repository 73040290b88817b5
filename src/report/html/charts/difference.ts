import { relative } from '../../../evaluation/result/readings.js'
import type { Result, ResultTest } from '../../../evaluation/result/result.js'
import {
  changeInPoints,
  decimal,
  formatWhole,
  percent,
  signedPercent,
} from '../../../output/figures.js'
import { blockedBecause, stepName, TOO_FEW } from '../../sentences.js'
import {
  candidatesIn,
  comparatorsIn,
  directedSteps,
  directionIn,
  isDecided,
  lossTest,
  nominalIn,
  overallAndSteps,
  type Part,
  partsIn,
  stepsIn,
  testIn,
  testTone,
} from '../../view.js'
import { isWaitingCharged } from '../../waiting.js'
import { html, type Markup } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { cumulativeFigure } from './cumulative.js'
import {
  type Drawing,
  drawLegendItem,
  type Figure,
  figureCsv,
  legendList,
  makeOpener,
} from './figure.js'
import { type ChartGroup, type ChartRow, drawRowChart, type Reference } from './row-chart.js'

/** What is drawn: losses relative to the comparator, direction errors as they are. */
export type Kind = 'loss' | 'direction'

export function shownDifference(kind: Kind, test: ResultTest) {
  const shown = (value: number | null | undefined) =>
    kind === 'loss' ? relative(value, test) : (value ?? null)
  return {
    ...test,
    step: String(test.step),
    difference: shown(test.observed),
    lower: shown(test.bounds?.lower),
    upper: shown(test.bounds?.upper),
    lower_adjusted: shown(test.bounds_adjusted?.lower),
    upper_adjusted: shown(test.bounds_adjusted?.upper),
  }
}

/** The columns of a row's CSV. */
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
  test: ResultTest | undefined,
  asked = true,
): ChartRow {
  const none = { lower: null, upper: null }
  if (!test || test.decision === 'blocked') {
    const why = test ? blockedBecause(test.blocked_reasons) : 'not in the family'
    const absent = asked ? `blocked: ${why}` : `not asked: it predicts up or down ${TOO_FEW}`
    return { label, tone: 'open', point: null, bounds: none, cells: [], absent }
  }
  const { difference, lower, upper, ...shown } = shownDifference(kind, test)
  return {
    label,
    tone: testTone(test),
    point: difference,
    bounds: { lower, upper },
    outer: { lower: shown.lower_adjusted, upper: shown.upper_adjusted },
    cells: [
      kind === 'loss' ? signedPercent(difference, 2) : changeInPoints(difference),
      formatWhole(test.effective_blocks),
    ],
    absent: 'no relative figure: the comparator made no error',
  }
}

const AXIS = {
  loss: '% of the comparator’s loss (left is better)',
  direction: 'percentage points (left is better)',
}

/** Draws differences on one scale with the limits. */
export function drawDifferences(
  kind: Kind,
  references: readonly Reference[],
  groups: readonly ChartGroup[],
): Drawing {
  const rows = groups.flatMap((group) => group.rows)
  const scale = linear(differenceDomain(references, rows), 9)
  return drawRowChart({
    scale,
    tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
    axis: AXIS[kind],
    references,
    columns: ['difference', 'blocks'],
    groups,
  })
}

/**
 * The range of the scale: the references and all rows. A comparator with very large differences (a seasonal one, for
 * example) must not compress the others, so rows are cut beyond three times the median reach.
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
  const positions = references.map((reference) => reference.at)
  const farthest = Math.max(3 * median, ...positions.map((one) => 1.2 * Math.abs(one)))
  return [...positions, ...ends.flat().map((one) => Math.max(-farthest, Math.min(farthest, one)))]
}

const MARK = html`<line class="thin" x1="1" x2="33" y1="7" y2="7"/><line class="thick" x1="8" x2="26" y1="7" y2="7"/><circle class="point" cx="17" cy="7" r="4.5"/>`
/** The meaning of the row colours. */
export const DIFFERENCE_LEGEND = [
  drawLegendItem(MARK, 34, 'not significant after Holm', 'open'),
  drawLegendItem(MARK, 34, 'significantly better', 'good'),
  drawLegendItem(MARK, 34, 'significantly worse', 'bad'),
]

export const NO_DIFFERENCE: Reference = { at: 0, label: 'no difference', kind: 'zero' }
export const floorLine = (floor: number): Reference => ({
  at: -floor,
  label: `floor ${percent(-floor)}`,
  kind: 'limit',
})
export const regressionLine = (limit: number): Reference => ({
  at: limit,
  label: `limit ${signedPercent(limit)}`,
  kind: 'limit',
})

function referencesIn({ settings }: Result, kind: Kind): Reference[] {
  const { direction, practical_effect: floor, harm } = settings.rules.limits
  if (kind === 'loss') return [floorLine(floor), NO_DIFFERENCE, regressionLine(harm)]
  if (direction === null) return [NO_DIFFERENCE]
  return [
    NO_DIFFERENCE,
    { at: direction, label: `limit ${changeInPoints(direction)}`, kind: 'limit' },
  ]
}

interface Forest {
  /** Contains the candidate's position, because its name may be long and hold any character. */
  readonly file: string
  readonly title: string
  readonly kind: Kind
  /** Number of rows in the previous charts. */
  readonly before?: number
  /** The rows against a comparator. */
  readonly listRows: (comparator: string) => readonly {
    readonly label: string
    readonly test: ResultTest | undefined
    readonly asked?: boolean
  }[]
}

/** What decides stays open up to this number of rows, over all candidates. */
const MOST_OPEN = 20

/** One candidate against every comparator: differences with their intervals and the limits. */
function forestFigure(result: Result, { file, title, kind, before = 0, listRows }: Forest): Figure {
  const all = comparatorsIn(result).map((comparator) => ({
    heading: `against ${comparator}`,
    rows: listRows(comparator),
  }))
  const groups = all.map(({ heading, rows }) => ({
    heading,
    rows: rows.map(({ label, test, asked }) => differenceRow(kind, label, test, asked)),
  }))
  const count = groups.flatMap(({ rows }) => rows).length
  const descriptions = groups.map(
    ({ heading, rows }) => `${heading} ${rows[0]?.cells[0] || 'blocked'}`,
  )
  return {
    file,
    title,
    ...makeOpener(title, count, before + count > MOST_OPEN),
    description: `Differences to each comparator with intervals; ${all[0]?.rows[0]?.label ?? 'overall'}: ${descriptions.join(', ')}.`,
    drawing: drawDifferences(kind, referencesIn(result, kind), groups),
    csv: figureCsv(
      ['candidate', 'comparator', 'step', 'scope', ...DIFFERENCE_COLUMNS],
      all.flatMap(({ rows }) =>
        rows.flatMap(({ test }) => (test ? shownDifference(kind, test) : [])),
      ),
    ),
    legend: DIFFERENCE_LEGEND,
    legendApart: true,
  }
}

/** For one candidate: loss by step and by part, direction, and how the difference in loss developed. */
function listFigures(result: Result, candidate: string, index: number): Figure[] {
  const steps = overallAndSteps(result)
  const groups = partsIn(result).filter(({ of }) => of === 'group')
  const comparators = comparatorsIn(result).length
  const before = (index - 1) * comparators * (steps.length + groups.length)
  const bySteps = forestFigure(result, {
    ...{ before, file: `difference-${index}`, kind: 'loss' },
    title: `${candidate}: difference in loss`,
    listRows: (comparator) =>
      steps.map((step) => {
        return {
          label: stepName(result, step),
          test: lossTest(result, { candidate, comparator }, step),
        }
      }),
  })
  return [
    bySteps,
    ...byGroups(result, candidate, index, groups, before + comparators * steps.length),
    ...directions(result, candidate, index),
    ...[cumulativeFigure(result, candidate, index) ?? []].flat(),
  ]
}

function byGroups(
  result: Result,
  candidate: string,
  index: number,
  groups: readonly Part[],
  before: number,
): Figure[] {
  if (groups.length === 0) return []
  const figure = forestFigure(result, {
    ...{ before, file: `difference-groups-${index}`, kind: 'loss' },
    title: `${candidate}: difference in loss by group`,
    listRows: (comparator) =>
      groups.map(({ label, scope }) => {
        return { label, test: lossTest(result, { candidate, comparator }, 'overall', scope) }
      }),
  })
  return [figure]
}

function directions(result: Result, candidate: string, index: number): Figure[] {
  const direction = directionIn(result)
  if (direction === undefined) return []
  const figure = forestFigure(result, {
    ...{ file: `direction-${index}`, kind: 'direction' },
    title: `${candidate}: difference in direction error`,
    listRows: (comparator) => {
      const directed = directedSteps(result, { candidate, comparator })
      return stepsIn(result).map((step) => ({
        label: stepName(result, step),
        test: testIn(result, { candidate, comparator, score: direction.id, step }),
        asked: directed.includes(step),
      }))
    },
  })
  return [figure]
}

/** The charts of every candidate against the comparators. */
export const differenceFigures = (result: Result): Figure[] =>
  candidatesIn(result).flatMap((candidate, index) => listFigures(result, candidate, index + 1))

/** How to read the marks of the forest charts; shown once, before the first one. */
export function forestKey(result: Result): Markup {
  return html`<div class="key">${legendList(DIFFERENCE_LEGEND)}
<p>Thick line: ${nominalIn(result)} interval. Thin line: ${
    isDecided(result)
      ? 'bounds at the level of the step that the test has on the Holm ladder; they carry no verdict'
      : 'the interval at the level of the test’s own rung on the Holm ladder'
  }.</p>
<p>Dashed: the practical floor${isWaitingCharged(result) && ', to which the charge for waiting is added,'} and the limits. An arrow lies beyond the scale; blocks are those that hold a pair.</p></div>`
}
