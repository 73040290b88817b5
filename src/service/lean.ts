import { formatStored, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { INTERVAL_LEVEL, NOT_RECORDED, type StoredResource } from '../history/resource.js'
import { isSayableNumber } from '../history/sayable.js'
import type { HistoryRow, OriginRow } from '../history/types.js'
import { asciiJson, asciiText } from './ascii.js'
import type { PartName } from './part.js'
import type { Sheet } from './sheet.js'

/**
 * The short way from a row to its text, for the rows that histories are full of. Once one forecast of
 * an origin has been mapped, checked and serialised the long way, the others differ from it in a few
 * numbers only. Those are checked here, by the rules of the contract; a row with anything unusual about
 * it takes the long way. A property test holds both ways against each other.
 */
interface OriginText {
  readonly origin: Instant
  readonly kinds: Kinds
  /** The beginning of an id, as JSON. */
  readonly id: string
  /** The text up to the second mention of the model, and so on in the order of the resource. */
  readonly opening: Uint8Array
  readonly second: Uint8Array
  readonly run: Uint8Array
  readonly lineage: Uint8Array
  /** The horizon of the row before, and its target_at: rows of one horizon follow one another. */
  horizon: unknown
  target: string
}

/** What depends on model, horizon and configuration alone. */
interface Kind {
  readonly id: string
  readonly first: Uint8Array
  readonly model: Uint8Array
  readonly historyKey: Uint8Array
}

type Kinds = Map<unknown, Map<unknown, Kind>>

const KINDS_LIMIT = 1024
/** A century; farther targets may have no timestamp, and go the long way. */
const LONGEST_HORIZON = 876_600

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

/**
 * The last origin: in a walk, the others do not come again. A map of many would keep what it held long
 * after it was let go, for the garbage collector clears what is young and looks at the old now and then.
 */
let lastOrigin: OriginRow | undefined
let lastText: OriginText | undefined
const kindsByConfiguration = new Map<string | null, Kinds>()

/** Remembers what the forecasts of an origin share, from one that went the long way. */
export function remember(stored: StoredResource, row: HistoryRow, origin: Instant): void {
  if (row.origin === undefined || row.whole !== null || row.provenance !== undefined) return
  rememberKind(stored)
  if (row.originAt !== stored.origin_at || row.origin === lastOrigin) return
  const at = stored.origin_at
  const opening = `{"forecast_id":"${at}`
  const second = `${at}","target_at":"`
  const run = `"run":${asciiText(JSON.stringify(stored.run))},"lineage":{"history_key":{"origin_at":"${at}"`
  const lineage = `${lineageText(stored)}},"freshness":`
  const all = bytes(opening + second + run + lineage)
  let from = 0
  const piece = ({ length }: string): Uint8Array => {
    from += length
    return all.subarray(from - length, from)
  }
  lastOrigin = row.origin
  lastText = {
    origin,
    kinds: kindsOf(stored.model.configuration_id),
    id: `"${at}`,
    opening: piece(opening),
    second: piece(second),
    run: piece(run),
    lineage: piece(lineage),
    horizon: undefined,
    target: '',
  }
}

/** The members of a lineage but those that differ among the forecasts of an origin. */
function lineageText({ lineage }: StoredResource): string {
  let text = ''
  for (const [name, value] of Object.entries(lineage)) {
    if (name === 'history_key' || value === undefined) continue
    const isManifest = name === 'manifest' && typeof value === 'object' && value !== null
    const json = isManifest ? manifestText(value) : plainText(value)
    text += `${text === '' ? '' : ','}"${name}":${json}`
  }
  return text
}

const plainText = (value: unknown): string => asciiText(JSON.stringify(value))

/** The manifests of the last origins: mostly the same one. */
const manifestTexts = new WeakMap<object, string>()

function manifestText(manifest: object): string {
  let text = manifestTexts.get(manifest)
  if (text === undefined) {
    text = plainText(manifest)
    manifestTexts.set(manifest, text)
  }
  return text
}

/**
 * Writes the head of a row's part by the short way. Undefined, and nothing written, where only the long
 * way will do.
 */
export function writeLean(row: HistoryRow, sheet: Sheet): PartName | undefined {
  const { origin, model, horizonHours, priceUsd, changePct } = row
  const text = origin === lastOrigin ? lastText : undefined
  if (text === undefined || row.whole !== null || row.provenance !== undefined) return undefined
  const kind = kindOf(text, model, horizonHours)
  if (kind === undefined || row.targetAt !== targetOf(text, horizonHours)) return undefined
  const sayable = isSayableNumber(priceUsd) && isSayableNumber(changePct)
  if (!sayable || !hasPlainInterval(row) || !hasPlainAgreement(row)) return undefined
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

/** The target_at of a horizon that has a kind. */
function targetOf(text: OriginText, horizon: unknown): string {
  if (text.horizon !== horizon) {
    text.horizon = horizon
    text.target = formatStored(text.origin + Number(horizon) * MICROS_PER_HOUR)
  }
  return text.target
}

function hasPlainInterval({ q10Usd: low, q50Usd: median, q90Usd: high }: HistoryRow): boolean {
  if (low === null && median === null && high === null) return true
  if (typeof low !== 'number' || typeof median !== 'number' || typeof high !== 'number') {
    return false
  }
  return low <= median && median <= high && isSayableNumber(low) && isSayableNumber(high)
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

function kindsOf(configuration: string | null): Kinds {
  let kinds = kindsByConfiguration.get(configuration)
  if (kinds === undefined) {
    if (kindsByConfiguration.size >= KINDS_LIMIT) kindsByConfiguration.clear()
    kinds = new Map()
    kindsByConfiguration.set(configuration, kinds)
  }
  return kinds
}

/** Undefined until a forecast of this model, horizon and configuration has gone the long way. */
function kindOf(text: OriginText, model: unknown, horizon: unknown): Kind | undefined {
  return text.kinds.get(model)?.get(horizon)
}

/** Remembers what depends on model, horizon and configuration, from a forecast that went the long way. */
function rememberKind(stored: StoredResource): void {
  const { model, horizon_hours: horizon } = stored
  const kinds = kindsOf(model.configuration_id)
  const ofModel = kinds.get(model.name) ?? new Map<unknown, Kind>()
  const full = kinds.size >= KINDS_LIMIT || ofModel.size >= KINDS_LIMIT
  if (full || horizon > LONGEST_HORIZON) return
  const name = asciiJson(model.name)
  const configuration = model.configuration_id === null ? 'null' : asciiJson(model.configuration_id)
  ofModel.set(horizon, {
    id: `:${name.slice(1, -1)}:${horizon}"`,
    first: bytes(`:${name.slice(1, -1)}:${horizon}","origin_at":"`),
    model: bytes(
      `","horizon_hours":${horizon},"model":{"name":${name},` +
        `"configuration_id":${configuration}},"estimate":{"price_usd":`,
    ),
    historyKey: bytes(`,"model_name":${name},"horizon_hours":${horizon}},`),
  })
  kinds.set(model.name, ofModel)
}
