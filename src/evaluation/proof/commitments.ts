import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { ProofOfTime } from '../../contract/types.js'
import { breathe } from '../../files/breathe.js'
import type { LogKey } from '../../history/store/log-types.js'
import { lastMoment } from '../../pairing/judge.js'
import type { CommitmentLookup } from '../../pairing/types.js'
import type { CommittedTimes } from './checkpoints.js'
import { type Expected, expectedKeys, keyText, leafText, type ReadLog } from './read-log.js'

type Commitment = NonNullable<ProofOfTime['commitment']>
export type ModelCommitments = Commitment['models'][number]

export interface ExpectedWithin extends Expected {
  /** How long after its origin a forecast may be committed, in microseconds; undefined: to its target. */
  readonly lag: number | undefined
  readonly origins: number
}

/** A row of a history, and the leaf that an entry of it would have; undefined where none can be made. */
export interface LeafOfRow {
  readonly key: LogKey
  readonly leaf: Uint8Array | undefined
}

/** What the log shows of an expected forecast. */
interface Shown {
  readonly model: string
  readonly origin: Instant
  readonly horizon: number
  /** The leaf of each row under the key as a text, in reading order: the first row is the one judged. */
  readonly rows: (string | undefined)[]
  committed: Instant | 'withdrawn' | undefined
}

/** What a log shows of the rows of a history. */
export class Commitments implements CommitmentLookup {
  readonly #shown = new Map<string, Shown>()
  /** By index in the log, 1 where a row of the history has that leaf. */
  readonly #explained: Uint8Array

  private constructor(
    private readonly log: ReadLog,
    private readonly expected: ExpectedWithin,
  ) {
    this.#explained = new Uint8Array(log.size)
  }

  /** @param rows - every row of the history, in reading order, those without a leaf among them. */
  static async of(
    log: ReadLog,
    times: CommittedTimes,
    expected: ExpectedWithin,
    rows: AsyncIterable<readonly LeafOfRow[]>,
    signal?: AbortSignal,
  ): Promise<Commitments> {
    const commitments = new Commitments(log, expected)
    const keyOf = expectedKeys(expected)
    for await (const batch of rows) {
      await breathe(signal)
      for (const { key, leaf } of batch) {
        const own = leaf && leafText(leaf)
        const index = own === undefined ? undefined : log.byLeaf.get(own)
        if (index !== undefined) commitments.#explained[index] = 1
        const text = key.kind === 'forecast' ? keyOf(key) : undefined
        if (text !== undefined) commitments.#of(text).rows.push(own)
      }
    }
    commitments.#judge(times)
    return commitments
  }

  committed(origin: Instant, horizon: number, model: string): Instant | 'withdrawn' | undefined {
    return this.#shown.get(keyText(origin, horizon, model))?.committed
  }

  /** By model, in the order in which they are expected. */
  counts(): ModelCommitments[] {
    const { models, origins, horizons } = this.expected
    const counts = new Map(
      models.map((model) => [
        model,
        {
          ...{ model, expected: origins * horizons.length, committed: 0 },
          ...{ committed_late: 0, not_committed: 0, withdrawn: 0 },
        },
      ]),
    )
    for (const shown of this.#shown.values()) counts.get(shown.model)![this.#outcomeOf(shown)]++
    return [...counts.values()]
  }

  /** Entries that no row of the history explains and that are no withdrawn forecasts; the first by its index. */
  unexplained(): { readonly count: number; readonly first: number | undefined } {
    const { byLeaf, byKey } = this.log
    const withdrawn = new Set([...byKey.values()].flat())
    const left = [...byLeaf].filter(
      ([leaf, index]) => !(this.#explained[index] || withdrawn.has(leaf)),
    )
    const first = left.reduce(
      (least, [, index]) => Math.min(least, index),
      Number.POSITIVE_INFINITY,
    )
    return { count: left.length, first: left.length === 0 ? undefined : first }
  }

  #of(text: string): Shown {
    let shown = this.#shown.get(text)
    if (shown === undefined) {
      const [origin, horizon, ...model] = text.split(' ')
      shown = {
        ...{ origin: Number(origin), horizon: Number(horizon), model: model.join(' ') },
        ...{ rows: [], committed: undefined },
      }
      this.#shown.set(text, shown)
    }
    return shown
  }

  /**
   * A forecast is committed where the log and every row under its key say the same. Where they do not, somebody
   * could choose after the outcome which one is judged.
   */
  #judge(times: CommittedTimes): void {
    const { byKey, byLeaf } = this.log
    for (const text of byKey.keys()) this.#of(text)
    for (const [text, shown] of this.#shown) {
      const { rows } = shown
      const inLog = byKey.get(text) ?? rows.filter((leaf) => leaf !== undefined && byLeaf.has(leaf))
      if (inLog.length === 0) continue
      const [judged] = rows
      const same = [...rows, ...inLog].every((leaf) => leaf === judged)
      const index = same && judged !== undefined ? byLeaf.get(judged) : undefined
      shown.committed = index === undefined ? 'withdrawn' : times.of(index)
    }
  }

  #outcomeOf({ committed, origin, horizon }: Shown): OutcomeName {
    if (committed === 'withdrawn') return 'withdrawn'
    if (committed === undefined) return 'not_committed'
    const target = { instant: origin + horizon * MICROS_PER_HOUR }
    return committed > lastMoment(origin, target, this.expected.lag)
      ? 'committed_late'
      : 'committed'
  }
}

type OutcomeName = 'committed' | 'committed_late' | 'not_committed' | 'withdrawn'
