import { createHash } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'
import { remembering } from '../contract/remembering.js'
import type { ImplausibleCandidate } from '../contract/types.js'
import { yieldToEventLoop } from '../files/waiting.js'
import type { PairingRow } from '../forecast/row.js'
import type { FamilyInput } from '../inference/family-input.js'
import { Accounting, Memberships } from '../pairing/accounting.js'
import { cellsBySeries, type GridCell } from '../pairing/grid.js'
import type { LineWriter } from '../pairing/lines.js'
import { compareAttempts, pairAttempts } from '../pairing/pair.js'
import type { PairedAttempt, Reason } from '../pairing/paired-attempt.js'
import type { PairingPlan } from '../pairing/plan.js'
import { type ComparedModels, Magnitudes } from '../scoring/magnitudes.js'
import { Panel } from '../scoring/panel.js'

export interface PairingOptions {
  readonly onAttempt?: ((attempt: PairedAttempt) => void) | undefined
  /** Replaces the attempts that were computed. */
  readonly override?: AttemptOverride | undefined
  /** How attempts are written; if absent, no lines are written. */
  readonly writer?: LineWriter | undefined
  /** Receives the lines in order, in pieces of some tens of kilobytes. */
  readonly onLines?: ((text: string) => void | Promise<void>) | undefined
  readonly onProgress?: ((completed: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export type Attempts = AsyncIterable<Iterable<PairedAttempt>>
/** Attempts of the same grid as others know them. */
export type AttemptOverride = (made: Attempts, plan: PairingPlan) => Attempts

/** The results of pairing, besides the attempts. */
export interface PairingResult {
  readonly plan: PairingPlan
  /** Rows outside the grid, by reason. */
  readonly outside: ReadonlyMap<Reason, number>
  /** Attempts on and outside the grid. */
  readonly seen: number
}

const PIECE = 65_536
const PROGRESS_EVERY = 8192

/**
 * Executes a plan: gives every expected attempt its status and passes it on. `pair`, `score` and `audit` all use this.
 */
export async function runPairing(
  plan: PairingPlan,
  rows: AsyncIterable<Iterable<PairingRow>>,
  { writer, onAttempt, onLines, onProgress, signal, override = (made) => made }: PairingOptions,
): Promise<PairingResult> {
  const outside = new Map<Reason, number>()
  const expected = expectedAttempts(plan)
  let seen = 0
  let pending = writer?.header ?? ''
  for await (const attempts of override(pairAttempts(plan, rows), plan)) {
    for (const attempt of attempts) {
      seen++
      const { cell, reason } = attempt
      if (cell === undefined) outside.set(reason, (outside.get(reason) ?? 0) + 1)
      onAttempt?.(attempt)
      if (seen % PROGRESS_EVERY === 0) {
        onProgress?.(Math.min(seen, expected), expected)
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
  onProgress?.(expected, expected)
  return { plan, outside, seen }
}

function expectedAttempts({ models, cells, origins, rules }: PairingPlan): number {
  let keys = 0
  for (let index = 0; index < origins.count; index++) {
    const origin = origins.position(index)
    for (const cell of cells) keys += Number(rules.hasCell(origin, cell))
  }
  return models.length * keys
}

export type Phase = 'pairing' | 'bootstrap'

/** How to run an evaluation; no option may change a figure. */
export interface EvaluateOptions extends Pick<FamilyInput, 'workers' | 'signal'> {
  readonly onProgress?: (phase: Phase, completed: number, total: number) => void
}

/** The input of pairing, for protocols of either version. */
export interface PairingTask {
  /** The models of the history and the built-in ones. */
  readonly plan: PairingPlan
  /** Number of quantiles per forecast. */
  readonly levels: number
  readonly writer: LineWriter
  /** Converts a row of the history to one of the plan; absent if no conversion is needed. */
  readonly prepare?: (row: PairingRow) => PairingRow
  /** The forecasts of the built-in models, in the order of pairing. */
  readonly builtInRows: () => Iterable<PairingRow>
  /** Which forecasts are compared with which. */
  readonly compared: ComparedModels
  /** Replaces the history if it is not available. */
  readonly stored?: StoredPairs | undefined
}

/** What a result and its pairs state about a history that is not available. */
export interface StoredPairs {
  readonly override: AttemptOverride
  /** The number of rows outside the grid from models that are not in the plan. */
  readonly ofOtherModels: number
}

/** A series of an evaluation with every attempt paired, and the scored ones kept. */
export interface PairedSeries {
  /** With the cells of the series alone. */
  readonly plan: PairingPlan
  readonly memberships: Memberships
  readonly accounting: Accounting
  readonly panel: Panel
  /** By origin: 1 if this cell has an outcome, else 0. */
  readonly outcomes: (cell: number) => Uint8Array
  /**
   * By origin: the newest period of which baselines saw a value, according to the attempts of this cell; NaN if none.
   */
  readonly seen: (cell: number) => Float64Array
}

/**
 * Receives the series of an evaluation, one after another; nothing else keeps them.
 * @param second - with forecasts that were committed late or never; undefined without a second reading.
 */
export type OnSeries = (first: PairedSeries, second: PairedSeries | undefined) => void

/** An evaluation with every attempt paired. */
export interface Paired extends PairingResult {
  /** Digest and number of the lines of pairs. */
  readonly pairs: { readonly sha256: string; readonly rows: number }
  /** Candidates whose forecasts seem to have another unit than those of their comparators. */
  readonly implausible: readonly ImplausibleCandidate[]
}

/**
 * Pairs a registered evaluation: the rows of its window together with those of its built-in models.
 * Rows of a history model that bears the name of a registered built-in are no forecasts of that
 * built-in: they are counted beside the grid.
 *
 * @param onLines gets the lines of pairs in order, in pieces of some tens of kilobytes.
 */
export async function pairRegistered(
  task: PairingTask,
  history: AsyncIterable<readonly PairingRow[]>,
  onLines: (text: string) => void,
  { onProgress, signal }: EvaluateOptions,
  onSeries: OnSeries = () => undefined,
): Promise<Paired> {
  const { plan, writer, stored } = task
  const bySeries = new SeriesInTurn(task, onSeries)
  const magnitudes = new Magnitudes(task.compared, plan.cells)
  const hash = createHash('sha256')
  let namesakes = 0
  const rows = allRows(task, history, (count) => (namesakes += count), signal)
  const paired = await runPairing(plan, rows, {
    onAttempt: (attempt) => {
      bySeries.add(attempt)
      magnitudes.add(attempt)
    },
    override: stored?.override,
    writer,
    onLines: (text) => {
      hash.update(text)
      onLines(text)
    },
    onProgress: (completed, total) => onProgress?.('pairing', completed, total),
    signal,
  })
  bySeries.finish()
  const others = paired.outside.get('model_not_in_plan') ?? 0
  const all = stored ? Math.max(others, stored.ofOtherModels) : others + namesakes
  const outside = new Map(paired.outside)
  if (all > 0) outside.set('model_not_in_plan', all)
  const pairs = { sha256: hash.digest('hex'), rows: paired.seen }
  return { ...paired, outside, pairs, implausible: magnitudes.result() }
}

/** Collects attempts, a series at a time. */
class SeriesInTurn {
  readonly #waiting: GridCell[][]
  #first: SeriesAttempts | undefined
  #second: SeriesAttempts | undefined

  constructor(
    private readonly task: Pick<PairingTask, 'plan' | 'levels'>,
    private readonly onSeries: OnSeries,
    private readonly memberships = new Memberships(task.plan.strata ?? [], task.plan.origins),
  ) {
    const perSeries = [...cellsBySeries(task.plan.cells).values()]
    this.#waiting = perSeries.map((cells) => [...cells]).reverse()
  }

  /** Adds one attempt; those outside the grid belong to no series. */
  add(attempt: PairedAttempt): void {
    if (attempt.cell === undefined) return
    while (this.#first?.series !== attempt.series) this.#next()
    this.#first?.add(attempt)
    this.#second?.add(attempt.second ?? attempt)
  }

  /** Hands out the last series, and those without an attempt. */
  finish(): void {
    while (this.#waiting.length > 0) this.#next()
    this.#handOut()
  }

  #next(): void {
    this.#handOut()
    const cells = this.#waiting.pop()
    if (cells === undefined) throw new ForeproofError('bug', 'a series came twice')
    const plan = { ...this.task.plan, cells }
    const make = () => new SeriesAttempts(plan, this.memberships, this.task.levels)
    this.#first = make()
    this.#second = plan.isReadTwice ? make() : undefined
  }

  #handOut(): void {
    const [first, second] = [this.#first, this.#second]
    if (first === undefined) return
    const outcomes = remembering((cell: number) => expectedOutcomes(first.plan, cell))
    this.onSeries({ ...first.paired(), outcomes }, second && { ...second.paired(), outcomes })
    this.#first = undefined
  }
}

/** The attempts of one series. */
class SeriesAttempts {
  readonly series: string
  readonly #panel: Panel
  readonly #accounting: Accounting
  readonly #seen: ReadonlyMap<number, Float64Array>

  constructor(
    readonly plan: PairingPlan,
    private readonly memberships: Memberships,
    levels: number,
  ) {
    const { origins, models } = plan
    const cells = plan.cells.map(({ id }) => id)
    this.series = plan.cells[0]?.series ?? ''
    this.#panel = new Panel({ origins, models, cells, levels })
    this.#accounting = new Accounting(plan, memberships)
    const none = () => new Float64Array(origins.count).fill(Number.NaN)
    this.#seen = new Map(cells.map((cell) => [cell, none()]))
  }

  add(attempt: PairedAttempt): void {
    this.#accounting.add(attempt)
    this.#panel.add(attempt)
    const { cell = Number.NaN, origin, seen } = attempt
    const index = seen === null ? undefined : this.plan.origins.indexOf(origin ?? Number.NaN)
    if (index !== undefined) (this.#seen.get(cell) as Float64Array)[index] = Number(seen)
  }

  paired(): Omit<PairedSeries, 'outcomes'> {
    return {
      ...{ plan: this.plan, memberships: this.memberships },
      ...{ accounting: this.#accounting, panel: this.#panel },
      seen: (cell) => this.#seen.get(cell) as Float64Array,
    }
  }
}

function expectedOutcomes({ origins, cells, rules }: PairingPlan, id: number): Uint8Array {
  const cell = cells.find((each) => each.id === id) as GridCell
  return Uint8Array.from({ length: origins.count }, (_, index) => {
    const origin = origins.position(index)
    if (!rules.hasCell(origin, cell)) return 0
    return rules.target(origin, cell).outcome === undefined ? 0 : 1
  })
}

/**
 * The same candidates as `implausible` of a pairing, from the forecasts alone: a plan without outcomes is carried out,
 * so that nothing is read of what became known later.
 */
export async function implausibleCandidates(
  task: PairingTask,
  history: AsyncIterable<readonly PairingRow[]>,
  signal?: AbortSignal,
): Promise<ImplausibleCandidate[]> {
  const { plan } = task
  const unknown = {
    text: null,
    outcome: undefined,
    matured: true,
    position: NaN,
    latest: NaN,
    end: NaN,
  }
  const target = () => unknown
  const blind = {
    ...plan,
    strata: [],
    rules: { ...plan.rules, target, seen: () => ({ seen: null, base: null }) },
  }
  const magnitudes = new Magnitudes(task.compared, plan.cells)
  const onAttempt = (attempt: PairedAttempt) => magnitudes.add(attempt)
  const rows = allRows(task, history, () => undefined, signal)
  await runPairing(blind, rows, { onAttempt, signal })
  return magnitudes.result()
}

/** The rows of the window and those of its built-in models; `onNamesakes` gets how many bear the name of a built-in one. */
function allRows(
  { plan, prepare, builtInRows }: PairingTask,
  history: AsyncIterable<readonly PairingRow[]>,
  onNamesakes: (count: number) => void,
  signal: AbortSignal | undefined,
): AsyncIterable<Iterable<PairingRow>> {
  const historyRows = async function* () {
    for await (const rows of history) {
      await yieldToEventLoop(signal)
      const kept = rows.filter(({ model }) => !plan.builtIn?.has(model))
      onNamesakes(rows.length - kept.length)
      yield prepare === undefined ? kept : kept.map(prepare)
    }
  }
  return mergeRows(plan, historyRows(), builtInRows())
}

/**
 * Two streams, each in series, origin, horizon, model order, as one in the same order: for each batch of the
 * one its rows and what of the other comes between, then what is left. Each is to be read to its end.
 */
async function* mergeRows(
  { rules: { position } }: PairingPlan,
  history: AsyncIterable<Iterable<PairingRow>>,
  builtIn: Iterable<PairingRow>,
): AsyncGenerator<Iterable<PairingRow>> {
  const ours = builtIn[Symbol.iterator]()
  let next = ours.next()
  function* merged(rows: Iterable<PairingRow>): Generator<PairingRow> {
    for (const row of rows) {
      // An invalid timestamp has no position in time: it comes first, as histories return it.
      const read = position(row.originAt)
      const origin = Number.isNaN(read) ? Number.NEGATIVE_INFINITY : read
      for (; !next.done; next = ours.next()) {
        if (compareAttempts(position(next.value.originAt), next.value, origin, row) > 0) break
        yield next.value
      }
      yield row
    }
  }
  function* rest(): Generator<PairingRow> {
    for (; !next.done; next = ours.next()) yield next.value
  }
  for await (const rows of history) yield merged(rows)
  yield rest()
}
