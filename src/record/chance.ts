import { type Instant, instantOrNaN } from '../contract/instant.js'
import type { ForeproofRecord, RecordRow } from './track-record.js'

/**
 * What chance would give over every registration of the first table whose outcomes could be read, whatever its end: so
 * what is hidden counts as well.
 */
export function computeChance(rows: readonly RecordRow[], now: Instant): ForeproofRecord['chance'] {
  const counted = countedByChance(rows, now)
  const judged = counted.filter((row) => !row.waiting_given_away)
  return {
    evaluations: judged.length,
    eligible: judged.filter(isEligible).length,
    waiting_given_away: counted.length - judged.length,
    expected_at_most: judged.reduce((sum, { alpha_share }) => sum + alpha_share, 0),
  }
}

/** Ends of which no outcome counts, whatever a ledger or a list leaves open. */
const UNREAD: ReadonlySet<RecordRow['end']> = new Set(['cancelled', 'running', 'announced'])

/** Those of the first table whose outcomes could be read, or that were read or closed before. */
const countedByChance = (rows: readonly RecordRow[], now: Instant): RecordRow[] =>
  rows.filter(({ table, end, last_settled, closing, readings, result }) => {
    if (table !== 'shown_by_others' || UNREAD.has(end)) return false
    // A list may leave open when outcomes are known.
    const isSettled = !(now < instantOrNaN(last_settled ?? ''))
    return isSettled || closing !== null || readings.count > 0 || result !== null
  })

/** The evaluations over which chance is stated. */
export const judgedByChance = ({ registrations, built_at }: ForeproofRecord): RecordRow[] =>
  countedByChance(registrations, instantOrNaN(built_at)).filter((row) => !row.waiting_given_away)

/** Whether a candidate is eligible by the first reading of the outcomes. */
const isEligible = ({ end, result }: RecordRow): boolean =>
  end === 'scored' &&
  result?.exploratory === false &&
  (result.candidates ?? []).some(({ disposition }) => disposition === 'eligible_for_human_review')
