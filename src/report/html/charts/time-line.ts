import { formatUtc, type Instant, instantOf } from '../../../contract/instant.js'
import type { EvaluationResult } from '../../../evaluation/result/types.js'
import { eventTime, type TimeEvent, timeLine } from '../../time-line.js'
import { html } from '../markup.js'
import { timeScale } from '../scale.js'
import { column, type Figure } from './figure.js'
import type { LegendItem } from './legend.js'
import { type ChartRow, rowChart } from './rows.js'

const TONE = { shown: 'candidate', declared: 'open', fixed: 'comparator' } as const

function rowOf(event: TimeEvent): ChartRow {
  const point = instantOf(event.at) ?? null
  const end = instantOf(event.until)
  return {
    label: event.name,
    tone: TONE[event.known],
    point,
    bounds: point === null || end === undefined ? null : { lower: point, upper: end },
    cells: point === null ? [] : [formatUtc(point).slice(0, 10), formatUtc(point).slice(11, 19)],
    absent: 'no stamp',
  }
}

const CIRCLE = html`<circle class="point" cx="7" cy="7" r="4.5"/>`
const LEGEND: readonly LegendItem[] = [
  { mark: CIRCLE, width: 14, tone: TONE.shown, means: 'shown by time-stamp authorities' },
  {
    mark: CIRCLE,
    width: 14,
    tone: TONE.declared,
    means: 'nobody but the writer says so, or the stamp came too late',
  },
  {
    mark: html`<path class="point" d="M7 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`,
    width: 14,
    tone: TONE.fixed,
    means: 'fixed by the registration',
  },
]

/** The events in their order, on one scale of time. */
export function timeLineFigure(result: EvaluationResult): Figure {
  const events = timeLine(result)
  const rows = events.map(rowOf)
  const from = instantOf(result.settings.from) as Instant
  const said = events.map((event) => `${event.name}: ${eventTime(event)}.`)
  const scale = timeScale(
    rows.flatMap(({ point }) => point ?? []),
    4,
  )
  return {
    id: 'chart-time',
    file: 'time-line',
    data: {
      columns: [
        column('event', 'text'),
        column('at', 'instant'),
        column('until', 'instant'),
        column('source', 'text'),
        column('known', 'text'),
      ],
      rows: events.map(({ name, at, until = null, source, known }) => [
        ...[name, at, until, source, known],
      ]),
    },
    title: 'From the registration to the outcomes',
    description: `Points on a line of time. ${said.join(' ')}`,
    draw: (layout) =>
      rowChart(
        {
          scale,
          tick: (value) => formatUtc(value).slice(0, 10),
          axis: { wide: 'date (UTC)', narrow: 'date (UTC)' },
          references: [{ at: from, label: 'first origin', kind: 'zero' }],
          columns: ['date', 'time (UTC)'],
          groups: [{ rows }],
        },
        layout,
      ),
    legend: LEGEND,
    caption: html`<p>The bar is the window of origins. What is to count as fixed beforehand has to lie left of the first origin.</p>`,
  }
}
