import { percent, whole } from '../../../output/figures.js'
import { type Commitment, forecastsOf } from '../../time-line.js'
import { html, lines } from '../markup.js'
import { at } from '../scale.js'
import { type ChartLayout, column, type Drawing, type Figure, shortened, WIDTH } from './figure.js'
import { stackedBar, stackLegend } from './stack.js'

const PARTS = [
  ['committed', 's-scored', 'committed in time'],
  ['committed_late', 's-abstained', 'late'],
  ['not_committed', 's-missing', 'not committed'],
  ['withdrawn', 's-failed', 'withdrawn'],
] as const
const ROW = 24

function draw({ models }: Commitment, layout: ChartLayout): Drawing {
  const width = WIDTH[layout]
  const [left, right] = layout === 'wide' ? [240, width - 170] : [0, width - 76]
  const high = layout === 'wide' ? ROW : 2 * ROW
  const body = models.map((model, index) => {
    const y = 4 + index * high + (layout === 'wide' ? 0 : ROW)
    const all = forecastsOf(model)
    const share = percent(all === 0 ? null : model.committed / all, 2)
    const said = layout === 'wide' ? `${share} of ${whole(all)}` : share
    const label = layout === 'wide' ? y + 12 : y - 8
    const parts = PARTS.map(([name, tone]) => ({ count: model[name], tone }))
    return lines([
      html`<text class="label" x="0" y="${at(label)}">${shortened(model.model, layout === 'wide' ? 26 : 40)}</text>`,
      stackedBar(parts, all, { left, full: right - left, y }),
      html`<text class="cell" x="${width}" y="${at(y + 12)}">${said}</text>`,
    ])
  })
  return { height: 8 + models.length * high, body: lines(body) }
}

/** One bar per model: which of its forecasts stood in a stamped checkpoint in time. */
export function committedFigure(commitment: Commitment): Figure {
  const said = commitment.models.map(
    (model) =>
      `${model.model}: ${PARTS.map(([name, , words]) => `${model[name]} ${words}`).join(', ')}.`,
  )
  return {
    id: 'chart-committed',
    file: 'committed-forecasts',
    title: 'Forecasts committed within the lag',
    description: `One bar per model, cut by what became of its forecasts. ${said.join(' ')}`,
    draw: (layout) => draw(commitment, layout),
    data: {
      columns: [column('model', 'text'), ...PARTS.map(([name]) => column(name, 'integer'))],
      rows: commitment.models.map((model) => [model.model, ...PARTS.map(([name]) => model[name])]),
    },
    legend: stackLegend(PARTS.map(([, tone, name]) => [tone, name])),
    caption: html`<p>Right of each bar: the share that a stamped checkpoint held in time, of all forecasts that the history or the log has.</p>`,
  }
}
