import { createHash } from 'node:crypto'
import { breathe } from '../files/breathe.js'
import type { PairingRow } from '../forecast/row.js'

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

/** Passes batches of rows on and takes the digest of the rows on the way. */
export class DigestedRows implements AsyncIterable<readonly PairingRow[]> {
  readonly #batches: AsyncIterable<readonly PairingRow[]>
  readonly #hash = createHash('sha256')
  readonly #models = new Set<string>()
  #count = 0

  /** @param preamble what else belongs to the history, as text; digested before the rows. */
  constructor(batches: AsyncIterable<readonly PairingRow[]>, preamble = '') {
    this.#batches = batches
    this.#hash.update(preamble)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly PairingRow[]> {
    for await (const rows of this.#batches) {
      this.#count += rows.length
      for (const { model } of rows) this.#models.add(model)
      this.#hash.update(rows.map(lineOf).join(''))
      yield rows
    }
  }

  /** To be called once, after the last row. */
  digest(): RowsRead {
    return { sha256: this.#hash.digest('hex'), rows: this.#count, models: this.#models }
  }
}

/**
 * The digest of all rows and whose they are, read for nothing else.
 * @throws {ForeproofError} `interrupted` on the signal.
 */
export async function digestOf(rows: DigestedRows, signal?: AbortSignal): Promise<RowsRead> {
  for await (const _ of rows) await breathe(signal)
  return rows.digest()
}
