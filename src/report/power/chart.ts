import type { PowerFigures, PredictionFigures } from '../../lint/power/figures.js'
import { formatWhole, percent } from '../../output/figures.js'
import {
  DRAWING_WIDTH,
  type Drawing,
  type Figure,
  figureCsv,
  lineAt,
  shortened,
  textAt,
} from '../html/charts/figure.js'
import { html, joinLines, type Markup } from '../html/markup.js'
import { at, logarithmic } from '../html/scale.js'
import { predictionName, reductionText } from './words.js'

const HEIGHT = 340
const TOP = 34
const BOTTOM = HEIGHT - 52
const LEFT = 52
/** The names of the lines are to the right of it. */
const RIGHT = DRAWING_WIDTH - 116
const DAY_TICKS = [20, 60, 180, 365, 1095]
const REDUCTION_TICKS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1]
/** Different marks, so that lines differ without colour too. */
const SHAPES = [
  'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  'm0 -5l5 5l-5 5l-5 -5z',
  'm-4 -4h8v8h-8z',
  'm0 -5l5 9h-10z',
] as const

interface Frame {
  readonly x: (days: number) => number
  readonly y: (reduction: number) => number
  readonly low: number
  readonly high: number
}

function createFrame({ curve }: PowerFigures): Frame {
  const reductions = curve.flatMap(({ smallest }) => smallest).filter((each) => each !== null)
  const [low, high] = [Math.min(0.02, ...reductions) / 1.1, Math.max(0.1, ...reductions) * 1.1]
  const days = logarithmic(curve[0]?.days ?? 1, curve.at(-1)?.days ?? 2)
  const values = logarithmic(low, high)
  return {
    low,
    high,
    x: (value) => LEFT + days.share(value) * (RIGHT - LEFT),
    y: (value) => BOTTOM - values.share(value) * (BOTTOM - TOP),
  }
}

function axes({ low, high, x, y }: Frame): Markup {
  const ticks = REDUCTION_TICKS.filter((tick) => tick >= low && tick <= high)
  return joinLines([
    textAt('title', 4, 16, 'smallest reduction, a share of the loss, found with 80 %'),
    ...ticks.map((tick) => {
      const label = percent(tick, tick < 0.01 ? 1 : 0)
      return html`${lineAt('grid', [LEFT, RIGHT], [y(tick), y(tick)])}${textAt('cell', LEFT - 6, y(tick) + 4, label)}`
    }),
    ...DAY_TICKS.map((tick) => textAt('tick', x(tick), BOTTOM + 18, formatWhole(tick))),
    textAt('axis', (LEFT + RIGHT) / 2, BOTTOM + 40, 'days of the window (both axes logarithmic)'),
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

/** Smallest distance of the labels at the ends of the lines, in units of the drawing. */
const LABEL_HEIGHT = 15

/** The name of each line, at its end; if ends are close together, the names are stacked. */
function labels({ curve, predictions }: PowerFigures, frame: Frame): Markup {
  const ends = predictions.flatMap((prediction, index) => {
    const last = curve.findLast(({ smallest }) => smallest[index] != null)
    const value = last?.smallest[index]
    if (last === undefined || value == null) return []
    return [{ prediction, x: frame.x(last.days), y: frame.y(value) }]
  })
  ends.sort((a, b) => a.y - b.y)
  let above = -Infinity
  return joinLines(
    ends.map(({ prediction, x, y }) => {
      const free = Math.max(y, above + LABEL_HEIGHT)
      above = free
      return textAt('label', x + 8, free + 4, formatLabel(prediction))
    }),
  )
}

function formatLabel({ candidate, ...prediction }: PredictionFigures): string {
  return predictionName({ ...prediction, candidate: candidate && shortened(candidate, 9) })
}

function planned({ window }: PowerFigures, frame: Frame): Markup | false {
  const x = frame.x(window.days)
  if (x < LEFT || x > RIGHT) return false
  return html`${lineAt('reference limit', [x, x], [TOP, BOTTOM])}${textAt('absent', x + 4, TOP + 10, 'planned')}`
}

function draw(figures: PowerFigures): Drawing {
  const frame = createFrame(figures)
  return {
    height: HEIGHT,
    body: joinLines([
      axes(frame),
      planned(figures, frame),
      ...figures.predictions.map((_, index) => line(figures, index, frame)),
      labels(figures, frame),
    ]),
  }
}

/** A description for people who cannot see the chart. */
function description({ predictions, window }: PowerFigures): string {
  const lines = predictions.map(
    (each) => `correlation ${predictionName(each)}: ${reductionText(each.smallest_reduction)}`,
  )
  return `Smallest true reduction of the loss found with 80 % probability, by days of the window, a line for each correlation of errors. In the planned ${formatWhole(window.days)} days: ${lines.join('; ')}.`
}

const RISING =
  ' Where a line rises, a comparator calls a direction often enough from there on to be asked about it, and seldom enough to be hard to compare with.'

/** The smallest reduction found by window length in days, one line per correlation. */
export function powerFigure(figures: PowerFigures): Figure {
  const { curve, predictions } = figures
  const rises = predictions.some((_, index) =>
    curve.some(
      ({ smallest }, at) => (smallest[index] ?? 0) > 1.5 * (curve[at - 1]?.smallest[index] ?? 1),
    ),
  )
  return {
    file: 'power',
    title: 'The smallest reduction that a window finds',
    description: description(figures),
    drawing: draw(figures),
    // One row per length and correlation; an empty figure if nothing is found.
    csv: figureCsv(
      ['days', 'correlation', 'candidate', 'smallest_reduction'],
      curve.flatMap(({ days, smallest }) =>
        predictions.map(({ correlation, candidate }, index) => ({
          days,
          correlation,
          candidate,
          smallest_reduction: smallest[index] ?? null,
        })),
      ),
    ),
    caption: html`<p>At the end of each line: how the errors of the candidate go with those of the comparator. The more alike two forecasts are, the smaller the difference that is found between them. Left of where a line begins, nothing is found or every test is blocked.${rises ? RISING : ''}</p>`,
  }
}
