import {
  counted,
  formatWhole,
  listed,
  percent,
  readableTime,
  signedPercent,
} from '../output/figures.js'
import { CHANGE_SAYS } from '../report/changes.js'
import { judgedByChance } from './chance.js'
import {
  ENDS,
  type End,
  type ForeproofRecord,
  type RecordCandidate,
  type RecordClosing,
  type RecordRow,
  type RecordTable,
  TABLES,
} from './track-record.js'

/** The name of each end. */
export const END_NAME: Readonly<Record<End, string>> = {
  scored: 'scored',
  result_withheld: 'result withheld',
  broken_off: 'broken off',
  cancelled: 'cancelled',
  closed: 'closed',
  file_missing: 'file missing',
  overdue: 'overdue',
  awaiting_outcomes: 'awaiting outcomes',
  running: 'running',
  announced: 'announced',
}

/** What each end means. */
export const END_MEANS: Readonly<Record<End, string>> = {
  scored: 'Its first result is here.',
  result_withheld: 'It has a result, which is not here.',
  broken_off: 'Outcomes were read, and no result was written.',
  cancelled: 'It was closed before its window began, as others show.',
  closed: 'It was closed, and will not be scored.',
  file_missing: 'Its file is not here, so nobody can read what was registered.',
  overdue: 'It has no result 30 days after its last outcome counted.',
  awaiting_outcomes: 'Its last forecast was due; outcomes may still be missing.',
  running: 'Its window has begun.',
  announced: 'Its window has not begun.',
}

export const TABLE_NAME: Readonly<Record<RecordTable, string>> = {
  shown_by_others: 'Shown by others',
  own_word: 'By the keeper’s own word',
  backtests: 'Backtests',
}

/** What stands under the name of each table. */
export const TABLE_MEANS: Readonly<Record<RecordTable, string>> = {
  shown_by_others:
    'A time-stamp authority or a quorum of witnesses shows that each was registered before its window, and its forecasts had to be committed in the same way.',
  own_word: 'No error rate holds: that forecasts came before outcomes is the keeper’s word.',
  backtests:
    'Registered when outcomes could be known. A window chosen then can make any model look good, so no error rate holds.',
}

/** `5 scored, 2 closed and 2 overdue`: the ends that occurred. */
export function endsSaid(counts: Readonly<Record<End, number>>): string {
  const some = ENDS.filter((end) => counts[end] > 0)
  return listed(some.map((end) => `${formatWhole(counts[end])} ${END_NAME[end]}`))
}

export const totalCount = (counts: Readonly<Record<End, number>>): number =>
  ENDS.reduce((sum, end) => sum + counts[end], 0)

/** What the ledger is known to be, and what nobody can see from it. */
export function firstLine({ ledger }: ForeproofRecord): string[] {
  const { begins, first_seen: seen, whole_to: to, entries } = ledger
  const begun =
    begins === null
      ? 'One ledger, without an entry'
      : `One ledger, begun on ${readableTime(begins)} by its keeper’s clock`
  const shown = seen
    ? `, first seen by others (${seen.by}) on ${readableTime(seen.time)}`
    : ', never seen by others'
  const coverage = to
    ? `whole up to entry ${formatWhole(to.entry)} of ${formatWhole(entries)} by ${to.by} on ${readableTime(to.time)}`
    : `of its ${counted(entries, 'entry', 'entries')} nobody shows that none was removed`
  return [
    `${begun}${shown}; ${coverage}.`,
    'Nobody can see from it whether its keeper has other ledgers, other names for a model, or a newer list. Ask for the log’s key, and hold an older copy against it.',
  ]
}

/** What chance would give in the first table. */
export function chanceSentences(record: ForeproofRecord): string[] {
  const { evaluations, eligible, waiting_given_away, expected_at_most: sum } = record.chance
  const apart =
    waiting_given_away > 0 &&
    `${counted(waiting_given_away, 'further evaluation')} gave waiting away: no chance is stated for them.`
  if (evaluations === 0) {
    return [
      'No evaluation that others show has outcomes that could be read, so chance has nothing to say.',
      ...(apart ? [apart] : []),
    ]
  }
  const rows = judgedByChance(record)
  const ends = Object.fromEntries(
    ENDS.map((end) => [end, rows.filter((row) => row.end === end).length]),
  ) as Record<End, number>
  return [
    `Of ${counted(evaluations, 'evaluation')} shown by others whose outcomes could be read (${endsSaid(ends)}), ${formatWhole(eligible)} ended with an eligible candidate.`,
    `Suppose that no model is better than its comparators, and that the tests are valid: chance then gives on average at most ${Number(sum.toPrecision(2))} eligible ${sum === 1 ? 'result' : 'results'}, half the alpha of each (${sharesSaid(rows)}).${manySaid(eligible, sum)}`,
    ...(apart ? [apart] : []),
  ]
}

/** ` At most 8 % of such records have 2 or more.` */
function manySaid(eligible: number, sum: number): string {
  const share = sum / eligible
  return eligible === 0 || share >= 1
    ? ''
    : ` At most ${percent(share, 1)} of such records have ${formatWhole(eligible)} or more.`
}

/** `6 · 0.025 + 3 · 0.0042`: the sum, by its parts. */
function sharesSaid(rows: readonly RecordRow[]): string {
  const shares = [...new Set(rows.map(({ alpha_share }) => alpha_share))].sort((a, b) => b - a)
  return shares
    .map((share) => {
      const withShare = rows.filter(({ alpha_share }) => alpha_share === share)
      return `${formatWhole(withShare.length)} · ${Number(share.toPrecision(2))}`
    })
    .join(' + ')
}

const CLOSED_IN: Readonly<
  Record<RecordClosing['phase'], (of: RecordClosing, row: RecordRow) => string>
> = {
  before_window: () => 'before its window',
  in_window: ({ after_origins: due }, { window }) =>
    due === null || window === null
      ? 'within its window'
      : `after ${formatWhole(due)} of ${formatWhole(window.origins)} origins`,
  after_outcomes: ({ after_origins: due }, { window }) =>
    due === null || window === null
      ? 'after outcomes could be known'
      : `after ${formatWhole(due)} of ${formatWhole(window.origins)} origins, when outcomes could be known`,
}

/** When it was closed: `after 120 of 672 origins`. */
export function closedSaid(row: RecordRow): string {
  const { closing } = row
  if (closing === null) return ''
  const shown = closing.proved_at === null ? ', as nobody shows that it was earlier' : ''
  return `${CLOSED_IN[closing.phase](closing, row)}${shown}`
}

/** `scored: Eligible for human review`, `closed after 120 of 672 origins`. */
export function endSaid(row: RecordRow): string {
  const name = END_NAME[row.end]
  if (row.end === 'closed') return `${name} ${closedSaid(row)}`
  if (row.end !== 'scored') return name
  const verdicts = [...new Set(row.result?.candidates?.map(({ verdict }) => verdict))]
  const suffix = row.result?.exploratory ? ' (exploratory)' : ''
  return `${name}: ${listed(verdicts)}${suffix}`
}

/** The name of a registration, or its path where its file is not here. */
export const registrationName = ({ name, file }: RecordRow): string => name ?? file

/** Everything about a registration, in sentences. */
export function rowSentences(row: RecordRow): string[] {
  const { window, proofs, closing, readings, result, corrections } = row
  const time = (at: string | null) => (at === null ? 'an open time' : readableTime(at))
  const shown = proofs.map(
    ({ kind, by, time: at }) =>
      `${kind === 'stamp' ? by : `witnesses of ${by}`}: ${readableTime(at)}`,
  )
  return [
    `Protocol ${row.protocol}; ${window ? `${counted(window.origins, 'origin')} from ${readableTime(window.from)} to ${readableTime(window.to)}` : `window from ${time(row.first_inputs)} to ${time(row.last_settled)}`}.`,
    `Entry ${row.seq}, registered on ${readableTime(row.registered_at)} by the keeper’s clock; ${shown.length > 0 ? `shown by ${listed(shown)}` : 'shown by nobody else'}.`,
    ...(row.moved_from === null ? [] : [`It was entry ${row.moved_from} before a rebase.`]),
    ...(row.table === 'own_word' && row.commitment !== null
      ? ['It asks for proof by others, and none from before its window is here.']
      : []),
    ...(closing
      ? [`Closed as ${closing.as} by entry ${closing.seq}, ${closedSaid(row)}: “${closing.reason}”`]
      : []),
    ...(readings.count === 0
      ? []
      : [
          `Outcomes were read ${readings.count === 1 ? 'once' : `${formatWhole(readings.count)} times`}, first on ${time(readings.first_at)}.`,
        ]),
    ...(result?.at === null ? ['The ledger lacks its result.'] : []),
    ...(result?.candidates ?? []).map(candidateSaid),
    ...corrections.map(
      ({ seq, changed, reason, here }) =>
        `${changed?.map((what) => CHANGE_SAYS[what]).join(' ') || 'What was changed is not known.'} So says entry ${seq}, which replaces the result on the keeper’s word: “${reason}” ${here ? '' : 'That result is not here. '}The first one counts.`,
    ),
  ]
}

function candidateSaid(of: RecordCandidate): string {
  const { strongest } = of
  const left = of.left_out > 0 ? `, ${formatWhole(of.left_out)} left out` : ''
  const without =
    of.without_outcome > 0 ? `, ${formatWhole(of.without_outcome)} more without an outcome` : ''
  const difference = strongest
    ? ` Loss ${signedPercent(strongest.difference, 1)} against ${strongest.comparator}, the closest comparator (${signedPercent(strongest.lower, 1)} to ${signedPercent(strongest.upper, 1)}).`
    : ''
  return `${of.candidate}: ${of.verdict}. ${formatWhole(of.scored)} of ${formatWhole(of.expected)} forecasts scored${left}${without}.${difference}`
}

/** Registrations that asked for proof by others that is not here: with it they would be in the first table. */
export function unprovedSaid({ registrations }: ForeproofRecord): string | undefined {
  const some = registrations.filter(({ table, commitment }) => table === 'own_word' && commitment)
  if (some.length === 0) return undefined
  const entries = entriesSaid(some.map(({ seq }) => seq))
  return `${counted(some.length, 'registration')} of the second table asked for proof by others, which is not here (${entries}). Whoever leaves out a stamp can move one there.`
}

/** Times that nobody else shows, and what could be shown and is not. */
export function keeperSays(record: ForeproofRecord): string[] {
  const { registrations } = record
  const unseen = registrations.filter(({ proofs }) => proofs.length === 0)
  const closings = registrations.flatMap(({ closing }) =>
    closing !== null && closing.proved_at === null ? [closing.seq] : [],
  )
  const read = registrations.filter(({ readings }) => readings.count > 0)
  const readings = read.reduce((sum, of) => sum + of.readings.count, 0)
  const some: readonly (readonly [number, string, readonly number[]])[] = [
    [unseen.length, 'registration', unseen.map(({ seq }) => seq)],
    [closings.length, 'closing', closings],
  ]
  return [
    ...some
      .filter(([count]) => count > 0)
      .map(
        ([count, what, entries]) =>
          `When ${counted(count, `${what} was`, `${what}s were`)} entered: nobody else shows it (${entriesSaid(entries)}).`,
      ),
    ...(readings > 0
      ? [
          `When outcomes were read (${counted(readings, 'reading')} of ${counted(read.length, 'registration')}): by the keeper’s clock.`,
        ]
      : []),
    ...[unprovedSaid(record)].filter((sentence) => sentence !== undefined),
  ]
}

/** `entries 3, 4 and 7`, and no more than a reader looks up. */
function entriesSaid(entries: readonly number[]): string {
  const first = entries.slice(0, MOST_ENTRIES).map(String)
  const names = listed(entries.length > first.length ? [...first, 'others'] : first)
  return `${entries.length === 1 ? 'entry' : 'entries'} ${names}`
}

const MOST_ENTRIES = 20

/** Counts per table in a few lines. */
const tableLines = ({ counts }: ForeproofRecord): string[] =>
  TABLES.map((table) => {
    const total = totalCount(counts[table])
    return `${TABLE_NAME[table]}: ${formatWhole(total)}${total === 0 ? '' : ` (${endsSaid(counts[table])})`}`
  })

/** What a record shows first, in a few lines. */
export const recordLines = (record: ForeproofRecord): string[] => {
  const unproved = unprovedSaid(record)
  const lines = [...firstLine(record), ...tableLines(record), ...chanceSentences(record)]
  return unproved === undefined ? lines : [...lines, unproved]
}
