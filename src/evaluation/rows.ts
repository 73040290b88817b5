import { createHash } from 'node:crypto'
import { type Instant, parseTimestamp } from '../contract/instant.js'
import type { PairingRow } from '../forecast/row.js'
import { compareWithinOrigin } from '../pairing/row-order.js'

/** NaN and the infinities have no JSON: they are told apart from null all the same. */
function digestible(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

/** One row as a line of the digest of a history: its members in a fixed order. */
function lineOf(row: PairingRow): string {
  return `${JSON.stringify(
    [
      row.originAt,
      row.model,
      row.horizon,
      row.targetAt,
      row.generatedAt,
      row.sourcePrice,
      row.forecast,
      row.q10,
      row.q50,
      row.q90,
      row.level,
      row.attempt,
      row.inputAvailableAt,
      row.selectionDataThrough,
      row.vintageId,
      row.vintageSha256,
    ].map(digestible),
  )}\n`
}

export interface RowsDigest {
  readonly sha256: string
  readonly rows: number
}

export interface RowsRead extends RowsDigest {
  /** Names of the models that have a row. */
  readonly models: ReadonlySet<string>
}

/** Passes rows on and takes their digest on the way. */
export class DigestedRows implements AsyncIterable<readonly PairingRow[]> {
  readonly #batches: AsyncIterable<readonly PairingRow[]>
  readonly #hash = createHash('sha256')
  #count = 0
  #pending: string

  /** @param preamble what else belongs to the history, as text; digested before the rows. */
  constructor(batches: AsyncIterable<readonly PairingRow[]>, preamble = '') {
    this.#batches = batches
    this.#pending = preamble
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly PairingRow[]> {
    for await (const rows of this.#batches) {
      for (const row of rows) this.#pending += lineOf(row)
      this.#count += rows.length
      this.#hash.update(this.#pending)
      this.#pending = ''
      yield rows
    }
  }

  /** To be called once, after the last row. */
  digest(): RowsDigest {
    return { sha256: this.#hash.update(this.#pending).digest('hex'), rows: this.#count }
  }
}

/** The digest of all rows and whose they are, read for nothing else. */
export async function digestOf(rows: DigestedRows): Promise<RowsRead> {
  const models = new Set<string>()
  for await (const batch of rows) for (const row of batch) models.add(row.model)
  return { ...rows.digest(), models }
}

/** Reads origins; neighbours share theirs, so only a change is parsed. */
function remembered(): (row: PairingRow) => Instant {
  let text: string | undefined
  let origin = Number.NEGATIVE_INFINITY
  return (row) => {
    if (row.originAt === text) return origin
    text = row.originAt
    const parsed = parseTimestamp(text)
    // What is no timestamp belongs nowhere in time: it goes first, as histories give it.
    origin = parsed.ok ? parsed.instant : Number.NEGATIVE_INFINITY
    return origin
  }
}

/**
 * Two streams, each in origin, horizon, model order, as one in the same order: for each batch of the
 * one its rows and what of the other comes between, then what is left. Each is to be read to its end.
 */
export async function* mergeRows(
  history: AsyncIterable<Iterable<PairingRow>>,
  builtIn: Iterable<PairingRow>,
): AsyncGenerator<Iterable<PairingRow>> {
  const ours = builtIn[Symbol.iterator]()
  const theirOrigin = remembered()
  const ourOrigin = remembered()
  let next = ours.next()
  function* merged(rows: Iterable<PairingRow>): Generator<PairingRow> {
    for (const row of rows) {
      const origin = theirOrigin(row)
      while (!next.done) {
        const step = ourOrigin(next.value) - origin || compareWithinOrigin(next.value, row)
        if (step > 0) break
        yield next.value
        next = ours.next()
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
