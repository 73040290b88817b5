import type { Result } from '../../../evaluation/result/result.js'
import { formatWhole, percentOfAll } from '../../../output/figures.js'
import { STATUSES } from '../../../pairing/paired-attempt.js'
import { stepName } from '../../sentences.js'
import { type Commitment, countForecasts } from '../../time-line.js'
import { accountingIn, isHours, modelsIn, stepsIn } from '../../view.js'
import { html, joinLines, type Markup } from '../markup.js'
import { at } from '../scale.js'
import {
  DRAWING_WIDTH,
  type Drawing,
  drawLegendItem,
  type Figure,
  figureCsv,
  LETTER,
  makeOpener,
  shortened,
  textAt,
} from './figure.js'

/** A kind of part: its class for the colour, and its meaning. */
interface Kind {
  readonly tone: string
  readonly means: string
}

/** A count, divided into parts by kind. */
interface Bar {
  /** Text at its left. */
  readonly label: string
  readonly parts: readonly number[]
  /** Text at its right. */
  readonly figureText: string
}

interface BarGroup {
  readonly heading: string
  readonly bars: readonly Bar[]
}

const ROW = 20
/** The width of a share that is too small to see: nothing that happened may be invisible. */
const LEAST = 2

/** Lengths of the parts of a bar; small parts are widened at the expense of the largest. */
function lengths(parts: readonly number[], full: number): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0)
  const widths = parts.map((part) => (part === 0 ? 0 : Math.max(LEAST, (part / total) * full)))
  const over = widths.reduce((sum, part) => sum + part, 0) - full
  const largest = widths.indexOf(Math.max(...widths))
  widths[largest] = Math.max(0, (widths[largest] ?? 0) - Math.max(0, over))
  return widths
}

function barChart(groups: readonly BarGroup[], kinds: readonly Kind[]): Drawing {
  const bars = groups.flatMap((group) => group.bars)
  const longest = (of: (bar: Bar) => string) => Math.max(0, ...bars.map((bar) => of(bar).length))
  const left = longest(({ label }) => label) === 0 ? 0 : 44
  const right = DRAWING_WIDTH - longest(({ figureText }) => figureText) * LETTER - 8
  const body: Markup[] = []
  let y = 4
  for (const { heading, bars: groupBars } of groups) {
    body.push(textAt('heading', 0, y + 12, shortened(heading, 50)))
    y += ROW
    for (const { label, parts, figureText } of groupBars) {
      if (label !== '') body.push(textAt('cell', left - 8, y + 12, label))
      let x = left
      lengths(parts, right - left).forEach((length, index) => {
        if (length === 0) return
        body.push(
          html`<rect class="${kinds[index]?.tone}" x="${at(x)}" y="${at(y)}" width="${at(length)}" height="14"/>`,
        )
        x += length
      })
      body.push(textAt('cell', DRAWING_WIDTH, y + 12, figureText))
      y += ROW
    }
    y += 6
  }
  return { height: y, body: joinLines(body) }
}

const drawLegend = (kinds: readonly Kind[]) =>
  kinds.map(({ tone, means }) =>
    drawLegendItem(html`<rect class="${tone}" width="14" height="14"/>`, 14, means),
  )

/** One bar per model and step, divided by status. */
export function statusFigure(result: Result): Figure {
  const kinds = STATUSES.map((status) => ({ tone: `s-${status}`, means: status }))
  const models = modelsIn(result).map(({ name }) => name)
  const groups = models.map((model) => ({
    model,
    cells: stepsIn(result).flatMap((step) => accountingIn(result, model, step) ?? []),
  }))
  const descriptions = models.flatMap((name) => {
    const cell = accountingIn(result, name, 'overall')
    if (!cell) return []
    const counts = STATUSES.map((status) => `${cell.point[status]} ${status}`)
    return `${name}: ${counts.join(', ')} of ${cell.expected}.`
  })
  const title = 'How the expected attempts ended'
  return {
    file: 'attempts',
    title,
    ...makeOpener(title, groups.flatMap(({ cells }) => cells).length),
    description: `One bar per model and step, cut by status. ${descriptions.join(' ')}`,
    drawing: barChart(
      groups.map(({ model, cells }) => ({
        heading: model,
        bars: cells.map(({ step, expected, point }) => ({
          label: isHours(result) ? stepName(result, step) : formatWhole(Number(step)),
          parts: STATUSES.map((status) => point[status]),
          figureText: `${percentOfAll(point.scored, expected)} · ${formatWhole(expected - point.scored)} not`,
        })),
      })),
      kinds,
    ),
    csv: figureCsv(
      ['model', 'step', 'expected', ...STATUSES],
      groups.flatMap(({ cells }) =>
        cells.map(({ model, step, expected, point }) => ({ model, step, expected, ...point })),
      ),
    ),
    legend: drawLegend(kinds),
    caption: html`<p>Right of each bar: the share that was scored. A status that occurred at all is drawn at least two units wide; the table below has the counts.</p>`,
  }
}

const COMMITTED = [
  { name: 'committed', tone: 's-scored', means: 'committed in time' },
  { name: 'committed_late', tone: 's-abstained', means: 'late' },
  { name: 'not_committed', tone: 's-missing', means: 'not committed' },
  { name: 'withdrawn', tone: 's-failed', means: 'withdrawn' },
] as const

/** One bar per model: which of its forecasts were in a stamped checkpoint in time. */
export function committedFigure({ models }: Commitment): Figure {
  const descriptions = models.map((model) => {
    const counts = COMMITTED.map(({ name, means }) => `${model[name]} ${means}`)
    return `${model.model}: ${counts.join(', ')}.`
  })
  const bar = (model: Commitment['models'][number]): Bar => {
    const all = countForecasts(model)
    return {
      label: '',
      parts: COMMITTED.map(({ name }) => model[name]),
      figureText: `${percentOfAll(model.committed, all)} of ${formatWhole(all)}`,
    }
  }
  return {
    file: 'committed-forecasts',
    title: 'Forecasts committed in time',
    description: `One bar per model, cut by what became of its forecasts. ${descriptions.join(' ')}`,
    drawing: barChart(
      models.map((model) => ({ heading: model.model, bars: [bar(model)] })),
      COMMITTED,
    ),
    csv: figureCsv(['model', ...COMMITTED.map(({ name }) => name)], models),
    legend: drawLegend(COMMITTED),
    caption: html`<p>Right of each bar: the share that a stamped checkpoint held in time, of all forecasts that the history or the log has.</p>`,
  }
}
