import {
  checkedInstant,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  parseInstant,
} from '../../src/contract/instant.js'
import { PAIR } from '../../src/contract/limits.js'
import { compareText } from '../../src/contract/order.js'
import { HOURLY_LEVELS, NO_FORECAST, type PairingRow } from '../../src/forecast/row.js'
import { Accounting, Memberships, summarizePairing } from '../../src/pairing/accounting.js'
import { createPairingPlan } from '../../src/pairing/make-plan.js'
import { pairAttempts } from '../../src/pairing/pair.js'
import type { PairedAttempt, PairingSummary, Reason } from '../../src/pairing/paired-attempt.js'
import type { PairingPlan } from '../../src/pairing/plan.js'
import { rulesOver } from '../../src/protocol/rules/compile.js'
import { compileHourly } from '../../src/protocol/rules/compile-hourly.js'
import { type Closes, closesTruth } from '../../src/truth/closes/closes-truth.js'
import { NO_TRUTH, type PairingTruth } from '../../src/truth/shown-values.js'
import { sampleProtocol } from '../protocol/sample.js'

/** The instant of a timestamp that is known to be one. */
export const at = checkedInstant

/** What a case is about; each quantile by its name. */
export type RowChange = Partial<PairingRow> & Partial<Record<'q10' | 'q50' | 'q90', number | null>>

/** A sound forecast with full provenance; `change` replaces what a case is about. */
export function row(
  originAt: string,
  horizon: number,
  model: string,
  { q10 = 116_000, q50 = 117_000, q90 = 118_000, ...change }: RowChange = {},
): PairingRow {
  const origin = new Date(originAt)
  const later = (hours: number) => {
    const time = new Date(origin.getTime() + hours * 3_600_000)
    return Number.isNaN(time.getTime()) ? 'never' : time.toISOString().replace('.000Z', '+00:00')
  }
  return {
    ...{ series: PAIR, originAt, model, horizon, targetAt: later(horizon), generatedAt: originAt },
    ...{ sourcePrice: 117_000, forecast: 117_100.5, levels: HOURLY_LEVELS, level: 0.8 },
    quantiles: [q10, q50, q90],
    attempt: null,
    inputAvailableAt: originAt,
    selectionDataThrough: later(-24),
    vintageId: 'made',
    vintageSha256: 'a'.repeat(64),
    ...change,
  }
}

/** A recorded failure or abstention without a forecast. */
export function recorded(
  originAt: string,
  horizon: number,
  model: string,
  attempt: 'failed' | 'abstained',
): PairingRow {
  const none = { inputAvailableAt: null, selectionDataThrough: null }
  const vintage = { vintageId: null, vintageSha256: null }
  return row(originAt, horizon, model, { ...NO_FORECAST, ...none, ...vintage, attempt })
}

/** Rows as a history gives them: by origin, horizon and model; no timestamp first, no number last. */
export function inOrder(rows: readonly PairingRow[]): PairingRow[] {
  const origin = ({ originAt }: PairingRow) => parseInstant(originAt) ?? -1
  const horizon = (one: PairingRow) => (Number.isNaN(one.horizon) ? 1e9 : one.horizon)
  return [...rows].sort(
    (a, b) => origin(a) - origin(b) || horizon(a) - horizon(b) || compareText(a.model, b.model),
  )
}

/** A plan of hourly closes: instants, and hours. */
export interface HourlyPlan extends Omit<PairingPlan, 'origins' | 'cells' | 'rules'> {
  readonly horizons: readonly number[]
  /** In microseconds; by default two minutes. */
  readonly publicationLag?: number
}

const RULES = compileHourly(sampleProtocol())

export function hourlyPlan(
  { horizons, publicationLag = 2 * MICROS_PER_MINUTE, from, to, ...options }: HourlyPlan,
  truth: PairingTruth,
): PairingPlan {
  const minutes = publicationLag / MICROS_PER_MINUTE
  const origins = { ...RULES.origins, due: { anchor: 'end' as const, minutes } }
  const rules = rulesOver({ ...RULES, steps: [...horizons], origins }, [])
  const window = { from: from / MICROS_PER_HOUR, to: to / MICROS_PER_HOUR }
  const plan = createPairingPlan(rules, truth, { ...options, ...window })
  return { ...plan, cells: plan.cells.map((cell) => ({ ...cell, id: cell.horizon })) }
}

/** Before every close of these tests. */
const LEAST = at('2024-01-01T00:00:00Z')

/** All attempts of a pairing whose rows come in batches of so many. */
export async function attemptsOf(
  plan: HourlyPlan,
  closes: Pick<Closes, 'closeAt'>,
  rows: Iterable<PairingRow>,
  size = 7,
): Promise<PairedAttempt[]> {
  async function* batches() {
    const all = [...rows]
    for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size)
  }
  const attempts: PairedAttempt[] = []
  const paired = pairAttempts(hourlyPlan(plan, closesTruth({ first: LEAST, ...closes })), batches())
  for await (const some of paired) attempts.push(...some)
  return attempts
}

/** The counts of attempts that were paired by a plan. */
export function summarised(hourly: HourlyPlan, attempts: readonly PairedAttempt[]): PairingSummary {
  const plan = hourlyPlan(hourly, NO_TRUTH)
  const memberships = new Memberships(plan.strata ?? [], plan.origins)
  const accounting = new Accounting(plan, memberships)
  const outside = new Map<Reason, number>()
  for (const attempt of attempts) {
    accounting.add(attempt)
    if (attempt.expected) continue
    outside.set(attempt.reason, (outside.get(attempt.reason) ?? 0) + 1)
  }
  return summarizePairing(plan, memberships, accounting, outside)
}
