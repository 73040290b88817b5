import type { PowerFigures, PredictionFigures } from '../../lint/power/figures.js'
import { percent, whole } from '../../output/figures.js'
import {
  type ChartLayout,
  column,
  type Drawing,
  type Figure,
  shortened,
  WIDTH,
} from '../html/charts/figure.js'
import { html, lines, type Markup } from '../html/markup.js'
import { at, logarithmic } from '../html/scale.js'
import { predictionName, reductionText } from './words.js'

const TITLE = 'The smallest reduction that a window finds'
const HEIGHT = 340
const TOP = 34
const BOTTOM = HEIGHT - 52
const DAY_TICKS = [20, 30, 60, 90, 180, 365, 730, 1095]
const NARROW_TICKS = [20, 60, 180, 365, 1095]
const REDUCTION_TICKS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1]
/** Marks at the points, so that lines are told apart without colour too. */
const SHAPES = [
  'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  'm0 -5l5 5l-5 5l-5 -5z',
  'm-4 -4h8v8h-8z',
  'm0 -5l5 9h-10z',
] as const

interface Frame {
  readonly left: number
  readonly right: number
  readonly x: (days: number) => number
  readonly y: (reduction: number) => number
  readonly low: number
  readonly high: number
}

function frameOf({ curve }: PowerFigures, layout: ChartLayout): Frame {
  const left = 52
  const right = WIDTH[layout] - (layout === 'wide' ? 150 : 40)
  const found = curve.flatMap(({ smallest }) => smallest).filter((each) => each !== null)
  const [low, high] = [Math.min(0.02, ...found) / 1.1, Math.max(0.1, ...found) * 1.1]
  const days = logarithmic(curve[0]?.days ?? 1, curve.at(-1)?.days ?? 2)
  const values = logarithmic(low, high)
  return {
    left,
    right,
    low,
    high,
    x: (value) => left + days.share(value) * (right - left),
    y: (value) => BOTTOM - values.share(value) * (BOTTOM - TOP),
  }
}

function axes(frame: Frame, layout: ChartLayout): Markup {
  const { left, right, low, high, x, y } = frame
  const ticks = REDUCTION_TICKS.filter((tick) => tick >= low && tick <= high)
  return lines([
    html`<text class="title" x="${at(4)}" y="${at(16)}">${layout === 'wide' ? 'smallest reduction, as a share of the loss, found with 80 % probability' : 'smallest reduction, found with 80 %'}</text>`,
    ...ticks.map(
      (tick) =>
        html`<line class="grid" x1="${at(left)}" x2="${at(right)}" y1="${at(y(tick))}" y2="${at(y(tick))}"/><text class="cell" x="${at(left - 6)}" y="${at(y(tick) + 4)}">${percent(tick, tick < 0.01 ? 1 : 0)}</text>`,
    ),
    ...(layout === 'wide' ? DAY_TICKS : NARROW_TICKS).map(
      (tick) =>
        html`<text class="tick" x="${at(x(tick))}" y="${at(BOTTOM + 18)}">${whole(tick)}</text>`,
    ),
    html`<text class="axis" x="${at((left + right) / 2)}" y="${at(BOTTOM + 40)}">${layout === 'wide' ? 'days of the window (both axes logarithmic)' : 'days of the window'}</text>`,
  ])
}

function line(figures: PowerFigures, index: number, frame: Frame): Markup {
  const points = figures.curve.flatMap(({ days, smallest }) => {
    const value = smallest[index]
    return value == null ? [] : [{ x: frame.x(days), y: frame.y(value) }]
  })
  if (points.length === 0) return html``
  const shape = SHAPES[index % SHAPES.length]
  return html`<path class="threshold" d="M${points.map(({ x, y }) => `${at(x)} ${at(y)}`).join('L')}"/><path class="mark-of-line" d="${points.map(({ x, y }) => `M${at(x)} ${at(y)}${shape}`).join('')}"/>`
}

/** Least distance of the labels at the ends of the lines, in units of the drawing. */
const LABEL_HEIGHT = 15

/** What each line is called, at its end; where ends lie close together, one below the other. */
function labels({ curve, predictions }: PowerFigures, frame: Frame, layout: ChartLayout): Markup {
  const ends = predictions.flatMap((prediction, index) => {
    const last = curve.findLast(({ smallest }) => smallest[index] != null)
    const value = last?.smallest[index]
    if (last === undefined || value == null) return []
    return [{ prediction, x: frame.x(last.days), y: frame.y(value) }]
  })
  ends.sort((a, b) => a.y - b.y)
  let above = -Infinity
  return lines(
    ends.map(({ prediction, x, y }) => {
      const free = Math.max(y, above + LABEL_HEIGHT)
      above = free
      return html`<text class="label" x="${at(x + 8)}" y="${at(free + 4)}">${labelOf(prediction, layout)}</text>`
    }),
  )
}

function labelOf(prediction: PredictionFigures, layout: ChartLayout): string {
  const { candidate } = prediction
  if (layout !== 'wide') return predictionName({ ...prediction, candidate: null })
  return predictionName({ ...prediction, candidate: candidate && shortened(candidate, 10) })
}

function planned({ window }: PowerFigures, frame: Frame): Markup | false {
  const x = frame.x(window.days)
  if (x < frame.left || x > frame.right) return false
  return html`<line class="reference limit" x1="${at(x)}" x2="${at(x)}" y1="${at(TOP)}" y2="${at(BOTTOM)}"/><text class="absent" x="${at(x + 4)}" y="${at(TOP + 10)}">planned</text>`
}

function draw(figures: PowerFigures, layout: ChartLayout): Drawing {
  const frame = frameOf(figures, layout)
  return {
    height: HEIGHT,
    body: lines([
      axes(frame, layout),
      planned(figures, frame),
      ...figures.predictions.map((_, index) => line(figures, index, frame)),
      labels(figures, frame, layout),
    ]),
  }
}

/** In words, for those who cannot see the chart. */
function description({ predictions, window }: PowerFigures): string {
  const said = predictions.map(
    (each) => `correlation ${predictionName(each)}: ${reductionText(each.smallest_reduction)}`,
  )
  return `Smallest true reduction of the loss found with 80 % probability, by days of the window, a line for each correlation of errors. In the planned ${whole(window.days)} days: ${said.join('; ')}.`
}

/** The smallest reduction found by days of the window, a line a correlation. */
export function powerFigure(figures: PowerFigures): Figure {
  return {
    id: 'chart-power',
    file: 'power',
    title: TITLE,
    description: description(figures),
    draw: (layout) => draw(figures, layout),
    data: curveTable(figures),
    caption: html`<p>At the end of each line: how the errors of the candidate go with those of the comparator. The more alike two forecasts are, the smaller the difference that is found between them. Left of where a line begins, nothing is found or every test is blocked.</p>`,
  }
}

/** The curve, a row for every length and correlation; no figure where nothing is found. */
function curveTable({ curve, predictions }: PowerFigures): Figure['data'] {
  return {
    columns: [
      column('days', 'integer'),
      column('correlation', 'number'),
      column('candidate', 'text'),
      column('smallest_reduction', 'number'),
    ],
    rows: curve.flatMap(({ days, smallest }) =>
      predictions.map(({ correlation, candidate }, index) => [
        ...[days, correlation, candidate, smallest[index] ?? null],
      ]),
    ),
  }
}
