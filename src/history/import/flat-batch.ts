import type { OriginRow } from '../../forecast/row.js'
import { accept } from './accept.js'
import { agreementOf, isFlat, normalise, originRowOf } from './flat.js'
import { createSplitter } from './splitter.js'
import { createStrictReader } from './strict-json.js'

/** Numbers kept for a row, in this order; NaN stands for null. */
const NUMBERS = 7

/**
 * The lines of a stretch of NDJSON, read and held against the contract, in a form that passes
 * quickly between threads. Lines that are plain forecasts have an origin; all others (`origin` -1:
 * attempts, bodies, whatever was rejected or has to be kept whole) are left as text.
 */
export interface FlatBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Lines in the stretch, blank ones too. */
  readonly lines: number
  /** Per value: its line within the stretch, counted from 0, and its extent in `bytes`. */
  readonly line: Uint32Array
  readonly start: Uint32Array
  readonly end: Uint32Array
  readonly origin: Int32Array
  readonly origins: readonly OriginRow[]
  readonly models: readonly string[]
  readonly model: Uint32Array
  readonly targets: readonly string[]
  readonly numbers: Float64Array
}

/** One plain forecast of a batch. */
export interface FlatRow {
  readonly origin: OriginRow
  readonly model: string
  readonly targetAt: string
  readonly horizonHours: number
  readonly priceUsd: number
  readonly changePct: number
  readonly q10Usd: number | null
  readonly q50Usd: number | null
  readonly q90Usd: number | null
  readonly modelAgreement: number | null
}

/** Reads stretches of one input; each consists of whole lines. */
export function createBatchReader(file: string): (bytes: Uint8Array<ArrayBuffer>) => FlatBatch {
  const readStrictly = createStrictReader()
  return (bytes) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const splitter = createSplitter(file, 'lines')
    const pieces = [...splitter.push(buffer), ...splitter.end()]
    const count = pieces.length
    const batch = {
      bytes,
      lines: linesIn(buffer),
      line: new Uint32Array(count),
      start: new Uint32Array(count),
      end: new Uint32Array(count),
      origin: new Int32Array(count).fill(-1),
      origins: [] as OriginRow[],
      models: [] as string[],
      model: new Uint32Array(count),
      targets: [] as string[],
      numbers: new Float64Array(count * NUMBERS),
    }
    const models = new Map<string, number>()
    for (const [index, piece] of pieces.entries()) {
      batch.line[index] = piece.line - 1
      batch.start[index] = piece.bytes.byteOffset - bytes.byteOffset
      batch.end[index] = piece.bytes.byteOffset - bytes.byteOffset + piece.bytes.length
      batch.targets.push('')
      const read = readStrictly(piece.bytes, file)
      if (!read.ok) continue
      const accepted = accept(read.value)
      const [given] = accepted.forecasts
      const plain = accepted.findings.length === 0 && accepted.at === ''
      if (!plain || given === undefined || given.lineage.provenance !== undefined) continue
      const resource = normalise(given)
      const last = batch.origins.at(-1)
      if (last?.originAt !== resource.origin_at || !isFlat(resource, last)) {
        const own = originRowOf(resource)
        if (!isFlat(resource, own)) continue
        batch.origins.push(own)
      }
      const { estimate, interval, model } = resource
      let named = models.get(model.name)
      if (named === undefined) {
        named = batch.models.push(model.name) - 1
        models.set(model.name, named)
      }
      batch.model[index] = named
      batch.targets[index] = resource.target_at
      batch.origin[index] = batch.origins.length - 1
      const { numbers } = batch
      const at = index * NUMBERS
      numbers[at] = resource.horizon_hours
      numbers[at + 1] = estimate.price_usd
      numbers[at + 2] = estimate.change_pct
      numbers[at + 3] = interval.lower_usd ?? Number.NaN
      numbers[at + 4] = interval.median_usd ?? Number.NaN
      numbers[at + 5] = interval.upper_usd ?? Number.NaN
      numbers[at + 6] = agreementOf(resource.confidence) ?? Number.NaN
    }
    return batch
  }
}

/** The plain forecast at an index, or undefined where the text has to be looked at. */
export function flatRowAt(batch: FlatBatch, index: number): FlatRow | undefined {
  const origin = batch.origins[batch.origin[index] ?? -1]
  if (origin === undefined) return undefined
  const at = index * NUMBERS
  const number = (offset: number) => batch.numbers[at + offset] ?? Number.NaN
  const orNull = (value: number) => (Number.isNaN(value) ? null : value)
  return {
    origin,
    model: batch.models[batch.model[index] ?? 0] ?? '',
    targetAt: batch.targets[index] ?? '',
    horizonHours: number(0),
    priceUsd: number(1),
    changePct: number(2),
    q10Usd: orNull(number(3)),
    q50Usd: orNull(number(4)),
    q90Usd: orNull(number(5)),
    modelAgreement: orNull(number(6)),
  }
}

function linesIn(buffer: Buffer): number {
  let lines = 0
  for (let at = buffer.indexOf(10); at !== -1; at = buffer.indexOf(10, at + 1)) lines++
  return lines
}
