import type { EvaluationResult, ResultTest } from '../../../evaluation/result/types.js'
import { smallestP } from '../../../inference/holm.js'
import { powerOfTen, whole } from '../../../output/figures.js'
import { ladderOf, ladderP, methodOf } from '../../view.js'
import { html, lines, type Markup } from '../markup.js'
import { at, logarithmic, type Scale } from '../scale.js'
import { type ChartLayout, column, type Drawing, type Figure, WIDTH } from './figure.js'
import type { LegendItem } from './legend.js'

const HEIGHT = 300
const TOP = 16
const BOTTOM = HEIGHT - 52

interface Frame {
  readonly x: (rank: number) => number
  readonly y: (p: number) => number
  readonly ranks: Scale
  readonly values: Scale
  readonly left: number
  readonly right: number
}

function frameOf(result: EvaluationResult, layout: ChartLayout): Frame {
  const left = layout === 'wide' ? 70 : 52
  const right = WIDTH[layout] - 12
  const size = result.family.size
  const smallest = Math.min(...result.tests.map((test) => ladderP(result, test) ?? 1))
  // A p of 1e-80 would press all others into the upper edge: it is drawn at the lower one.
  const floor = smallestDrawn(result) ?? Math.max(smallest, result.settings.alpha / size / 1e6)
  const least = Math.min(floor, result.settings.alpha / size)
  const ranks = logarithmic(1, Math.max(size, 2))
  const values = logarithmic(least / 4, 1)
  return {
    ranks,
    values,
    left,
    right,
    x: (rank) => left + ranks.share(rank) * (right - left),
    y: (p) => BOTTOM - values.share(Math.max(p, values.min)) * (BOTTOM - TOP),
  }
}

/** All p-values as one path of small squares; those that fall on the same spot are drawn once. */
function dots(result: EvaluationResult, tests: readonly ResultTest[], frame: Frame): Markup {
  const seen = new Set<string>()
  tests.forEach((test, index) => {
    const p = ladderP(result, test)
    if (p === null) return
    const x = Math.round(frame.x(index + 1) * 2) / 2 - 1
    const y = Math.round(frame.y(Math.min(1, p)) * 2) / 2 - 1
    seen.add(`M${at(x)} ${at(y)}h2v2h-2z`)
  })
  return html`<path class="dots" d="${[...seen].join('')}"/>`
}

/** The p below which a test at a place is rejected, if all before it are. */
function boundaryOf({ settings, family }: EvaluationResult, ladder: readonly ResultTest[]) {
  const left = remaining(ladder)
  return (rank: number) => settings.alpha / (left?.[rank - 1] ?? family.size - rank + 1)
}

function threshold(result: EvaluationResult, ladder: readonly ResultTest[], frame: Frame): Markup {
  const { size } = result.family
  const boundary = boundaryOf(result, ladder)
  const points: string[] = []
  let last = Number.NEGATIVE_INFINITY
  for (let rank = 1; rank <= size; rank++) {
    const x = frame.x(rank)
    if (x - last < 1 && rank !== size) continue
    last = x
    points.push(`${at(x)} ${at(frame.y(boundary(rank)))}`)
  }
  return html`<path class="threshold" d="M${points.join('L')}"/>`
}

function axes(frame: Frame, layout: ChartLayout): Markup {
  const every = Math.ceil(frame.values.ticks.length / 8)
  return lines([
    ...frame.values.ticks
      .filter((_, index) => (frame.values.ticks.length - 1 - index) % every === 0)
      .map(
        (tick) =>
          html`<line class="grid" x1="${at(frame.left)}" x2="${at(frame.right)}" y1="${at(frame.y(tick))}" y2="${at(frame.y(tick))}"/><text class="cell" x="${at(frame.left - 8)}" y="${at(frame.y(tick) + 4)}">${powerOfTen(tick)}</text>`,
      ),
    ...frame.ranks.ticks.map(
      (tick) =>
        html`<text class="tick" x="${at(frame.x(tick))}" y="${at(BOTTOM + 18)}">${whole(tick)}</text>`,
    ),
    html`<text class="axis" x="${at((frame.left + frame.right) / 2)}" y="${at(BOTTOM + 40)}">${layout === 'wide' ? 'place on the ladder, from the smallest p-value (logarithmic)' : 'place on the ladder (logarithmic)'}</text>`,
  ])
}

/** The smallest p that the replicates allow; null where the method has none. */
function smallestDrawn(result: EvaluationResult): number | null {
  return methodOf(result) === 'percentile-bootstrap' ? smallestP(result.settings.replicates) : null
}

function smallestLine(frame: Frame, y: number): Markup[] {
  return [
    html`<line class="reference limit" x1="${at(frame.left)}" x2="${at(frame.right)}" y1="${at(y)}" y2="${at(y)}"/>`,
    html`<text class="absent" x="${at(frame.left + 4)}" y="${at(y + 14)}">smallest p possible</text>`,
  ]
}

/** What the weights leave at each place, times the number of tests; undefined without weights. */
function remaining(ladder: readonly ResultTest[]): number[] | undefined {
  if (ladder.some(({ weight }) => weight === undefined)) return undefined
  let sum = 0
  return ladder
    .map(({ weight = 0 }) => weight)
    .reverse()
    .map((weight) => {
      sum += weight
      return sum * ladder.length
    })
    .reverse()
}

function draw(
  result: EvaluationResult,
  ladder: readonly ResultTest[],
  layout: ChartLayout,
): Drawing {
  const frame = frameOf(result, layout)
  const least = smallestDrawn(result)
  const deciding = ladder
    .map((test, index) => ({ test, rank: index + 1 }))
    .filter(({ test }) => test.decides && test.p !== null)
  return {
    height: HEIGHT,
    body: lines([
      axes(frame, layout),
      ...(least === null ? [] : smallestLine(frame, frame.y(least))),
      threshold(result, ladder, frame),
      dots(
        result,
        ladder.map((test) => (test.decides ? { ...test, p: null } : test)),
        frame,
      ),
      ...deciding.map(
        ({ test, rank }) =>
          html`<circle class="decides ${test.decision}" cx="${at(frame.x(rank))}" cy="${at(frame.y(Math.min(1, ladderP(result, test) ?? 1)))}" r="3.5"/>`,
      ),
    ]),
  }
}

function boundary(result: EvaluationResult): string {
  return methodOf(result) === 'ewc-t'
    ? 'Holm boundary: α over the weight that remains, times the mean weight; each p is scaled to the mean weight'
    : 'Holm boundary, α / (m − place + 1)'
}

/** p-values in ascending order against the Holm boundary, both axes logarithmic. */
export function ladderFigure(result: EvaluationResult): Figure {
  const ladder = ladderOf(result)
  const { size, rejected, blocked } = result.family
  return {
    id: 'chart-ladder',
    file: 'holm-ladder',
    data: ladderData(result, ladder),
    title: 'The p-values against the Holm boundary',
    description: `${whole(size)} registered tests in ascending order of p. ${whole(rejected)} lie below the boundary in an unbroken run from the first and are rejected; ${whole(blocked)} have no p-value and stay in the family.`,
    draw: (layout) => draw(result, ladder, layout),
    legend: legendOf(result),
    caption: html`<p>Walking from the left, every test below the boundary is rejected until the first that is not; all after it stand, wherever they lie.</p>`,
  }
}

function legendOf(result: EvaluationResult): LegendItem[] {
  const circle = (tone: string) => html`<circle class="decides ${tone}" cx="7" cy="7" r="4"/>`
  return [
    {
      mark: html`<path class="threshold" d="M0 11L22 3"/>`,
      width: 22,
      means: boundary(result),
    },
    { mark: circle('rejected'), width: 14, means: 'deciding test, rejected' },
    { mark: circle('not_rejected'), width: 14, means: 'deciding test, not rejected' },
    { mark: html`<path class="dots" d="M5 5h4v4h-4z"/>`, width: 14, means: 'any other test' },
  ]
}

/** The tests from the smallest p, each with the p that it is drawn at and the boundary at its place. */
function ladderData(result: EvaluationResult, ladder: readonly ResultTest[]): Figure['data'] {
  const boundary = boundaryOf(result, ladder)
  return {
    columns: [
      column('place', 'integer'),
      column('test', 'text'),
      column('decides', 'boolean'),
      ...['p', 'p_drawn', 'boundary'].map((name) => column(name, 'number')),
      column('decision', 'text'),
    ],
    rows: ladder.map((test, index) => [
      ...[index + 1, test.name, test.decides, test.p, ladderP(result, test)],
      ...[boundary(index + 1), test.decision],
    ]),
  }
}
