import { type Instant, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { ProofOfTime } from '../../contract/types.js'
import { breathe } from '../../files/breathe.js'
import type { KeyedLeaf } from '../../history/log/leaf.js'
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

/** What the log shows of an expected forecast. */
interface Shown {
  readonly model: string
  readonly origin: Instant
  readonly horizon: number
  /** The forecast that is judged has been seen. */
  held: boolean
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

  /** @param rows - every row of the history, in reading order: of a key's rows the first is judged. */
  static async of(
    log: ReadLog,
    times: CommittedTimes,
    expected: ExpectedWithin,
    rows: AsyncIterable<readonly KeyedLeaf[]>,
    signal?: AbortSignal,
  ): Promise<Commitments> {
    const commitments = new Commitments(log, expected)
    const keyOf = expectedKeys(expected)
    for await (const batch of rows) {
      await breathe(signal)
      for (const { key, leaf } of batch) {
        const index = log.byLeaf.get(leafText(leaf))
        if (index !== undefined) commitments.#explained[index] = 1
        const text = key.kind === 'forecast' ? keyOf(key) : undefined
        if (text === undefined) continue
        const shown = commitments.#of(text)
        if (shown.held) continue
        shown.held = true
        shown.committed = index === undefined ? undefined : times.of(index)
      }
    }
    commitments.#findWithdrawn()
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
        ...{ held: false, committed: undefined },
      }
      this.#shown.set(text, shown)
    }
    return shown
  }

  #findWithdrawn(): void {
    for (const [text, leaves] of this.log.byKey) {
      const gone = leaves.some((leaf) => this.#explained[this.log.byLeaf.get(leaf) as number] !== 1)
      if (gone) this.#of(text).committed = 'withdrawn'
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
