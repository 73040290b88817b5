import { createHash } from 'node:crypto'
import { isImplausible } from '../contract/rules.js'
import { yieldToEventLoop } from '../files/waiting.js'
import type { PairingRow } from '../forecast/row.js'

/** NaN and the infinities have no JSON: they differ from null all the same. */
function digestible(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

/** One row as a line of the digest of a history: its members in a fixed order. */
function lineOf(row: PairingRow): string {
  return `${JSON.stringify(
    [
      ...(row.series === '' ? [] : [row.series, row.levels]),
      row.originAt,
      row.model,
      row.horizon,
      row.targetAt,
      row.generatedAt,
      row.sourcePrice,
      row.forecast,
      ...row.quantiles,
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
  /** The models that have a row, by name. */
  readonly models: ReadonlyMap<string, ModelRows>
}

/** Of one model: how many forecasts there are, and how many of them are hardly prices. */
export interface ModelRows {
  readonly forecasts: number
  readonly implausible: number
}

/** Passes batches of rows on and takes the digest of the rows on the way. */
export class DigestedRows implements AsyncIterable<readonly PairingRow[]> {
  readonly #batches: AsyncIterable<readonly PairingRow[]>
  readonly #hash = createHash('sha256')
  readonly #models = new Map<string, ModelRows>()
  #count = 0

  /** @param preamble what else belongs to the history, as text; digested before the rows. */
  constructor(batches: AsyncIterable<readonly PairingRow[]>, preamble = '') {
    this.#batches = batches
    this.#hash.update(preamble)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly PairingRow[]> {
    for await (const rows of this.#batches) {
      this.#count += rows.length
      for (const row of rows) this.#add(row)
      this.#hash.update(rows.map(lineOf).join(''))
      yield rows
    }
  }

  #add({ model, forecast, sourcePrice }: PairingRow): void {
    const { forecasts, implausible } = this.#models.get(model) ?? { forecasts: 0, implausible: 0 }
    const isOff = forecast !== null && sourcePrice !== null && isImplausible(forecast, sourcePrice)
    this.#models.set(model, {
      forecasts: forecasts + (forecast === null ? 0 : 1),
      implausible: implausible + (isOff ? 1 : 0),
    })
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
export async function digestOfRows(rows: DigestedRows, signal?: AbortSignal): Promise<RowsRead> {
  for await (const _ of rows) await yieldToEventLoop(signal)
  return rows.digest()
}
