import { checkedInstant, instantOf } from '../../src/contract/instant.js'
import { compareText } from '../../src/contract/order.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { Accounting, Memberships } from '../../src/pairing/accounting.js'
import { type CloseLookup, gridOf } from '../../src/pairing/grid.js'
import { pairAttempts } from '../../src/pairing/pair.js'
import { summaryOf } from '../../src/pairing/summary.js'
import type { PairedAttempt, PairingPlan, PairingSummary } from '../../src/pairing/types.js'

/** The instant of a timestamp that is known to be one. */
export const at = checkedInstant

/** A sound forecast with full provenance; `change` replaces what a case is about. */
export function row(
  originAt: string,
  horizon: number,
  model: string,
  change: Partial<PairingRow> = {},
): PairingRow {
  const origin = new Date(originAt)
  const later = (hours: number) => {
    const time = new Date(origin.getTime() + hours * 3_600_000)
    return Number.isNaN(time.getTime()) ? 'never' : time.toISOString().replace('.000Z', '+00:00')
  }
  return {
    originAt,
    model,
    horizon,
    targetAt: later(horizon),
    generatedAt: originAt,
    sourcePrice: 117_000,
    forecast: 117_100.5,
    q10: 116_000,
    q50: 117_000,
    q90: 118_000,
    level: 0.8,
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
  change: Partial<PairingRow> = {},
): PairingRow {
  return row(originAt, horizon, model, {
    attempt,
    targetAt: null,
    generatedAt: null,
    sourcePrice: null,
    forecast: null,
    q10: null,
    q50: null,
    q90: null,
    inputAvailableAt: null,
    selectionDataThrough: null,
    vintageId: null,
    vintageSha256: null,
    ...change,
  })
}

/** Rows as a history gives them: by origin, horizon and model; no timestamp first, no number last. */
export function inOrder(rows: readonly PairingRow[]): PairingRow[] {
  const origin = ({ originAt }: PairingRow) => instantOf(originAt) ?? -1
  const horizon = (one: PairingRow) => (Number.isNaN(one.horizon) ? 1e9 : one.horizon)
  return [...rows].sort(
    (a, b) => origin(a) - origin(b) || horizon(a) - horizon(b) || compareText(a.model, b.model),
  )
}

/** All attempts of a pairing whose rows come in batches of so many. */
export async function attemptsOf(
  plan: PairingPlan,
  closes: CloseLookup,
  rows: Iterable<PairingRow>,
  size = 7,
): Promise<PairedAttempt[]> {
  async function* batches() {
    const all = [...rows]
    for (let first = 0; first < all.length; first += size) yield all.slice(first, first + size)
  }
  const attempts: PairedAttempt[] = []
  for await (const some of pairAttempts(plan, closes, batches())) attempts.push(...some)
  return attempts
}

/** The counts of attempts that were paired by a plan. */
export function summarised(plan: PairingPlan, attempts: readonly PairedAttempt[]): PairingSummary {
  const grid = gridOf(plan)
  const memberships = new Memberships(plan.strata ?? [], grid.first, grid.origins)
  const accounting = new Accounting(grid, memberships)
  for (const attempt of attempts) accounting.add(attempt)
  return summaryOf(plan, grid, memberships, accounting)
}
