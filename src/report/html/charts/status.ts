import type { EvaluationResult, ResultAccounting } from '../../../evaluation/result/types.js'
import { percent, whole } from '../../../output/figures.js'
import { STATUSES } from '../../../pairing/types.js'
import { accountingIn } from '../../view.js'
import { html, lines, type Markup } from '../markup.js'
import { at } from '../scale.js'
import { type ChartLayout, column, type Drawing, type Figure, shortened, WIDTH } from './figure.js'
import { stackedBar, stackLegend } from './stack.js'

const ROW = 20
function bar(cell: ResultAccounting, left: number, full: number, y: number): Markup {
  const parts = STATUSES.map((status) => ({ count: cell.point[status], tone: `s-${status}` }))
  return stackedBar(parts, cell.expected, { left, full, y })
}

function draw(result: EvaluationResult, layout: ChartLayout): Drawing {
  const width = WIDTH[layout]
  const left = layout === 'wide' ? 240 : 40
  const right = layout === 'wide' ? width - 150 : width - 70
  const body: Markup[] = []
  let y = 4
  for (const model of result.models) {
    if (layout === 'narrow') {
      body.push(
        html`<text class="heading" x="0" y="${at(y + 16)}">${shortened(model.name, 40)}</text>`,
      )
      y += 24
    }
    result.settings.horizons_hours.forEach((horizon, index) => {
      const cell = accountingIn(result, model.name, horizon)
      if (!cell) return
      const share = percent(cell.expected === 0 ? null : cell.point.scored / cell.expected, 2)
      const words =
        layout === 'wide' ? `${share} · ${whole(cell.expected - cell.point.scored)} not` : share
      body.push(
        lines([
          layout === 'wide' &&
            index === 0 &&
            html`<text class="label strong" x="0" y="${at(y + 12)}">${shortened(model.name, 26)}</text>`,
          html`<text class="cell" x="${at(left - 8)}" y="${at(y + 12)}">${horizon} h</text>`,
          bar(cell, left, right - left, y),
          html`<text class="cell" x="${width}" y="${at(y + 12)}">${words}</text>`,
        ]),
      )
      y += ROW
    })
    y += 10
  }
  return { height: y, body: lines(body) }
}

/** One bar per model and horizon, cut by status. */
export function statusFigure(result: EvaluationResult): Figure {
  const totals = result.accounting.filter((one) => one.horizon === 'all' && one.stratum === 'all')
  const said = totals.map(
    (one) =>
      `${one.model}: ${STATUSES.map((status) => `${one.point[status]} ${status}`).join(', ')} of ${one.expected}.`,
  )
  return {
    id: 'chart-status',
    file: 'attempts',
    data: statusData(result),
    title: 'How the expected attempts ended',
    description: `One bar per model and horizon, cut by status. ${said.join(' ')}`,
    draw: (layout) => draw(result, layout),
    legend: stackLegend(STATUSES.map((status) => [`s-${status}`, status])),
    caption: html`<p>Right of each bar: the share that was scored. A status that occurred at all is drawn at least two pixels wide; the table below has the counts.</p>`,
  }
}

function statusData(result: EvaluationResult): Figure['data'] {
  return {
    columns: [
      column('model', 'text'),
      ...['horizon_hours', 'expected', ...STATUSES].map((name) => column(name, 'integer')),
    ],
    rows: result.models.flatMap(({ name }) =>
      result.settings.horizons_hours.flatMap((horizon) => {
        const cell = accountingIn(result, name, horizon)
        if (!cell) return []
        return [[name, horizon, cell.expected, ...STATUSES.map((status) => cell.point[status])]]
      }),
    ),
  }
}
