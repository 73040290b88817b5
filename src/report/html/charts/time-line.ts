import { formatUtc, type Instant, instantOf } from '../../../contract/instant.js'
import type { EvaluationResult } from '../../../evaluation/result/types.js'
import { eventTime, type TimeEvent, timeLine } from '../../time-line.js'
import { html, type Markup } from '../markup.js'
import { timeScale } from '../scale.js'
import { figure } from './figure.js'
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

/** The events in their order, on one scale of time. */
export function timeLineChart(result: EvaluationResult): Markup {
  const events = timeLine(result)
  const rows = events.map(rowOf)
  const from = instantOf(result.settings.from) as Instant
  const said = events.map((event) => `${event.name}: ${eventTime(event)}.`)
  const scale = timeScale(
    rows.flatMap(({ point }) => point ?? []),
    4,
  )
  return figure({
    id: 'chart-time',
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
    caption: html`<p>Filled circles: shown by time-stamp authorities. Hollow circles: nobody but the writer says so, or the stamp came too late. Diamonds: fixed by the registration; the bar is the window of origins. What is to count as fixed beforehand has to lie left of the first origin.</p>`,
  })
}
