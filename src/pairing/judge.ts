import type { Instant } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'
import type { PairingRow } from '../forecast/row.js'
import type { MatchTarget } from './grid.js'
import type { Clock } from './row-order.js'
import type { PairingPlan, Reason, Status } from './types.js'

/** True for a price that a logarithm can be taken of. */
export function isPrice(value: number | null | undefined): boolean {
  return value != null && value > 0 && value < Number.POSITIVE_INFINITY
}

/** True where a forecast was made; a recorded failure or abstention alone has none. */
function hasForecast(row: PairingRow): boolean {
  return row.forecast !== null
}

/** `timestamp_invalid` or `target_mismatch` where the times of a row say so. */
export function faultOfTimes(
  row: PairingRow,
  target: MatchTarget,
  clock: Clock,
): Reason | undefined {
  const { targetAt, generatedAt, inputAvailableAt, selectionDataThrough } = row
  for (const text of [generatedAt, inputAvailableAt, selectionDataThrough]) {
    if (text !== null && Number.isNaN(clock.read(text))) return 'timestamp_invalid'
  }
  if (targetAt === null) return hasForecast(row) ? 'timestamp_invalid' : undefined
  if (targetAt === target.text) return undefined
  const instant = clock.read(targetAt)
  if (Number.isNaN(instant)) return 'timestamp_invalid'
  // A horizon that is no number has no target that could be missed.
  return Number.isNaN(target.instant) || instant === target.instant ? undefined : 'target_mismatch'
}

/** An expected key, with what the vintage has for it. */
export interface ExpectedKey {
  readonly origin: Instant
  readonly horizon: number
  readonly model: string
  readonly target: MatchTarget
  readonly originClose: number | undefined
}

/** The reason for an expected key: the first that applies, in the order of REASONS or with outcomes before all. */
export function judge(
  plan: PairingPlan,
  key: ExpectedKey,
  row: PairingRow | undefined,
  clock: Clock,
): Reason {
  const { origin, originClose, target } = key
  const unknown = originClose === undefined || target.close === undefined
  if (unknown && plan.forVerdict) return 'outcome_missing'
  const early =
    row === undefined
      ? undefined
      : (faultOfTimes(row, target, clock) ?? leak(plan, origin, row, clock))
  if (early !== undefined) return early
  if (target.instant > plan.asOf) return 'not_matured'
  if (plan.mode === 'prospective') {
    const late = row === undefined ? undefined : lateness(plan, origin, target, row, clock)
    if (late !== undefined) return late
    const uncommitted = commitmentFault(plan, key, row)
    if (uncommitted !== undefined) return uncommitted
    if (plan.registeredAt !== undefined && origin < plan.registeredAt) return 'before_registration'
  }
  if (row === undefined || (row.attempt === null && !hasForecast(row))) return 'forecast_missing'
  if (unknown) return 'outcome_missing'
  // Beside a forecast that the log has shown by now, a recorded attempt takes nothing back.
  const isKept = plan.forVerdict && hasForecast(row) && asksLog(plan, key.model)
  if (row.attempt !== null && !isKept) {
    return row.attempt === 'abstained' ? 'recorded_abstention' : 'recorded_failure'
  }
  return isPrice(row.forecast) && isPrice(row.sourcePrice) ? 'scored' : 'invalid_price'
}

/**
 * Whether a forecast was made too late to be one. Where a lag is registered, a forecast that does not
 * say when it was made is late too: otherwise silence about the time would beat the rule.
 */
function lateness(
  { publicationLag: lag, builtIn }: PairingPlan,
  origin: Instant,
  target: MatchTarget,
  row: PairingRow,
  clock: Clock,
): Reason | undefined {
  const made = row.generatedAt === null ? undefined : clock.read(row.generatedAt)
  if (lag === undefined) {
    return made !== undefined && made > target.instant ? 'generated_after_target' : undefined
  }
  if (made !== undefined) {
    return made > lastMoment(origin, target, lag) ? 'published_late' : undefined
  }
  return hasForecast(row) && !builtIn?.has(row.model) ? 'published_late' : undefined
}

/** Whether the log has to prove the forecasts of a model. */
function asksLog({ mode, commitment, builtIn }: PairingPlan, model: string): boolean {
  return mode === 'prospective' && commitment !== undefined && !builtIn?.has(model)
}

/**
 * Whether the log proves a forecast, where it has to. It is not asked about a recorded attempt or an empty
 * key, but a forecast that was there once and is no more is reported.
 */
function commitmentFault(
  { commitment, publicationLag, builtIn }: PairingPlan,
  { origin, target, horizon, model }: ExpectedKey,
  row: PairingRow | undefined,
): Reason | undefined {
  if (commitment === undefined || builtIn?.has(model)) return undefined
  const committed = commitment.committed(origin, horizon, model)
  if (committed === 'withdrawn') return 'withdrawn'
  if (row === undefined || !hasForecast(row)) return undefined
  if (committed === undefined) return 'not_committed'
  return committed > lastMoment(origin, target, publicationLag) ? 'committed_late' : undefined
}

/** Until when a forecast may be made: within the lag, and not after its target. */
export function lastMoment(
  origin: Instant,
  target: Pick<MatchTarget, 'instant'>,
  lag = Number.POSITIVE_INFINITY,
): Instant {
  return Math.min(origin + lag, target.instant)
}

/** What a row says, or fails to say, about the information it was made from. */
function leak(
  plan: PairingPlan,
  origin: Instant,
  row: PairingRow,
  clock: Clock,
): Reason | undefined {
  const { inputAvailableAt, selectionDataThrough } = row
  if (inputAvailableAt !== null && clock.read(inputAvailableAt) > origin) return 'lookahead'
  if (selectionDataThrough !== null && clock.read(selectionDataThrough) > origin) return 'lookahead'
  if (!plan.provenanceRequired || !hasForecast(row) || plan.builtIn?.has(row.model))
    return undefined
  const complete =
    inputAvailableAt !== null &&
    selectionDataThrough !== null &&
    row.vintageId !== null &&
    row.vintageSha256 !== null
  return complete ? undefined : 'provenance_missing'
}

/**
 * The status of the interval, an estimand of its own: without bounds it is missing, with bounds
 * that are no prices or cross it failed, at another level it is ineligible, otherwise it ended as
 * the point did. Equal bounds do not cross.
 */
export function judgeInterval(
  row: Pick<PairingRow, 'q10' | 'q50' | 'q90' | 'level'>,
  point: Status,
): Status {
  const { q10, q50, q90, level } = row
  if (q10 === null && q50 === null && q90 === null) return 'missing'
  const ordered = isPrice(q10) && isPrice(q50) && isPrice(q90) && q10! <= q50! && q50! <= q90!
  if (!ordered) return 'failed'
  return level === INTERVAL_LEVEL ? point : 'ineligible'
}
