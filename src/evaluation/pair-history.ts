import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { Document } from '../document/read.js'
import { STDIN } from '../files/input.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { csvWriter, ndjsonWriter } from '../pairing/lines.js'
import { summaryOf } from '../pairing/summary.js'
import type { CommitmentLookup, PairingPlan, PairingSummary } from '../pairing/types.js'
import { loadDocument } from '../protocol/load.js'
import { seriesFindings } from '../protocol/rules/check.js'
import type { TimeLevel } from '../time/level.js'
import { type HistoryFacts, historyFacts, readRows, strataOf, windowRegimes } from './history.js'
import { type Broken, demand, orBroken } from './links.js'
import { type Documents, loadDocuments, proveNamedProtocol } from './load.js'
import { type PairingOptions, runPairing } from './pair.js'
import { pairingPlan } from './plan.js'
import { notCommitted, proveForecasts } from './proof/committed.js'
import { registeredLog } from './proof/log-source.js'
import { proveTime } from './proof/registration-time.js'
import type { EvaluationResult } from './result/types.js'

/** What a pairing rests on; a registration is not needed. */
export interface PairingInputs {
  readonly protocol: Protocol
  readonly vintage: Vintage
  readonly registration: Registration | undefined
  /** The registration with its ledger and protocol, where there is one. */
  readonly documents: Documents | undefined
}

export interface PairHistoryOptions
  extends Pick<PairingOptions, 'onAttempt' | 'onLines' | 'onProgress' | 'signal'> {
  /** The protocol itself, or `-`; with a registration, its folder does as well. */
  readonly protocol: string
  readonly outcomes: string
  readonly registration?: string | undefined
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
  /** The log that forecasts are held against, by its name; needed only where a history has several. */
  readonly log?: string | undefined
  /** How `onLines` gets attempts: as lines of JSON or of CSV. */
  readonly lines?: 'ndjson' | 'csv' | undefined
  /** What is read for `-` as the protocol. */
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
  /** Who says when the registration was made; self-declared without one. */
  readonly level: TimeLevel
  /** What stamps and the log show, as a result has it; undefined without authorities. */
  readonly time: EvaluationResult['time']
  /** Warnings of stamps and of the log. */
  readonly findings: readonly Finding[]
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
  return await orBroken(() => paired(options))
}

async function paired(options: PairHistoryOptions): Promise<PairedHistory> {
  const inputs = await loadPairing(options)
  const facts = await historyFacts(options.history)
  const proved = await provedTimes(options, inputs)
  const plan = await planOf(options, inputs, facts, proved.commitments)
  const { lines, onAttempt, onLines, onProgress, signal } = options
  const rows = readRows(options.history, { from: plan.from, to: plan.to })
  const { memberships, accounting } = await runPairing(plan, rows, {
    writer: lines === undefined ? undefined : lines === 'csv' ? csvWriter() : ndjsonWriter(),
    onAttempt,
    onLines,
    onProgress,
    signal,
  })
  const summary = summaryOf(plan, memberships, accounting)
  const { level, time, findings } = proved
  const attempts = accounting.seen
  return { ok: true, inputs, plan, known: facts.models, summary, attempts, level, time, findings }
}

/** Nothing is scored here: a registration with too few stamps gets a warning and is paired all the same. */
async function provedTimes(
  { history, log, signal }: PairHistoryOptions,
  { documents }: PairingInputs,
) {
  const time = documents && (await proveTime(documents, documents.folder, { below: 'tell' }))
  const { commitments, member, findings } =
    documents === undefined
      ? notCommitted(undefined)
      : await proveForecasts(
          documents,
          time,
          history,
          () => registeredLog(documents.registration, history, log),
          { signal, isGoingOn: true },
        )
  return {
    commitments,
    level: time?.level ?? ({ kind: 'self_declared' } as const),
    time: member,
    findings: [...(time?.findings ?? []), ...findings],
  }
}

async function planOf(
  { history, models, from, to, asOf, provenanceRequired = false }: PairHistoryOptions,
  { protocol, vintage, registration }: PairingInputs,
  { models: known, extent }: HistoryFacts,
  commitments: CommitmentLookup | undefined,
): Promise<PairingPlan> {
  if (registration !== undefined && models !== undefined) {
    throw new ForeproofError('usage', 'the models of a registration cannot be changed', {
      help: 'Leave out --models, or the registration.',
    })
  }
  const regimes = registration && (await windowRegimes(history, registration))
  return pairingPlan({
    protocol,
    vintage,
    extent,
    from,
    to,
    asOf,
    provenanceRequired,
    commitments,
    models: models === undefined ? known : models(known),
    ...(registration &&
      regimes && { registration, strata: strataOf(registration, vintage, regimes) }),
  })
}

/**
 * Reads what `pair` works on: the protocol that is named, proved by the ledger beside it, and the
 * registration under it.
 * @throws {ForeproofError} `refused` when it was registered on another vintage.
 */
async function loadPairing(options: PairHistoryOptions): Promise<PairingInputs> {
  const { protocol: path, registration: registered, stdin = process.stdin, signal } = options
  if (registered === undefined) {
    const named = proveNamedProtocol(await loadDocument(path, stdin, signal))
    const other = named.document.ok ? seriesFindings(named.document) : []
    demand('protocol', [...named.findings, ...other], named.document)
    const protocol = (named.document as Document).value as Protocol
    const vintage = readVintage(options.outcomes)
    return { protocol, vintage, registration: undefined, documents: undefined }
  }
  if (path === STDIN) {
    throw new ForeproofError('usage', 'a protocol from standard input has no ledger', {
      help: 'A registration must be in the ledger of its protocol. Name the file of the protocol.',
    })
  }
  const documents = await loadDocuments({ protocol: path, registration: registered })
  const { protocol, registration } = documents
  const vintage = readVintage(options.outcomes)
  const { vintage_sha256: wanted } = registration.outcomes
  const { sha256: found } = vintage.manifest
  if (wanted !== null && wanted !== found) {
    throw new ForeproofError('refused', `registered on the vintage ${wanted}, not ${found}`, {
      file: registered,
      pointer: '/outcomes/vintage_sha256',
      help: 'Give the registered vintage.',
    })
  }
  return { protocol, vintage, registration, documents }
}
