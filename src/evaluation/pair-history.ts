import { ForeproofError } from '../contract/error.js'
import type { Instant } from '../contract/instant.js'
import { csvWriter, ndjsonWriter } from '../pairing/lines.js'
import { summaryOf } from '../pairing/summary.js'
import type { PairingPlan, PairingSummary } from '../pairing/types.js'
import { type HistoryFacts, historyFacts, readRows, strataOf, windowRegimes } from './history.js'
import type { Broken } from './links.js'
import { loadPairing, type PairingInputs, type PairingPaths } from './load-pairing.js'
import { type PairingOptions, runPairing } from './pair.js'
import { pairingPlan } from './plan.js'

export interface PairHistoryOptions
  extends PairingPaths,
    Pick<PairingOptions, 'onAttempt' | 'onLines' | 'onProgress' | 'signal'> {
  /** The forecast history. */
  readonly history: string
  /** First and last origin, both included; by default those of the registration or of the history. */
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  /** Targets after it have not matured; by default the last close of the vintage. */
  readonly asOf?: Instant | undefined
  /** Chooses the models that are expected from those of the history; all by default. */
  readonly models?: ((known: readonly string[]) => readonly string[]) | undefined
  /** Forecasts without recorded inputs are ineligible. */
  readonly provenanceRequired?: boolean | undefined
  /** How `onLines` gets attempts: as lines of JSON or of CSV. */
  readonly lines?: 'ndjson' | 'csv' | undefined
  /** What `-` as the protocol stands for. */
  readonly stdin?: NodeJS.ReadableStream | undefined
}

/** A history paired: what it rests on, and how every expected attempt ended. */
export interface PairedHistory {
  readonly ok: true
  readonly inputs: PairingInputs
  readonly plan: PairingPlan
  /** Models of the history, expected or not. */
  readonly known: readonly string[]
  readonly summary: PairingSummary
  /** Attempts of the grid and beside it: so many lines. */
  readonly attempts: number
}

export type PairHistoryResult = PairedHistory | Broken

/**
 * Gives every expected attempt of a history exactly one status and reason, and counts them; in origin,
 * horizon, model order, without holding more than some rows. With a registration its window, models
 * and mode are taken. A protocol or registration that does not verify gives its findings instead.
 * @throws {ForeproofError} `usage` for a choice that a registration has made already; `refused` when it
 * was registered on another vintage; `invalid-input` for an empty history without a window;
 * `not-found`, `io` or `unavailable` when something cannot be read.
 */
export async function pairHistory(options: PairHistoryOptions): Promise<PairHistoryResult> {
  const inputs = await loadPairing(options, options.stdin ?? process.stdin, options.signal)
  if (!inputs.ok) return inputs
  const facts = await historyFacts(options.history)
  const plan = await planOf(options, inputs, facts)
  const { lines, onAttempt, onLines, onProgress, signal } = options
  const rows = readRows(options.history, { from: plan.from, to: plan.to })
  const { grid, memberships, accounting } = await runPairing(plan, inputs.vintage, rows, {
    writer: lines === undefined ? undefined : lines === 'csv' ? csvWriter() : ndjsonWriter(),
    ...(onAttempt && { onAttempt }),
    ...(onLines && { onLines }),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  })
  const summary = summaryOf(plan, grid, memberships, accounting)
  return { ok: true, inputs, plan, known: facts.models, summary, attempts: accounting.seen }
}

async function planOf(
  { history, models, from, to, asOf, provenanceRequired = false }: PairHistoryOptions,
  { protocol, vintage, registration }: PairingInputs,
  { models: known, extent }: HistoryFacts,
): Promise<PairingPlan> {
  if (registration !== undefined && models !== undefined) {
    throw new ForeproofError('usage', 'the models of a registration cannot be changed', {
      help: 'Leave out --models, or the registration.',
    })
  }
  const regimes = registration && (await windowRegimes(history, registration))
  return pairingPlan({
    ...{ protocol, lastClose: vintage.last, extent, from, to, asOf, provenanceRequired },
    models: models === undefined ? known : models(known),
    ...(registration &&
      regimes && { registration, strata: strataOf(registration, vintage, regimes) }),
  })
}
