import { join } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { type Instant, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { Registration } from '../../contract/types.js'
import { HOURLY_LEVELS } from '../../forecast/row.js'
import { makeVintage } from '../../outcomes/vintage.js'
import type { PairLine } from '../../pairing/lines.js'
import {
  type PairedAttempt,
  type PairingPlan,
  type PairingRules,
  type Reason,
  STATUS_OF,
  STATUSES,
  type Status,
} from '../../pairing/types.js'
import { hourlyOutcomesOf, type Outcomes } from '../inputs.js'
import { modelsOf } from '../plan.js'
import type { EvaluationResult } from '../result/types.js'
import { FILES } from './folder.js'
import { pairLinesIn } from './open.js'

/**
 * Attempts as an auditor has them who has no history: those of the models of the history as the stored pairs say
 * them, with the closes of the vintage; all others as they were made again. From the first line that cannot belong
 * there on, all are as made: the comparison with the stored pairs finds that line.
 */
export async function* saidAttempts(
  made: AsyncIterable<Iterable<PairedAttempt>>,
  folder: string,
  { rules: { target } }: PairingPlan,
  builtIn: PairingPlan['builtIn'],
): AsyncGenerator<Iterable<PairedAttempt>> {
  const lines = pairLinesIn(join(folder, FILES.pairs))
  // What is no line of pairs is where the comparison will stop.
  const read = (): IteratorResult<PairLine, undefined> => {
    try {
      return lines.next()
    } catch (cause) {
      if (cause instanceof ForeproofError) return { done: true, value: undefined }
      throw cause
    }
  }
  let next = read()
  const beside = function* () {
    for (; !next.done && !next.value.expected; next = read()) {
      const said = besideGrid(next.value)
      if (said === undefined) break
      yield said
    }
  }
  const merged = function* (attempts: Iterable<PairedAttempt>) {
    for (const attempt of attempts) {
      yield* beside()
      const line = next.done ? undefined : next.value
      if (line === undefined || !isOf(line, attempt)) {
        lines.return(undefined)
        next = read()
        yield attempt
        continue
      }
      next = read()
      yield builtIn?.has(attempt.model) ? attempt : (asSaid(line, attempt, target) ?? attempt)
    }
  }
  for await (const attempts of made) yield merged(attempts)
  yield beside()
}

/** What these strata ask for is not in the pairs. */
const BEYOND: readonly string[] = ['volatility', 'trailing_return', 'regime']

/**
 * The outcomes as a result and its pairs show them, for an auditor who has none: closes of hours for which an attempt
 * was scored. Undefined where more would be needed: closes from before the window, or where it is not sure that each
 * pair of closes has a scored attempt.
 */
export function saidOutcomes(
  folder: string,
  { inputs: { vintage } }: EvaluationResult,
  registration: Registration,
): Outcomes | undefined {
  const isSure = modelsOf(registration, 'built_in').includes('persistence')
  if (!isSure || registration.strata.some(({ by }) => BEYOND.includes(by))) return undefined
  const closes = new Map<Instant, number>()
  for (const line of pairLinesIn(join(folder, FILES.pairs))) {
    const {
      origin_at: origin,
      target_at: target,
      origin_close_usd: p0,
      target_close_usd: p1,
    } = line
    if (p0 === null || p1 === null) continue
    closes.set(instantOrNaN(origin ?? ''), p0)
    closes.set(instantOrNaN(target ?? ''), p1)
  }
  if (
    closes.size === 0 ||
    [...closes.keys()].some((at) => !Number.isInteger(at / MICROS_PER_HOUR))
  ) {
    return undefined
  }
  const { id: vintage_id, sha256, source, first, last, closes: count } = vintage
  const made = makeVintage(closes, source)
  const manifest = { ...made.manifest, vintage_id, sha256, source, first, last, count }
  return hourlyOutcomesOf({
    ...made,
    manifest,
    first: instantOrNaN(first),
    last: instantOrNaN(last),
  })
}

const isOf = (line: PairLine, { origin, horizon, model }: PairedAttempt): boolean =>
  line.expected &&
  line.model === model &&
  line.horizon_hours === horizon &&
  instantOrNaN(line.origin_at ?? '') === origin

/** An attempt of the grid with its status and prices as said; undefined where these contradict each other or the closes. */
function asSaid(
  line: PairLine,
  made: PairedAttempt,
  target: PairingRules['target'],
): PairedAttempt | undefined {
  const said = recorded(line)
  if (said === undefined) return undefined
  const { base = null, outcome = null } = target(Number(made.origin), made)
  const isThere = base !== null && outcome !== null
  const [p0, p1] = said.status === 'scored' ? [base, outcome] : [null, null]
  const scored = said.status === 'scored'
  const whole = !said.quantiles.includes(null)
  if (scored && (!isThere || said.forecast === null)) return undefined
  if (said.intervalStatus === 'scored' && !(scored && whole)) return undefined
  if (said.reason === 'outcome_missing' && isThere) return undefined
  return { ...made, ...said, p0, p1 }
}

/** A row that is listed beside the grid. */
function besideGrid(line: PairLine): PairedAttempt | undefined {
  const said = recorded(line)
  if (said === undefined || said.status === 'scored' || said.intervalStatus === 'scored')
    return undefined
  const origin = instantOrNaN(line.origin_at ?? '')
  const target = instantOrNaN(line.target_at ?? '')
  const isTime = !Number.isNaN(origin)
  return {
    ...said,
    origin: isTime ? origin : null,
    ...(!isTime && line.origin_at !== null && { originText: line.origin_at }),
    target: Number.isNaN(target) ? null : target,
    series: '',
    cell: undefined,
    horizon: line.horizon_hours ?? Number.NaN,
    model: line.model,
    expected: false,
    p0: null,
    p1: null,
  }
}

function recorded(line: PairLine) {
  const { status, reason, interval_status: intervalStatus } = line
  const isSound =
    STATUS_OF[reason as Reason] === status && STATUSES.includes(intervalStatus as Status)
  if (!isSound) return undefined
  return {
    status: status as Status,
    reason: reason as Reason,
    intervalStatus: intervalStatus as Status,
    forecast: line.predicted_price_usd,
    levels: HOURLY_LEVELS,
    quantiles: [line.q10_usd, line.q50_usd, line.q90_usd],
    vintageId: line.vintage_id,
    vintageSha256: line.vintage_sha256,
  }
}
