import type { AnyResult } from '../../../evaluation/result/types.js'
import { percent, whole } from '../../../output/figures.js'
import { othersSaid, othersTable } from '../../registrations.js'
import {
  type Commitment,
  commitmentSentence,
  eventTime,
  forecastsOf,
  levelIn,
  READ_AT,
  timeLine,
} from '../../time-line.js'
import { committedFigure } from '../charts/bars.js'
import { drawnFigure } from '../charts/figure.js'
import { timeLineFigure } from '../charts/time-line.js'
import { html, type Markup } from '../markup.js'
import { folded, table } from './table.js'

function events(result: AnyResult): Markup {
  return table({
    caption: 'The time line',
    head: ['what', 'when', 'who says so'],
    left: [1, 2],
    rows: timeLine(result).map((event) => [event.name, eventTime(event), event.source]),
  })
}

function committed({ models }: Commitment): Markup {
  return table({
    caption: 'Forecasts by what the log shows of them',
    head: [
      'model',
      'expected attempts',
      'forecasts',
      'committed in time',
      'share',
      'late',
      'not committed',
      'withdrawn',
    ],
    rows: models.map((model) => {
      const all = forecastsOf(model)
      return [
        model.model,
        whole(model.expected),
        whole(all),
        whole(model.committed),
        percent(all === 0 ? null : model.committed / all, 2),
        whole(model.committed_late),
        whole(model.not_committed),
        whole(model.withdrawn),
      ]
    }),
  })
}

/** What came before what, and who says so. */
export function timeSection(result: AnyResult): Markup {
  const commitment = result.time?.commitment ?? null
  const { registrations } = result
  return html`<p>Time of the registration: <strong>${levelIn(result)}</strong>. ${commitmentSentence(result)}</p>
${drawnFigure(timeLineFigure(result))}
${folded('The time line as a table', events(result))}
${commitment && drawnFigure(committedFigure(result, commitment))}
${commitment && folded('The commitments as a table', committed(commitment))}
<p class="small">${READ_AT} A stamp says “before”. It does not say that the models were not tuned on what is judged.</p>
${registrations && html`<p>${othersSaid(result, registrations)}</p>`}
${registrations && registrations.others.length > 0 && table({ caption: 'Other registrations of the ledger', left: [1, 2, 3, 4], ...othersTable(registrations) })}`
}
