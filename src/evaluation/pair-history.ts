import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { formatUtc } from '../contract/instant.js'
import type { Protocol, Registration, RulesData, SeriesProtocol } from '../contract/types.js'
import type { Document } from '../document/read.js'
import { STDIN } from '../files/stdin.js'
import { HOURLY_LEVELS, type PairingRow } from '../forecast/row.js'
import { Accounting, Memberships, summarizePairing } from '../pairing/accounting.js'
import { csvWriter, ndjsonWriter } from '../pairing/lines.js'
import { createPairingPlan, withLevels } from '../pairing/make-plan.js'
import type { PairingSummary } from '../pairing/paired-attempt.js'
import type { CommitmentLookup, PairingPlan } from '../pairing/plan.js'
import { loadDocument } from '../protocol/load.js'
import { HOURS, hourAt } from '../protocol/rules/calendar.js'
import { compileRules, type Rules } from '../protocol/rules/compile.js'
import { verifyProtocol } from '../protocol/verify.js'
import type { TimeLevel } from '../time/level.js'
import { closesTruth } from '../truth/closes/closes-truth.js'
import { readVintage } from '../truth/closes/vintage.js'
import { readTruth } from '../truth/releases-vintage.js'
import { createSeriesTruth } from '../truth/series-truth.js'
import { listTruth } from '../truth/shown-values.js'
import {
  createStrata,
  type HistoryFacts,
  readHistoryFacts,
  readRows,
  readSeriesRows,
  windowRegimes,
} from './history.js'
import { type Outcomes, otherOutcomes } from './inputs.js'
import { assertSound, type Broken, catchBroken } from './links.js'
import { type Documents, type HourlyDocuments, isOfSeries, type SeriesDocuments } from './load.js'
import { openInputs } from './open.js'
import { type PairingOptions, runPairing } from './pair.js'
import {
  backtestOptions,
  hourlyEvaluationPlan,
  knownTo,
  type PlanChoices,
  seriesEvaluationPlan,
} from './plan.js'
import { notCommitted, verifyForecasts } from './proof/committed.js'
import type { LogSource } from './proof/log-source.js'
import { verifyTime } from './proof/time.js'
import type { Result } from './result/result.js'

/** What a pairing rests on; a registration is not needed. */
export interface PairingInputs {
  readonly protocol: Pick<RulesData, 'version' | 'sha256'>
  readonly vintage: { readonly manifest: Outcomes['manifest'] }
  readonly registration: Registration | undefined
  /** The registration with its ledger and protocol, if there is one. */
  readonly documents: Documents | undefined
}

/** What a history is paired by. */
interface LoadedPairing {
  readonly inputs: PairingInputs
  readonly isHourly: boolean
  readonly plan: (basis: PlanOptions) => PairingPlan | Promise<PairingPlan>
  readonly rows: (plan: PairingPlan) => AsyncIterable<readonly PairingRow[]>
  /** Of the quantiles of its rows. */
  readonly levels: readonly string[]
  /** That of a registration. */
  readonly log?: () => Promise<LogSource>
}

/** What a plan follows from besides the documents. */
interface PlanOptions {
  readonly facts: HistoryFacts
  readonly commitments: CommitmentLookup | undefined
}

export interface PairHistoryOptions
  extends PlanChoices,
    Pick<PairingOptions, 'onAttempt' | 'onLines' | 'onProgress' | 'signal'> {
  /** The protocol itself, or `-`; with a registration, its folder is enough. */
  readonly protocol: string
  readonly outcomes: string
  readonly registration?: string | undefined
  /** The forecast history. */
  readonly history: string
  /** The log that forecasts are compared with, by its name; only needed if a history has several. */
  readonly log?: string | undefined
  /** The form in which `onLines` receives attempts: lines of JSON or of CSV. */
  readonly lines?: 'ndjson' | 'csv' | undefined
  /** The stream to read if the protocol is `-`. */
  readonly stdin?: NodeJS.ReadableStream | undefined
}

/** A paired history: its inputs, and how every expected attempt ended. */
export interface PairedHistory {
  readonly ok: true
  readonly inputs: PairingInputs
  readonly plan: PairingPlan
  /** Models of the history, expected or not. */
  readonly knownModels: readonly string[]
  readonly summary: PairingSummary
  /** Who vouches for the time of the registration; self-declared without one. */
  readonly level: TimeLevel
  /** What stamps and the log show, as a result has it; undefined without authorities. */
  readonly time: Result['time']
  /** Warnings of stamps and of the log. */
  readonly findings: readonly Finding[]
  /** Attempts on and outside the grid, which is the number of lines. */
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
  return await catchBroken(() => paired(options))
}

async function paired(options: PairHistoryOptions): Promise<PairedHistory> {
  const loaded = await loadPairing(options)
  const facts = await readHistoryFacts(options.history, loaded.isHourly)
  const { inputs } = loaded
  const verified = await verifyTimes(options, loaded)
  const fullPlan = await loaded.plan({ facts, commitments: verified.commitments })
  // Built-in models are only computed when it is scored.
  const plan = {
    ...fullPlan,
    models: fullPlan.models.filter((name) => !fullPlan.builtIn?.has(name)),
  }
  const { lines, onAttempt, onLines, onProgress, signal } = options
  const rows = loaded.rows(plan)
  const { label } = plan.rules
  const writer = lines === 'csv' ? csvWriter(label, loaded.levels) : ndjsonWriter(label)
  const memberships = new Memberships(plan.strata ?? [], plan.origins)
  const accounting = new Accounting(plan, memberships)
  const { outside, seen: attempts } = await runPairing(plan, rows, {
    writer: lines && writer,
    onAttempt: (attempt) => {
      accounting.add(attempt)
      onAttempt?.(attempt)
    },
    onLines,
    onProgress,
    signal,
  })
  const summary = summarizePairing(plan, memberships, accounting, outside)
  const { level, time, findings } = verified
  return {
    ok: true,
    inputs,
    plan,
    knownModels: facts.models,
    summary,
    attempts,
    level,
    time,
    findings,
  }
}

/** Nothing is scored here, so a registration with too few stamps only gets a warning. */
async function verifyTimes(
  { history, signal }: PairHistoryOptions,
  { inputs: { documents }, log }: LoadedPairing,
) {
  const time = documents && (await verifyTime(documents, documents.folder, { below: 'tell' }))
  const { commitments, member, findings } =
    documents === undefined || log === undefined
      ? notCommitted(undefined)
      : await verifyForecasts(documents, time, history, log, { signal, isGoingOn: true })
  return {
    commitments,
    level: time?.level ?? ({ kind: 'self_declared' } as const),
    time: member,
    findings: [...(time?.findings ?? []), ...findings],
  }
}

function chosenWindow({ from, to }: PlanChoices, { extent }: HistoryFacts) {
  const first = from ?? extent?.firstOrigin
  const last = to ?? extent?.lastOrigin
  if (first === undefined || last === undefined) {
    throw new ForeproofError('invalid-input', 'the history holds no forecast and no attempt', {
      help: 'Import some with foreproof history import, or give the window with --from and --to.',
    })
  }
  if (first <= last) return { from: first, to: last }
  const message = `the window ends (${formatUtc(last)}) before it begins (${formatUtc(first)})`
  throw new ForeproofError('usage', message, { help: 'Check --from and --to.' })
}

/**
 * Reads what `pair` works on: the protocol that is named, verified by the ledger beside it, and the
 * registration under it.
 * @throws {ForeproofError} `refused` when it was registered on another vintage.
 */
async function loadPairing(options: PairHistoryOptions): Promise<LoadedPairing> {
  const { protocol: path, registration: registered, stdin = process.stdin, signal } = options
  if (registered === undefined) {
    const { document, findings, periods } = verifyProtocol(await loadDocument(path, stdin, signal))
    assertSound('protocol', findings, document)
    const { value } = document as Document
    if (periods === undefined) return hourlyPairing(compileRules(value as Protocol), options)
    return seriesPairing(
      { periods, rules: compileRules(value as SeriesProtocol, periods) },
      options,
    )
  }
  if (path === STDIN) {
    throw new ForeproofError('usage', 'a protocol from standard input has no ledger', {
      help: 'A registration must be in the ledger of its protocol. Name the file of the protocol.',
    })
  }
  const opened = openInputs({ ...options, registration: registered })
  const documents = await opened.documents()
  const loaded = isOfSeries(documents)
    ? seriesPairing(documents, options, documents)
    : hourlyPairing(documents.rules, options, documents)
  const { manifest } = loaded.inputs.vintage
  assertSound('outcomes', otherOutcomes(documents, manifest, options.outcomes))
  return { ...loaded, log: () => opened.log(documents.registration) }
}

function hourlyPairing(
  rules: Rules,
  options: PairHistoryOptions,
  documents?: HourlyDocuments,
): LoadedPairing {
  const { outcomes, history, from, to, asOf } = options
  const vintage = readVintage(outcomes)
  const truth = closesTruth(vintage)
  const knownTime = asOf ?? vintage.last
  const registration = documents?.registration
  return {
    inputs: { protocol: rules, vintage, registration, documents },
    isHourly: true,
    plan: async ({ facts, commitments }) => {
      if (registration !== undefined) {
        if (from !== undefined || to !== undefined) {
          throw new ForeproofError('usage', 'the window of a registration cannot be changed', {
            help: 'Leave out --from and --to, or the registration.',
          })
        }
        const strata = createStrata(rules, vintage, await windowRegimes(history, registration))
        return hourlyEvaluationPlan({ registration, rules, truth, strata, commitments }, knownTime)
      }
      const window = chosenWindow(options, facts)
      return createPairingPlan(rules, truth, {
        ...backtestOptions(facts.models),
        ...{ from: hourAt(window.from), to: hourAt(window.to), asOf: knownTime },
      })
    },
    rows: ({ from: first, to: last }) =>
      readRows(history, { from: HOURS.end(first), to: HOURS.end(last) }),
    levels: HOURLY_LEVELS,
  }
}

function seriesPairing(
  { periods, rules }: Pick<SeriesDocuments, 'periods' | 'rules'>,
  { outcomes, history, from, to, asOf }: PairHistoryOptions,
  documents?: SeriesDocuments,
): LoadedPairing {
  if ([from, to, asOf].some((given) => given !== undefined)) {
    throw new ForeproofError('usage', 'a window by instants is for protocols of version 1', {
      help: 'Leave out --from, --to and --as-of: all origins of the list are paired, or those of a registration.',
    })
  }
  const vintage = readTruth(outcomes, rules)
  const truth = createSeriesTruth(rules, periods, vintage)
  const shown = listTruth(truth, periods, rules)
  const knownTime = knownTo(vintage)
  const select = withLevels(rules.forecast.levels)
  return {
    inputs: { protocol: rules, vintage, registration: documents?.registration, documents },
    isHourly: false,
    plan: ({ facts: { models }, commitments }) => {
      if (documents !== undefined) {
        return seriesEvaluationPlan({ ...documents, commitments }, shown, knownTime)
      }
      const window = { from: 0, to: periods.length - 1 }
      return createPairingPlan(rules, shown, {
        ...backtestOptions(models),
        ...{ ...window, asOf: knownTime, forVerdict: true },
      })
    },
    rows: async function* ({ origins }) {
      const positions = Array.from({ length: origins.count }, (_, index) => origins.position(index))
      for await (const rows of readSeriesRows(history, periods, positions)) yield rows.map(select)
    },
    levels: rules.forecast.levels,
  }
}
