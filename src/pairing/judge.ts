import type { Instant } from '../contract/instant.js'
import type { PairingRow } from '../forecast/row.js'
import type { GridCell, PeriodPosition } from './grid.js'
import type { Reason } from './paired-attempt.js'
import type { PairingPlan, Target } from './plan.js'

/** The instant of a stored timestamp; NaN for an invalid text. */
export type ReadTime = (text: string) => Instant

/** True if a forecast was made; a recorded failure or abstention has none. */
const hasForecast = (row: PairingRow): boolean => row.forecast !== null

/** `timestamp_invalid` or `target_mismatch` if the times of a row are wrong. */
export function faultOfTimes(row: PairingRow, target: Target, read: ReadTime): Reason | undefined {
  const { targetAt, generatedAt, inputAvailableAt, selectionDataThrough } = row
  for (const text of [generatedAt, inputAvailableAt, selectionDataThrough]) {
    if (text !== null && Number.isNaN(read(text))) return 'timestamp_invalid'
  }
  if (target.text === null) return undefined
  if (targetAt === null) return hasForecast(row) ? 'timestamp_invalid' : undefined
  if (targetAt === target.text) return undefined
  const instant = read(targetAt)
  if (Number.isNaN(instant)) return 'timestamp_invalid'
  // An invalid horizon has no target to mismatch.
  return Number.isNaN(target.end) || instant === target.end ? undefined : 'target_mismatch'
}

/** An expected key and what is known about its target. */
export interface ExpectedKey {
  readonly origin: PeriodPosition
  readonly cell: GridCell
  readonly model: string
  readonly target: Target
}

/**
 * The reason for an expected key: the first that applies, in the order of REASONS.
 * @param lateCounts - whether forecasts count that were committed late or never.
 */
export function decideReason(
  plan: PairingPlan,
  key: ExpectedKey,
  row: PairingRow | undefined,
  read: ReadTime,
  lateCounts = false,
): Reason {
  const { origin, target } = key
  const { rules } = plan
  if (!target.matured) return 'not_matured'
  if (target.outcome === undefined) return 'outcome_missing'
  const early =
    row === undefined
      ? undefined
      : (faultOfTimes(row, target, read) ?? leak(plan, origin, row, read))
  if (early !== undefined) return early
  if (plan.mode === 'prospective') {
    const late = row === undefined ? undefined : lateness(plan, target, row, read)
    if (late !== undefined) return late
    const uncommitted = commitmentFault(plan, key, row, lateCounts)
    if (uncommitted !== undefined) return uncommitted
    if (plan.registeredAt !== undefined && rules.inputs(origin) < plan.registeredAt) {
      return 'before_registration'
    }
  }
  if (row === undefined || (row.attempt === null && !hasForecast(row))) return 'forecast_missing'
  // A recorded failure or abstention does not withdraw a forecast that the log has already shown.
  const isKept = hasForecast(row) && asksLog(plan, key.model)
  if (row.attempt !== null && !isKept) {
    return row.attempt === 'abstained' ? 'recorded_abstention' : 'recorded_failure'
  }
  return rules.fault(row) ?? 'scored'
}

/**
 * Whether a forecast was made too late. One without a creation time counts as late; otherwise omitting the time would
 * evade the rule.
 */
function lateness(
  { builtIn }: PairingPlan,
  { latest, end }: Target,
  row: PairingRow,
  read: ReadTime,
): Reason | undefined {
  if (row.generatedAt === null) {
    return hasForecast(row) && !builtIn?.has(row.model) ? 'published_late' : undefined
  }
  const made = read(row.generatedAt)
  if (!(made > latest)) return undefined
  // If the target was over by then, every forecast was made after it.
  const isAfter = made > end && end >= latest
  return isAfter ? 'generated_after_target' : 'published_late'
}

/** Whether the log has to prove the forecasts of a model. */
function asksLog({ mode, commitment, builtIn }: PairingPlan, model: string): boolean {
  return mode === 'prospective' && commitment !== undefined && !builtIn?.has(model)
}

/**
 * Whether the log proves a forecast that needs proof. It is not asked about a recorded attempt or an empty key, but a
 * withdrawn forecast is reported.
 */
function commitmentFault(
  { commitment, builtIn }: PairingPlan,
  { origin, target, cell, model }: ExpectedKey,
  row: PairingRow | undefined,
  lateCounts: boolean,
): Reason | undefined {
  if (commitment === undefined || builtIn?.has(model)) return undefined
  const committed = commitment.committed(origin, cell, model)
  if (committed === 'withdrawn') return 'withdrawn'
  if (lateCounts || row === undefined || !hasForecast(row)) return undefined
  if (committed === undefined) return 'not_committed'
  return committed > target.latest ? 'committed_late' : undefined
}

/** What a row states, or fails to state, about the information it was made from. */
function leak(
  { rules, provenanceRequired, builtIn }: PairingPlan,
  origin: PeriodPosition,
  row: PairingRow,
  read: ReadTime,
): Reason | undefined {
  const { inputAvailableAt, selectionDataThrough, vintageId, vintageSha256 } = row
  const inputsAt = rules.inputs(origin)
  if (inputAvailableAt !== null && read(inputAvailableAt) > inputsAt) return 'lookahead'
  if (selectionDataThrough !== null && read(selectionDataThrough) > inputsAt) return 'lookahead'
  if (!provenanceRequired || !hasForecast(row) || builtIn?.has(row.model)) return undefined
  const needed = [inputAvailableAt, selectionDataThrough, vintageId, vintageSha256]
  return needed.includes(null) ? 'provenance_missing' : undefined
}
