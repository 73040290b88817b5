import type { Result, ResultTest } from '../../../evaluation/result/result.js'
import { smallestP } from '../../../inference/holm.js'
import { counted, formatWhole, powerOfTen } from '../../../output/figures.js'
import { familySaid } from '../../sentences.js'
import { isDecided, ladderOrder, ladderP, orderIn } from '../../view.js'
import { html, joinLines, type Markup } from '../markup.js'
import { at, logarithmic } from '../scale.js'
import {
  DRAWING_WIDTH,
  type Drawing,
  drawLegendItem,
  type Figure,
  figureCsv,
  lineAt,
  textAt,
} from './figure.js'

const HEIGHT = 220
const TOP = 16
const BOTTOM = HEIGHT - 52
const LEFT = 52
const RIGHT = DRAWING_WIDTH - 12
const AXIS = 'place on the ladder, from the smallest p (logarithmic)'

/** A test at its position, from 1, with the p for drawing and the boundary there. */
interface Rung {
  readonly position: number
  readonly test: ResultTest
  readonly p: number | null
  readonly boundary: number
}

/** The tests in ascending order of p. */
function listRungs(result: Result): Rung[] {
  const ladder = ladderOrder(result)
  const left = remaining(ladder)
  return ladder.map((test, index) => ({
    position: index + 1,
    test,
    p: ladderP(result, test),
    boundary: result.settings.rules.alpha / (left[index] as number),
  }))
}

/** The number of tests left at each position; with weights, the remaining weight times the number of tests. */
function remaining(ladder: readonly ResultTest[]): number[] {
  const weighted = ladder.every(({ weight }) => weight !== null)
  if (!weighted) return ladder.map((_, index) => ladder.length - index)
  let sum = 0
  return ladder
    .toReversed()
    .map(({ weight }) => {
      sum += weight ?? 0
      return sum * ladder.length
    })
    .reverse()
}

type Scale = (value: number) => number

function draw(result: Result, rungs: readonly Rung[]): Drawing {
  const { size } = result.reading.family
  const { alpha, test: by } = result.settings.rules
  const resolution = by.method === 'percentile-bootstrap' ? smallestP(by.replicates) : null
  const smallest = Math.min(...rungs.map(({ p }) => p ?? 1))
  // A p of 1e-80 would compress all others at the upper edge, so it is drawn at this floor.
  const floor = resolution ?? Math.max(smallest, alpha / size / 1e6)
  const ranks = logarithmic(1, Math.max(size, 2))
  const values = logarithmic(Math.min(floor, alpha / size) / 4, 1)
  const x: Scale = (rank) => LEFT + ranks.share(rank) * (RIGHT - LEFT)
  const y: Scale = (p) =>
    BOTTOM - values.share(Math.min(1, Math.max(p, values.min))) * (BOTTOM - TOP)
  const every = Math.ceil(values.ticks.length / 6)
  const across = (of: string, height: number) => lineAt(of, [LEFT, RIGHT], [height, height])
  const tested = rungs.filter(({ p }) => p !== null)
  return {
    height: HEIGHT,
    body: joinLines([
      ...values.ticks
        .filter((_, index) => (values.ticks.length - 1 - index) % every === 0)
        .map(
          (tick) =>
            html`${across('grid', y(tick))}${textAt('cell', LEFT - 8, y(tick) + 4, powerOfTen(tick))}`,
        ),
      ...ranks.ticks.map((tick) => textAt('tick', x(tick), BOTTOM + 18, formatWhole(tick))),
      textAt('axis', (LEFT + RIGHT) / 2, BOTTOM + 40, AXIS),
      resolution !== null &&
        html`${across('reference limit', y(resolution))}${textAt('absent', LEFT + 4, y(resolution) + 14, 'smallest p possible')}`,
      threshold(rungs, x, y),
      dots(
        tested.filter(({ test }) => !test.decides),
        x,
        y,
      ),
      ...tested
        .filter(({ test }) => test.decides)
        .map(
          ({ test, position, p }) =>
            html`<circle class="decides ${test.decision}" cx="${at(x(position))}" cy="${at(y(p ?? 1))}" r="3.5"/>`,
        ),
    ]),
  }
}

/** All p-values as one path of small squares; those at the same position are drawn once. */
function dots(rungs: readonly Rung[], x: Scale, y: Scale): Markup {
  const near = (value: number) => at(Math.round(value * 2) / 2 - 1)
  const seen = new Set(
    rungs.map(({ position, p }) => `M${near(x(position))} ${near(y(p ?? 1))}h2v2h-2z`),
  )
  return html`<path class="dots" d="${[...seen].join('')}"/>`
}

function threshold(rungs: readonly Rung[], x: Scale, y: Scale): Markup {
  const points: string[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const { position, boundary } of rungs) {
    if (x(position) - last < 1 && position !== rungs.length) continue
    last = x(position)
    points.push(`${at(last)} ${at(y(boundary))}`)
  }
  return html`<path class="threshold" d="M${points.join('L')}"/>`
}

/** p-values in ascending order against the Holm boundary, both axes logarithmic. */
export function ladderFigure(result: Result): Figure {
  const rungs = listRungs(result)
  const { rejected, blocked } = result.reading.family
  const weighted =
    isDecided(result) &&
    'The boundary is α over the weight that remains, times the mean weight; each p is scaled to the mean weight.'
  const title = 'The p-values against the Holm boundary'
  return {
    file: 'holm-ladder',
    title,
    // The tables of tests contain the same.
    opener: `${title}: ${counted(rungs.length, 'test')}`,
    description: `${familySaid(result)}. They are drawn in ${orderIn(result)}. ${formatWhole(rejected)} lie below the boundary in an unbroken run from the first and are rejected; ${formatWhole(blocked)} have no p-value and stay in the family.`,
    drawing: draw(result, rungs),
    csv: figureCsv(
      ['place', 'test', 'decides', 'p', 'p_drawn', 'boundary', 'decision'],
      rungs.map(({ position, test, p, boundary }) => ({
        ...test,
        place: position,
        test: test.name,
        p_drawn: p,
        boundary,
      })),
    ),
    legend: drawLegend(
      weighted ? 'Holm boundary, by weight' : 'Holm boundary, α / (m − place + 1)',
    ),
    caption: html`<p>Read from the left: each test below the boundary is rejected, up to the first that is not. That one and all later ones are not rejected.</p>${weighted && html`<p>${weighted}</p>`}`,
  }
}

function drawLegend(boundary: string) {
  const circle = (tone: string) => html`<circle class="decides ${tone}" cx="7" cy="7" r="4"/>`
  return [
    drawLegendItem(html`<path class="threshold" d="M0 11L22 3"/>`, 22, boundary),
    drawLegendItem(circle('rejected'), 14, 'deciding test, rejected'),
    drawLegendItem(circle('not_rejected'), 14, 'deciding test, not rejected'),
    drawLegendItem(html`<path class="dots" d="M5 5h4v4h-4z"/>`, 14, 'any other test'),
  ]
}
