import { yieldToEventLoop } from '../files/waiting.js'
import type { PairingRow } from '../forecast/row.js'
import { Accounting, Memberships } from '../pairing/accounting.js'
import type { LineWriter } from '../pairing/lines.js'
import { pairAttempts } from '../pairing/pair.js'
import type { PairedAttempt, PairingPlan } from '../pairing/types.js'

export interface PairingOptions {
  readonly onAttempt?: ((attempt: PairedAttempt) => void) | undefined
  /** Puts other attempts in the place of those that were made. */
  readonly said?: Said | undefined
  /** How attempts are written; without one, no line is. */
  readonly writer?: LineWriter | undefined
  /** Gets the lines in order, in pieces of some tens of kilobytes. */
  readonly onLines?: ((text: string) => void | Promise<void>) | undefined
  readonly onProgress?: ((completed: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export type Attempts = AsyncIterable<Iterable<PairedAttempt>>
/** Attempts of the same grid as others know them. */
export type Said = (made: Attempts) => Attempts

/** Everything that pairing leaves behind. */
export interface PairingResult {
  readonly plan: PairingPlan
  readonly memberships: Memberships
  readonly accounting: Accounting
}

const PIECE = 65_536
const PROGRESS_EVERY = 8192

/**
 * Carries a plan out: gives every expected attempt its status, counts it, and hands it on. The one
 * way for `pair`, `score` and `audit`.
 */
export async function runPairing(
  plan: PairingPlan,
  rows: AsyncIterable<Iterable<PairingRow>>,
  { writer, onAttempt, onLines, onProgress, signal, said = (made) => made }: PairingOptions,
): Promise<PairingResult> {
  const memberships = new Memberships(plan.strata ?? [], plan.origins)
  const accounting = new Accounting(plan, memberships)
  let pending = writer?.header ?? ''
  for await (const attempts of said(pairAttempts(plan, rows))) {
    for (const attempt of attempts) {
      accounting.add(attempt)
      onAttempt?.(attempt)
      if (accounting.seen % PROGRESS_EVERY === 0) {
        onProgress?.(accounting.seen, accounting.expected)
        await yieldToEventLoop(signal)
      }
      if (writer === undefined) continue
      pending += writer.line(attempt)
      if (pending.length < PIECE) continue
      await onLines?.(pending)
      pending = ''
    }
  }
  if (pending !== '') await onLines?.(pending)
  return { plan, memberships, accounting }
}
