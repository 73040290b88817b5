import { formatUtc, type Instant, parseInstant } from '../../../contract/instant.js'
import type { Result } from '../../../evaluation/result/result.js'
import { eventTime, FIRST_DUE, type TimeEvent, timeLine } from '../../time-line.js'
import { html } from '../markup.js'
import { timeScale } from '../scale.js'
import { drawLegendItem, type Figure, figureCsv } from './figure.js'
import { type ChartRow, drawRowChart } from './row-chart.js'

const TONE = { shown: 'candidate', declared: 'open', fixed: 'comparator' } as const

function toRow(event: TimeEvent): ChartRow {
  const point = parseInstant(event.at) ?? null
  const text = point === null ? '' : formatUtc(point)
  return {
    label: event.name,
    tone: TONE[event.known],
    point,
    bounds: { lower: point, upper: parseInstant(event.until) ?? null },
    cells: [text.slice(0, 16).replace('T', ' ')],
    absent: 'no stamp',
  }
}

const CIRCLE = html`<circle class="point" cx="7" cy="7" r="4.5"/>`
const DIAMOND = html`<path class="point" d="M7 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`
const LEGEND = [
  drawLegendItem(CIRCLE, 14, 'shown by time-stamp authorities', TONE.shown),
  drawLegendItem(CIRCLE, 14, 'the writer alone says so, or the stamp came too late', TONE.declared),
  drawLegendItem(DIAMOND, 14, 'fixed by the registration', TONE.fixed),
]

/** The events in order, on one time scale. */
export function timeLineFigure(result: Result): Figure {
  const events = timeLine(result)
  const rows = events.map(toRow)
  const from = parseInstant(events.find(({ name }) => name === FIRST_DUE)?.at) as Instant
  const descriptions = events.map((event) => `${event.name}: ${eventTime(event)}.`)
  const title = 'From the registration to the outcomes'
  return {
    file: 'time-line',
    title,
    opener: title,
    description: `Points on a line of time. ${descriptions.join(' ')}`,
    drawing: drawRowChart({
      scale: timeScale(
        rows.flatMap(({ point }) => point ?? []),
        4,
      ),
      tick: (value) => formatUtc(value).slice(0, 10),
      axis: 'date (UTC)',
      references: [{ at: from, label: FIRST_DUE.toLowerCase(), kind: 'zero' }],
      columns: ['UTC'],
      groups: [{ rows }],
    }),
    csv: figureCsv(
      ['event', 'at', 'until', 'source', 'known'],
      events.map(({ name, until = null, ...event }) => ({ ...event, event: name, until })),
    ),
    legend: LEGEND,
    caption: html`<p>The bar is the time in which forecasts are due. What is to count as fixed beforehand has to lie left of the ${FIRST_DUE.toLowerCase()}.</p>`,
  }
}
