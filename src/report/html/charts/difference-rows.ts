import type { ResultBounds, ResultTest } from '../../../evaluation/result/types.js'
import { change, changeInPoints, counted } from '../../../output/figures.js'
import { blockedBecause } from '../../sentences.js'
import { relative } from '../../view.js'
import { html } from '../markup.js'
import { boundCells, column } from './figure.js'
import type { LegendItem } from './legend.js'
import type { ChartRow } from './rows.js'

/** The measures whose differences are drawn. */
export type Kind = 'point_loss' | 'direction_error'

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

/** A test as a row of a forest. */
export function differenceRow(
  kind: Kind,
  label: string,
  test: ResultTest | undefined,
  asked = true,
): ChartRow {
  if (!test || test.decision === 'blocked') {
    const why = test ? blockedBecause(test.blocked_reasons) : 'not in the family'
    return {
      label,
      tone: 'open',
      point: null,
      bounds: null,
      cells: ['', test ? counted(test.effective_blocks, 'block') : ''],
      absent: asked ? `blocked: ${why}` : 'not asked: says up or down too seldom',
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

/** The columns of what a row draws; `differenceCells` are its cells. */
export const DIFFERENCE_COLUMNS = [
  ...['difference', 'lower', 'upper'].map((name) => column(name, 'number')),
  ...['lower_adjusted', 'upper_adjusted'].map((name) => column(name, 'number')),
  column('effective_blocks', 'integer'),
  column('p_adjusted', 'number'),
  column('decision', 'text'),
]

export function differenceCells(kind: Kind, test: ResultTest) {
  const bounds = [test.bounds, test.bounds_adjusted].map((of) => shownBounds(kind, of, test))
  return [
    shown(kind, test.observed, test),
    ...bounds.flatMap(boundCells),
    ...[test.effective_blocks, test.p_adjusted, test.decision],
  ]
}

/**
 * What the scale must hold: the references and all rows, but one hopeless comparator (a seasonal one, for
 * example) must not squeeze the others together. Beyond three times the median reach it is cut.
 */
export function differenceDomain(
  references: readonly number[],
  rows: readonly ChartRow[],
): number[] {
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
