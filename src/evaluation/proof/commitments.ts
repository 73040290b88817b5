import type { Instant } from '../../contract/instant.js'
import type { ProofOfTime } from '../../contract/types.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { leafName } from '../../history/leaf.js'
import type { LogKey } from '../../log/log-entry.js'
import type { PeriodPosition } from '../../pairing/grid.js'
import type { CellKey, CommitmentLookup } from '../../pairing/plan.js'
import { CommittedTimes, isBefore, type TimedCheckpoint } from './checkpoints.js'
import type { ExpectedForecast, ExpectedForecasts } from './expected.js'
import { type CheckedLog, leafText } from './read-log.js'

type Commitment = NonNullable<ProofOfTime['commitment']>
export type ModelCommitments = Commitment['models'][number]

/** A row of a history, and the leaf of its entry; undefined if it cannot be computed. */
export interface LeafOfRow {
  readonly key: LogKey
  readonly leaf: Uint8Array | undefined
}

/** The entries of a log under keys of expected forecasts, as if each had its row. */
export async function* keyedLeaves(
  { byKey }: CheckedLog,
  expected: ExpectedForecasts,
): AsyncGenerator<readonly LeafOfRow[]> {
  yield [...byKey].flatMap(([text, leaves]) => {
    const { horizon: horizonHours, ...named } = expected.named(text)
    const key = { ...named, kind: 'forecast' as const, horizonHours }
    return leaves.map((leaf) => ({ key, leaf: Buffer.from(leaf, 'latin1') }))
  })
}

/** What the log shows about an expected forecast. */
interface Shown extends ExpectedForecast {
  /** The leaf of each row under the key, in reading order: the first row is the one that is judged. */
  readonly rows: (string | undefined)[]
  committed: Instant | 'withdrawn' | undefined
}

/** Forecasts that are in the log but not in the history: the first in order of origin and horizon. */
export interface Withdrawn extends Omit<LogKey, 'kind'> {
  readonly count: number
  /** Whether the history has no row, or a different one. */
  readonly fault: 'gone' | 'differs'
}

/** What a log shows about the rows of a history. */
export class Commitments implements CommitmentLookup {
  readonly #shown = new Map<string, Shown>()
  /** Keys with a recorded attempt. */
  readonly #attempted = new Set<string>()
  readonly #times: CommittedTimes
  /** Models with a forecast in the window, whether it is expected of them or not. */
  readonly modelsInWindow = new Set<string>()
  /** The entries of the log, and which of them the rows of the history explain. */
  readonly entries: UnexplainedEntries
  /** Entries below this index were committed before the window. */
  #cut: number

  private constructor(
    private readonly log: CheckedLog,
    private readonly expected: ExpectedForecasts,
    checkpoints: readonly TimedCheckpoint[],
  ) {
    this.#times = new CommittedTimes(checkpoints)
    this.entries = new UnexplainedEntries(log)
    const window = { firstInputs: expected.firstInputs }
    this.#cut = checkpoints.findLast((each) => isBefore(each, window))?.size ?? 0
  }

  /** @param rows - every row of the history, in reading order, those without a leaf among them. */
  static async of(
    log: CheckedLog,
    checkpoints: readonly TimedCheckpoint[],
    expected: ExpectedForecasts,
    rows: AsyncIterable<readonly LeafOfRow[]>,
    signal?: AbortSignal,
  ): Promise<Commitments> {
    const commitments = new Commitments(log, expected, checkpoints)
    for await (const batch of rows) {
      await yieldToEventLoop(signal)
      for (const { key, leaf } of batch) {
        const committedText = leaf && leafText(leaf)
        if (key.kind === 'forecast' && expected.isOfWindow(key)) {
          commitments.modelsInWindow.add(key.model)
        }
        const expectedKey = expected.keyText(key)
        const text = key.kind === 'forecast' ? expectedKey : undefined
        if (key.kind === 'attempt' && expectedKey !== undefined) {
          commitments.#attempted.add(expectedKey)
        }
        const index =
          committedText === undefined
            ? undefined
            : commitments.entries.explain(committedText, text, () => leafName(key))
        if (text === undefined) continue
        commitments.#of(text).rows.push(committedText)
        // A history with some rows from before the window must have all of them.
        if (index !== undefined && index < commitments.#cut) commitments.#cut = 0
      }
    }
    commitments.#decide()
    return commitments
  }

  committed(
    origin: PeriodPosition,
    cell: CellKey,
    model: string,
  ): Instant | 'withdrawn' | undefined {
    return this.#shown.get(this.expected.textAt(origin, cell, model))?.committed
  }

  /** By model, in the order in which they are expected. */
  counts(): ModelCommitments[] {
    const { models, count: expected } = this.expected
    const none = { committed: 0, committed_late: 0, not_committed: 0, withdrawn: 0 }
    const counts = new Map(models.map((model) => [model, { model, expected, ...none }]))
    for (const shown of this.#shown.values()) counts.get(shown.model)![this.#toOutcome(shown)]++
    return [...counts.values()]
  }

  /** Entries without a row that could be forecasts of the window, and when the first was committed. */
  hidden(): { readonly count: number; readonly first: number; readonly at: Instant } | undefined {
    const { lastLatest: latest } = this.expected
    const { count, first } = this.entries.unexplained((index) => {
      const at = this.#times.of(index)
      return index >= this.#cut && at !== undefined && at <= latest
    })
    const at = first === undefined ? undefined : this.#times.of(first)
    return first === undefined || at === undefined ? undefined : { count, first, at }
  }

  /**
   * Withdrawn forecasts, where there are more than one model may leave out: which model each is of is what the
   * log claims, so one that leaves out all could pass for another.
   */
  claimedInExcess(): { readonly count: number; readonly most: number } | undefined {
    const { models, count: expected, leftOut } = this.expected
    const allowed = Math.floor(expected * leftOut)
    const count = this.entries.claimed()
    return models.length > 1 && count > allowed ? { count, most: allowed } : undefined
  }

  /** If all forecasts must be shown: the first withdrawn one, with the count. */
  withdrawn(): Withdrawn | undefined {
    if (!this.expected.allShown) return undefined
    const withdrawn = [...this.#shown.values()].filter(({ committed }) => committed === 'withdrawn')
    const [first] = withdrawn.sort((a, b) => a.origin - b.origin || a.horizon - b.horizon)
    if (first === undefined) return undefined
    const { originAt, series, horizon, model, rows } = first
    const fault = rows.length === 0 ? 'gone' : 'differs'
    return {
      ...{ count: withdrawn.length, fault, model, originAt, horizonHours: horizon },
      ...(series !== '' && { series }),
    }
  }

  #of(text: string): Shown {
    let shown = this.#shown.get(text)
    if (shown === undefined) {
      shown = { ...this.expected.named(text), rows: [], committed: undefined }
      this.#shown.set(text, shown)
    }
    return shown
  }

  /**
   * A forecast is committed if the log and every row under its key agree and, without verdict hypotheses, no recorded
   * attempt replaces it. Otherwise the forecast to be judged could be chosen after the outcome.
   */
  #decide(): void {
    const { byKey, byLeaf } = this.log
    for (const text of byKey.keys()) this.#of(text)
    for (const [text, shown] of this.#shown) {
      const { rows } = shown
      const inLog = byKey.get(text) ?? rows.filter((leaf) => leaf !== undefined && byLeaf.has(leaf))
      if (inLog.length === 0) continue
      const [judged] = rows
      const isReplaced = !this.expected.allShown && this.#attempted.has(text)
      const same = !isReplaced && [...rows, ...inLog].every((leaf) => leaf === judged)
      const index = same && judged !== undefined ? byLeaf.get(judged) : undefined
      shown.committed = index === undefined ? 'withdrawn' : this.#times.of(index)
    }
  }

  #toOutcome({ committed, latest }: Shown): OutcomeName {
    if (committed === 'withdrawn') return 'withdrawn'
    if (committed === undefined) return 'not_committed'
    return committed > latest ? 'committed_late' : 'committed'
  }
}

type OutcomeName = 'committed' | 'committed_late' | 'not_committed' | 'withdrawn'

/** Some entries of a log; the first by its index. */
export interface Unexplained {
  readonly count: number
  readonly first: number | undefined
}

interface Without {
  /** Keys of expected forecasts. */
  readonly claims: ReadonlySet<string>
  /** Indices of all others. */
  readonly others: readonly number[]
}

/**
 * Which entries of a log the rows of a history explain. A leaf binds its row, but no hash binds the key that the log
 * states for it: without a row, a key is only a claim.
 */
export class UnexplainedEntries {
  /** By index: 1 if a row of the history has that leaf. */
  readonly #explained: Uint8Array
  /** By leaf, the key of an expected forecast that the log claims for it. */
  readonly #claims = new Map<string, string>()
  /** The first entry whose row differs from what the log states. */
  relabelled: { readonly entry: number; readonly row: string } | undefined
  /** The entries without a row; cleared when another row is added. */
  #without: Without | undefined

  constructor(private readonly log: CheckedLog) {
    this.#explained = new Uint8Array(log.size)
    for (const [text, leaves] of log.byKey) for (const leaf of leaves) this.#claims.set(leaf, text)
  }

  /**
   * Notes the row of a leaf.
   * @param text - the key of the row where it is an expected forecast.
   * @param name - what messages call the row.
   * @returns the index of its entry; undefined where the log has none.
   */
  explain(leaf: string, text: string | undefined, name: () => string): number | undefined {
    const index = this.log.byLeaf.get(leaf)
    if (index === undefined) return undefined
    this.#explained[index] = 1
    this.#without = undefined
    const claimed = this.#claims.get(leaf)
    // An entry of a mirror may have no key; if it has one, it must be that of its row.
    const isKeyed = claimed !== undefined || this.log.keyed[index] === 1
    if (isKeyed && claimed !== text && index < (this.relabelled?.entry ?? Infinity)) {
      this.relabelled = { entry: index, row: name() }
    }
    return index
  }

  /** Entries without a row that the log claims for expected forecasts: one for each key without a row. */
  claimed(): number {
    return this.#withoutRow().claims.size
  }

  /** All others without a row. */
  unexplained(counts: (index: number) => boolean = () => true): Unexplained {
    const left = this.#withoutRow().others.filter(counts)
    const first = left.reduce((min, index) => Math.min(min, index), Infinity)
    return { count: left.length, first: left.length === 0 ? undefined : first }
  }

  #withoutRow(): Without {
    if (this.#without !== undefined) return this.#without
    const claims = new Set<string>()
    const others: number[] = []
    for (const [leaf, index] of this.log.byLeaf) {
      if (this.#explained[index]) continue
      const text = this.#claims.get(leaf)
      if (text === undefined || claims.has(text) || this.#hasRow(text)) others.push(index)
      else claims.add(text)
    }
    this.#without = { claims, others }
    return this.#without
  }

  /** Whether a row explains an entry that the log claims for this key. */
  #hasRow(text: string): boolean {
    return (this.log.byKey.get(text) ?? []).some(
      (leaf) => this.#explained[this.log.byLeaf.get(leaf) ?? -1] === 1,
    )
  }
}
