import type { Result } from '../../../evaluation/result/result.js'
import { formatWhole, percentOfAll } from '../../../output/figures.js'
import { othersSaid, othersTable } from '../../registrations.js'
import {
  type Commitment,
  commitmentSentence,
  countForecasts,
  eventTime,
  levelIn,
  READ_AT,
  timeLine,
} from '../../time-line.js'
import { committedFigure } from '../charts/bars.js'
import { drawnFigure } from '../charts/figure.js'
import { timeLineFigure } from '../charts/time-line.js'
import { folded, html, type Markup } from '../markup.js'
import { columnTable, renderTable } from './table.js'

function events(result: Result): Markup {
  return columnTable({ caption: 'The time line' }, timeLine(result), [
    ['what', ({ name }) => name],
    ['when', eventTime, 'left'],
    ['who says so', ({ source }) => source, 'left'],
  ])
}

function committed({ models }: Commitment): Markup {
  return columnTable({ caption: 'Forecasts by what the log shows of them' }, models, [
    ['model', ({ model }) => model],
    ['expected attempts', ({ expected }) => formatWhole(expected)],
    ['forecasts', (of) => formatWhole(countForecasts(of))],
    ['committed in time', ({ committed }) => formatWhole(committed)],
    ['share', (of) => percentOfAll(of.committed, countForecasts(of))],
    ['late', ({ committed_late: late }) => formatWhole(late)],
    ['not committed', ({ not_committed: never }) => formatWhole(never)],
    ['withdrawn', ({ withdrawn }) => formatWhole(withdrawn)],
  ])
}

/** The order of events, and the source of each time. */
export function timeSection(result: Result): Markup {
  const commitment = result.time?.commitment ?? null
  const { registrations } = result
  return html`<p>Time of the registration: <strong>${levelIn(result)}</strong>.</p>
${commitmentSentence(result).map((sentence) => html`<p>${sentence}</p>\n`)}
${drawnFigure(timeLineFigure(result))}
${folded('The time line as a table', events(result))}
${commitment && drawnFigure(committedFigure(commitment))}
${commitment && folded('The commitments as a table', committed(commitment))}
<p class="small">${READ_AT} A stamp says “before”, not that the models were not tuned on what is judged.</p>
${registrations && html`<p>${othersSaid(result, registrations)}</p>`}
${registrations && registrations.others.length > 0 && renderTable({ caption: 'Other registrations of the ledger', left: [1, 2, 3, 4], ...othersTable(registrations) })}`
}
