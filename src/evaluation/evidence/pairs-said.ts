import { ForeproofError } from '../../contract/error.js'
import { type Instant, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import { INTERVAL_LEVEL, PAIR } from '../../contract/limits.js'
import type { PairLine, Registration } from '../../contract/types.js'
import { HOURLY_LEVELS } from '../../forecast/row.js'
import { readPairLine } from '../../pairing/lines.js'
import {
  isLate,
  type PairedAttempt,
  REASONS,
  type Reason,
  STATUS_OF,
  STATUSES,
} from '../../pairing/paired-attempt.js'
import type { PairingPlan, PairingRules } from '../../pairing/plan.js'
import { asksForLog } from '../../registration/time-rules.js'
import { createVintage } from '../../truth/closes/vintage.js'
import { ALWAYS, type Releases } from '../../truth/releases.js'
import { createTruth, undatedManifest } from '../../truth/releases-vintage.js'
import { type Outcomes, toHourlyOutcomes, toSeriesOutcomes } from '../inputs.js'
import { type Documents, isOfSeries, type SeriesDocuments } from '../load.js'
import { registeredModels } from '../plan.js'
import type { Result } from '../result/result.js'
import { pairLinesIn } from './open.js'

/** An attempt as a line of pairs states it; undefined if the line is invalid or contradicts itself. */
type ReadAttempt = (line: string) => PairedAttempt | undefined

/**
 * Attempts for an audit without the history: those of the models of the history from the stored pairs, with the
 * outcomes of the vintage; all others are recomputed. From the first inconsistent line on, all are recomputed: the
 * comparison with the stored pairs then reports that line.
 */
export async function* saidAttempts(
  made: AsyncIterable<Iterable<PairedAttempt>>,
  plan: PairingPlan,
  folder: string,
  documents: Documents,
  builtIn: PairingPlan['builtIn'],
): AsyncGenerator<Iterable<PairedAttempt>> {
  const readAttempt = isOfSeries(documents)
    ? seriesAttempt(documents.rules.forecast.levels, plan.rules)
    : hourlyAttempt(plan.rules)
  const asksLog = asksForLog(documents.registration.commitment)
  const mayBeLate = ({ model }: PairedAttempt) => asksLog && !plan.builtIn?.has(model)
  const lines = pairLinesIn(folder, readAttempt)
  // The comparison will stop at an invalid line.
  const read = (): IteratorResult<PairedAttempt, undefined> => {
    try {
      return lines.next()
    } catch (cause) {
      if (cause instanceof ForeproofError) return { done: true, value: undefined }
      throw cause
    }
  }
  let next = read()
  const rowsBeside = function* () {
    for (; !next.done && isBeside(next.value); next = read()) yield next.value
  }
  const merged = function* (attempts: Iterable<PairedAttempt>) {
    for (const attempt of attempts) {
      yield* rowsBeside()
      const line = next.done ? undefined : next.value
      if (line === undefined || !isSameAttempt(line, attempt)) {
        lines.return(undefined)
        next = read()
        yield attempt
        continue
      }
      next = read()
      const isMade = builtIn?.has(attempt.model) || (isLate(line.reason) && !mayBeLate(attempt))
      yield isMade ? attempt : (asSaid(line, attempt, plan, builtIn === undefined) ?? attempt)
    }
  }
  for await (const attempts of made) yield merged(attempts)
  yield rowsBeside()
}

/** Strata of these kinds need data that the pairs do not contain. */
const BEYOND: readonly string[] = ['volatility', 'trailing_return', 'regime']

/**
 * The outcomes as a result and its pairs show them, for an audit without outcomes. Undefined if this is not enough.
 * @throws {ForeproofError} `invalid-input` at a line that `score` cannot have written.
 */
export function saidOutcomes(
  folder: string,
  result: Result,
  documents: Documents,
): Outcomes | undefined {
  return isOfSeries(documents)
    ? saidTruth(folder, result, documents)
    : saidCloses(folder, result, documents.registration)
}

/**
 * Closes of hours for which an attempt was scored. This is not enough if strata need closes from before the window, or
 * if some closes may have no scored attempt.
 */
function saidCloses(
  folder: string,
  { inputs: { outcomes } }: Result,
  registration: Registration,
): Outcomes | undefined {
  const isSure = registeredModels(registration, 'built_in').includes('persistence')
  if (!isSure || registration.rules.strata.some(({ by }) => BEYOND.includes(by))) return undefined
  const closes = new Map<Instant, number>()
  /** Those for which an attempt shows that an outcome exists. */
  const there = new Set<string>()
  for (const line of pairLinesIn(folder, readPairLine)) {
    const { origin, target, base: p0, outcome: p1 } = line
    const hasNone: readonly string[] = ['not_matured', 'outcome_missing']
    if (line.expected && target !== null && !hasNone.includes(line.reason)) there.add(target)
    if (p0 !== null) closes.set(instantOrNaN(origin), p0)
    if (p1 !== null) closes.set(instantOrNaN(target ?? ''), p1)
  }
  if (
    closes.size === 0 ||
    [...there].some((target) => !closes.has(instantOrNaN(target))) ||
    [...closes.keys()].some((at) => !Number.isInteger(at / MICROS_PER_HOUR))
  ) {
    return undefined
  }
  const { id: vintage_id, sha256, source, rows: count, complete_to } = outcomes
  const made = createVintage(closes, source)
  const last = complete_to ?? made.manifest.last
  const manifest = { ...made.manifest, vintage_id, sha256, source, last, count }
  return toHourlyOutcomes({ ...made, manifest, last: instantOrNaN(last) })
}

/**
 * For other series, an attempt itself shows whether there is an outcome. If none was scored, its value is not needed;
 * no line shows when values became public.
 */
function saidTruth(
  folder: string,
  { inputs: { outcomes } }: Result,
  documents: SeriesDocuments,
): Outcomes {
  const table = new Map<string, Map<string, Releases>>()
  for (const line of pairLinesIn(folder, readPairLine)) {
    const { series, target, outcome, expected, reason } = line
    if (!expected || target === null || reason === 'outcome_missing') continue
    const releases = table.get(series) ?? new Map<string, Releases>()
    table.set(series, releases)
    if (outcome !== null || !releases.has(target))
      releases.set(target, [{ asOf: ALWAYS, value: outcome ?? 0 }])
  }
  const { id: vintage_id, ...rest } = outcomes
  const manifest = undatedManifest({ vintage_id, ...rest, series: table.size })
  return toSeriesOutcomes(createTruth(manifest, table), documents)
}

const isSameAttempt = (
  stored: PairedAttempt,
  { origin, series, horizon, model }: PairedAttempt,
): boolean =>
  stored.expected &&
  stored.model === model &&
  stored.horizon === horizon &&
  stored.series === series &&
  stored.origin === origin

/** A row outside the grid. */
const isBeside = ({ expected, status, intervalStatus, p0, p1 }: PairedAttempt): boolean =>
  !expected && status !== 'scored' && intervalStatus !== 'scored' && p0 === null && p1 === null

/**
 * An attempt of the grid with its stated status and values; undefined if these contradict each other or the outcomes.
 */
function asSaid(
  stored: PairedAttempt,
  made: PairedAttempt,
  plan: PairingPlan,
  isWithoutOutcomes: boolean,
): PairedAttempt | undefined {
  const { rules } = plan
  if (!couldBe(stored.reason, made.reason)) return undefined
  const { outcome = null } = rules.target(Number(made.origin), made)
  // Only outcomes show when values became public.
  const [seen, base] = isWithoutOutcomes
    ? [stored.seen, stored.p0]
    : [made.seen, rules.seen(Number(made.origin), made.series).base]
  const scored = stored.status === 'scored'
  const isComplete =
    stored.quantiles.length === stored.levels.length && !stored.quantiles.includes(null)
  if (scored && stored.forecast === null) return undefined
  if (stored.intervalStatus === 'scored' && !(scored && isComplete)) return undefined
  const late = isLate(stored.reason)
  if (late && !isLateSound(stored, rules)) return undefined
  const counts = scored || (late && stored.p1 !== null)
  const [p0, p1] = counts ? [base, outcome] : [null, null]
  const first = { ...stored, target: made.target, expected: true, cell: made.cell, seen, p0, p1 }
  const isTwo = late && plan.isReadTwice
  return { ...first, second: isTwo ? inSecondReading(first, made.reason, rules) : undefined }
}

/** Reasons of a key that apply whatever its row contains, unless an earlier reason applies. */
const OF_KEYS: readonly Reason[] = ['not_matured', 'outcome_missing', 'before_registration']

/** Whether an attempt can have a reason. @param made - the reason of its key without a row. */
function couldBe(reason: Reason, made: Reason): boolean {
  if (OF_KEYS.includes(reason)) return reason === made
  return !OF_KEYS.includes(made) || REASONS.indexOf(reason) < REASONS.indexOf(made)
}

/** Checks that a late forecast has its outcome exactly if it could be scored. */
function isLateSound(stored: PairedAttempt, { fault }: PairingRules): boolean {
  // Lines do not have the price at the origin that an hourly forecast states. An attempt with an invalid one has no
  // outcome, so try the check without a price.
  const findFault = (sourcePrice: number | null) => fault({ ...stored, sourcePrice })
  return stored.p1 === null ? findFault(null) !== undefined : findFault(1) === undefined
}

/** A late forecast, judged as if it were in time. @param unlate - the reason of its key without a forecast. */
function inSecondReading(
  stored: PairedAttempt,
  unlate: Reason,
  { fault, interval }: PairingRules,
): PairedAttempt {
  const ofValues =
    stored.p1 === null ? (fault({ ...stored, sourcePrice: null }) ?? 'scored') : 'scored'
  const reason = unlate === 'before_registration' ? unlate : ofValues
  const status = STATUS_OF[reason]
  const isScored = status === 'scored'
  const ofBounds = interval({ ...stored, level: INTERVAL_LEVEL }, status)
  // The line omits bounds of another level, so they are kept unchanged.
  const isOther = stored.intervalStatus !== 'ineligible' || ofBounds === 'missing'
  return {
    ...stored,
    ...{ status, reason, intervalStatus: isOther ? stored.intervalStatus : ofBounds },
    p0: isScored ? stored.p0 : null,
    p1: isScored ? stored.p1 : null,
  }
}

function hourlyAttempt(rules: PairingRules): ReadAttempt {
  return (text) => {
    const line = readPairLine(text)
    if (line?.series !== PAIR) return undefined
    return sound(toAttempt(line, HOURLY_LEVELS, rules))
  }
}

function toAttempt(
  line: PairLine,
  levels: readonly string[],
  { position }: PairingRules,
): Omit<PairedAttempt, 'cell'> {
  const { series, model, expected, status, reason, interval_status: intervalStatus } = line
  const { value: forecast, quantiles, base: p0, outcome: p1 } = line
  return {
    ...toPositions(line, position),
    ...{ series, horizon: line.step ?? Number.NaN, model, expected, status, reason },
    ...{ intervalStatus, p0, p1, forecast, levels, quantiles },
    vintageId: line.vintage_id,
    vintageSha256: line.vintage_sha256,
  }
}

/** The reasons that depend on the values of a line. */
const OF_VALUES: readonly string[] = [
  ...['scored', 'quantiles_incomplete', 'quantiles_cross', 'out_of_range', 'not_integer'],
]

/** Judges again whether its values can be scored. */
function seriesAttempt(levels: readonly string[], rules: PairingRules): ReadAttempt {
  return (text) => {
    const line = readPairLine(text)
    if (line === undefined || STATUS_OF[line.reason] !== line.status) return undefined
    const attempt = toAttempt(line, levels, rules)
    if (!OF_VALUES.includes(line.reason)) return sound(attempt)
    const reason = rules.fault({ ...attempt, sourcePrice: null }) ?? 'scored'
    const status = STATUS_OF[reason]
    return sound({ ...attempt, status, reason, intervalStatus: status })
  }
}

function toPositions({ origin, target, seen }: PairLine, position: PairingRules['position']) {
  const toPosition = (text: string | null) => {
    const index = text === null ? Number.NaN : position(text)
    return Number.isNaN(index) ? null : index
  }
  const at = toPosition(origin)
  return {
    origin: at,
    ...(at === null && { originText: origin }),
    ...{ target: toPosition(target), seen: toPosition(seen) },
  }
}

function sound(stored: Omit<PairedAttempt, 'cell'>): PairedAttempt | undefined {
  const isSound =
    STATUS_OF[stored.reason] === stored.status && STATUSES.includes(stored.intervalStatus)
  return isSound ? { ...stored, cell: undefined } : undefined
}
