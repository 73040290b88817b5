import { formatUtc, type Instant, instantOrNaN } from '../contract/instant.js'
import { decimal, signedPercent } from '../output/figures.js'
import { NO_DIFFERENCE } from '../report/html/charts/difference.js'
import {
  DRAWING_WIDTH,
  type Drawing,
  lineAt,
  shortened,
  textAt,
} from '../report/html/charts/figure.js'
import { type ChartRow, drawRowChart } from '../report/html/charts/row-chart.js'
import { html, joinLines, type Markup } from '../report/html/markup.js'
import { at, linear, tickDigits, timeScale } from '../report/html/scale.js'
import type { End, ForeproofRecord, RecordCandidate, RecordRow } from './track-record.js'

/** The ends that have a colour of their own, with that colour. */
const COLOURS: readonly (readonly [colour: string, name: string, ends: readonly End[]])[] = [
  ['--s-scored', 'scored', ['scored']],
  [
    '--s-failed',
    'withheld, broken off, missing or overdue',
    ['result_withheld', 'broken_off', 'file_missing', 'overdue'],
  ],
  ['--s-abstained', 'closed or cancelled', ['closed', 'cancelled']],
  ['--accent', 'still open', ['awaiting_outcomes', 'running', 'announced']],
]

const endColour = (end: End): string =>
  COLOURS.find(([, , ends]) => ends.includes(end))?.[0] ?? '--other'

/** The legend of the windows. */
export const windowLegend = (): Markup =>
  html`<ul class="legend">${COLOURS.map(
    ([colour, name]) =>
      html`<li><svg aria-hidden="true" width="24" height="14"><rect y="2" width="24" height="10" style="fill:var(${colour})"/></svg> ${name}</li>`,
  )}</ul>`

/** When a window begins and ends; open ends are those of the picture. */
interface Span {
  readonly row: RecordRow
  readonly from: Instant
  readonly to: Instant
}

/** More rows share the height that this many have. */
const MOST_ROWS = 60
const LABEL = 34

/** The windows of all registrations on one scale of time, in the order of the ledger. */
export function windowsPicture({ registrations, built_at }: ForeproofRecord): Drawing {
  const now = instantOrNaN(built_at)
  const spans = registrations.map((row): Span => {
    const from = instantOrNaN(row.first_inputs ?? row.registered_at)
    const to = instantOrNaN(row.last_settled ?? '')
    return { row, from, to: Number.isNaN(to) ? Math.max(now, from) : to }
  })
  const scale = timeScale([...spans.flatMap(({ from, to }) => [from, to]), now], 5)
  const x = (instant: Instant) => LABEL + scale.share(instant) * (DRAWING_WIDTH - LABEL)
  const step = spans.length <= MOST_ROWS ? 14 : (14 * MOST_ROWS) / spans.length
  const [top, bottom] = [18, 18 + spans.length * step]
  const bar = ({ row, from, to }: Span, index: number) => {
    const y = top + index * step
    const width = Math.max(x(to) - x(from), 1.5)
    const label = spans.length <= MOST_ROWS && textAt('cell', LABEL - 6, y + 11, String(row.seq))
    return html`${label}<rect x="${at(x(from))}" y="${at(y + step * 0.15)}" width="${at(width)}" height="${at(step * 0.7)}" style="fill:var(${endColour(row.end)})"/>`
  }
  const day = (instant: Instant) => formatUtc(instant).slice(0, 10)
  return {
    height: bottom + 22,
    body: joinLines([
      ...scale.ticks.map(
        (tick) =>
          html`${lineAt('grid', [x(tick), x(tick)], [top, bottom])}${textAt('tick', x(tick), bottom + 16, day(tick))}`,
      ),
      ...spans.map(bar),
      lineAt('reference', [x(now), x(now)], [top - 4, bottom]),
      textAt('mark', Math.min(x(now), DRAWING_WIDTH - 20), top - 7, 'built'),
    ]),
  }
}

/** A candidate of a scored evaluation, with its closest comparator. */
export interface ForestRow {
  readonly row: RecordRow
  readonly of: RecordCandidate
}

/** The candidates of scored evaluations that others show, by first readings alone. */
export const forestRows = ({ registrations }: ForeproofRecord): ForestRow[] =>
  registrations
    .filter(
      ({ table, end, result }) =>
        table === 'shown_by_others' && end === 'scored' && result?.exploratory === false,
    )
    .flatMap((row) => (row.result?.candidates ?? []).map((of) => ({ row, of })))

/** The picture has the newest of more rows. */
export const MOST_FOREST_ROWS = 100

/** Each candidate against its closest comparator. */
export function forestPicture(rows: readonly ForestRow[]): Drawing {
  const shown = rows.slice(-MOST_FOREST_ROWS).map(({ row, of }): ChartRow => {
    const { difference = null, lower = null, upper = null } = of.strongest ?? {}
    const isEligible = of.disposition.startsWith('eligible')
    return {
      label: `${row.seq} ${shortened(of.candidate, 14)}`,
      tone: isEligible ? 'good' : of.disposition === 'negative' ? 'bad' : 'open',
      point: difference,
      bounds: { lower, upper },
      cells: [signedPercent(difference, 1)],
      absent: 'no figure',
    }
  })
  const values = shown.flatMap(({ point, bounds }) => [point, bounds.lower, bounds.upper])
  const scale = linear([0, ...values], 9)
  return drawRowChart({
    scale,
    tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
    axis: '% of the comparator’s loss (left is better)',
    references: [NO_DIFFERENCE],
    columns: ['difference'],
    groups: [{ rows: shown }],
  })
}

/** What people who cannot see a picture are told of it. */
interface Described {
  readonly id: string
  readonly title: string
  readonly description: string
}

/** A picture on the page, without any other file. */
export const pictured = (
  { id, title, description }: Described,
  { height, body }: Drawing,
  caption: Markup,
): Markup =>
  html`<figure id="${id}"><svg role="img" aria-labelledby="${id}-t ${id}-d" viewBox="0 0 ${DRAWING_WIDTH} ${at(height)}" width="${DRAWING_WIDTH}" height="${at(height)}">
<title id="${id}-t">${title}</title>
<desc id="${id}-d">${description}</desc>
${body}
</svg>
<figcaption>${caption}</figcaption></figure>`
