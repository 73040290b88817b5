import type { Instant } from '../contract/instant.js'
import { isIJsonNumber } from './i-json.js'
import { kindOf, rememberKind } from './kinds.js'
import { originText, rememberOrigin, targetOf } from './origin-text.js'
import type { PartName } from './part.js'
import { INTERVAL_LEVEL, NOT_RECORDED, type StoredResource } from './resource.js'
import type { HistoryRow } from './row.js'
import type { Sheet } from './sheet.js'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const CHANGE = bytes(',"change_pct":')
const LOWER = bytes(`},"interval":{"level":${INTERVAL_LEVEL},"lower_usd":`)
const MEDIAN = bytes(',"median_usd":')
const UPPER = bytes(',"upper_usd":')
const NO_BOUNDS = bytes(
  `},"interval":{"level":${INTERVAL_LEVEL},"lower_usd":null,"median_usd":null,"upper_usd":null`,
)
const SCORE = bytes('},"confidence":{"score":')
const EVIDENCE = bytes(',"label":"model_agreement","evidence":{"model_agreement":')
const EVIDENCE_END = bytes('}},')
const UNKNOWN_CONFIDENCE = bytes(
  '},"confidence":{"score":0,"label":"unknown",' +
    `"evidence":{"model_agreement":null,"reason":"${NOT_RECORDED}"}},`,
)

/** Remembers what other forecasts share with one that went the long way. */
export function remember(stored: StoredResource, row: HistoryRow, origin: Instant): void {
  if (row.origin === undefined || row.whole !== null || row.provenance !== undefined) return
  rememberKind(stored)
  rememberOrigin(stored, row, origin)
}

/**
 * The short way from a row to its text, for the rows that histories are full of. Once one forecast has
 * been mapped, checked and serialised the long way, those of its origin, and of the origins after it,
 * mostly differ from it in a few numbers, times and names only. These are checked here, by the rules of
 * the contract; a row with anything unusual about it takes the long way. A property test holds both ways
 * against each other.
 * @returns undefined, and nothing is written, where only the long way will do.
 */
export function writeLean(row: HistoryRow, sheet: Sheet): PartName | undefined {
  const { model, horizonHours, priceUsd, changePct } = row
  if (row.whole !== null || row.provenance !== undefined) return undefined
  const text = originText(row)
  if (text === undefined) return undefined
  const kind = kindOf(text.kinds, model, horizonHours)
  if (kind === undefined || row.targetAt !== targetOf(text, horizonHours)) return undefined
  const sound = isIJsonNumber(priceUsd) && isIJsonNumber(changePct)
  if (!sound || !hasPlainInterval(row) || !hasPlainAgreement(row)) return undefined
  sheet.copy(text.opening)
  sheet.copy(kind.first)
  sheet.copy(text.second)
  sheet.text(String(row.targetAt))
  sheet.copy(kind.model)
  const from = sheet.length
  sheet.number(priceUsd)
  const to = sheet.length
  sheet.copy(CHANGE)
  sheet.number(changePct)
  writeInterval(row, sheet, from, to)
  writeConfidence(row, sheet)
  sheet.copy(text.run)
  sheet.copy(kind.historyKey)
  sheet.copy(text.lineage)
  return {
    key: { origin: text.origin, horizonHours: Number(horizonHours), model: String(model) },
    id: text.id + kind.id,
  }
}

function hasPlainInterval({ q10Usd: low, q50Usd: median, q90Usd: high }: HistoryRow): boolean {
  if (low === null && median === null && high === null) return true
  if (typeof low !== 'number' || typeof median !== 'number' || typeof high !== 'number') {
    return false
  }
  return low <= median && median <= high && isIJsonNumber(low) && isIJsonNumber(high)
}

function hasPlainAgreement({ modelAgreement: agreement }: HistoryRow): boolean {
  return agreement === null || (typeof agreement === 'number' && agreement >= 0 && agreement <= 1)
}

function writeInterval(row: HistoryRow, sheet: Sheet, from: number, to: number): void {
  const { priceUsd: price, q10Usd: low, q50Usd: median, q90Usd: high } = row
  if (low === null) {
    sheet.copy(NO_BOUNDS)
    return
  }
  sheet.copy(LOWER)
  sheet.number(Number(low))
  sheet.copy(MEDIAN)
  // Most often the median is the estimate.
  if (median === price) sheet.again(from, to)
  else sheet.number(Number(median))
  sheet.copy(UPPER)
  sheet.number(Number(high))
}

function writeConfidence({ modelAgreement: agreement }: HistoryRow, sheet: Sheet): void {
  if (agreement === null) {
    sheet.copy(UNKNOWN_CONFIDENCE)
    return
  }
  sheet.copy(SCORE)
  const from = sheet.length
  sheet.number(Number(agreement))
  const to = sheet.length
  sheet.copy(EVIDENCE)
  sheet.again(from, to)
  sheet.copy(EVIDENCE_END)
}
