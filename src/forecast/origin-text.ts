import { formatStored, type Instant, instantOf, MICROS_PER_HOUR } from '../contract/instant.js'
import { asciiJson, asciiText } from './ascii.js'
import { isIJsonNumber, isIJsonText } from './i-json.js'
import { type Kinds, kindsOf } from './kinds.js'
import { normalTimestamp, type StoredResource } from './resource.js'
import type { HistoryRow, OriginRow } from './row.js'

/** What the forecasts of one origin share. */
export interface OriginText {
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
  target: string | undefined
}

/**
 * The last origin: in a walk, the others do not come again. A map of many would keep what it held long
 * after it was let go, for the garbage collector clears what is young and looks at the old now and then.
 */
interface Last {
  readonly row: OriginRow
  readonly text: OriginText
  /** The lineage of its forecasts from the history key on, without the price of the source. */
  readonly beforePrice: string
  readonly afterPrice: string
}

let last: Last | undefined

/**
 * What the forecasts of a row's origin share, once one of them has gone the long way, or one of the
 * origin before that differs from it in nothing but times, run and price: those are checked here.
 */
export function originText({ origin: row }: HistoryRow): OriginText | undefined {
  if (row === last?.row) return last?.text
  if (row === undefined || last === undefined || !isSibling(row, last.row)) return undefined
  const { originAt, generatedAt, sourcePriceUsd: price, runId } = row
  if (!isNormal(originAt)) return undefined
  const origin = instantOf(originAt)
  if (origin === undefined) return undefined
  if (generatedAt !== null && !isNormal(generatedAt)) return undefined
  if (!isIJsonNumber(price) || !(runId === null || isIJsonText(runId))) return undefined
  const run =
    `"run":{"id":${runId === null ? 'null' : asciiJson(runId)},` +
    `"generated_at":${generatedAt === null ? 'null' : `"${generatedAt}"`}}`
  const { beforePrice, afterPrice, text } = last
  const lineage = beforePrice + JSON.stringify(price) + afterPrice
  last = { row, text: textOf(originAt, origin, text.kinds, run, lineage), beforePrice, afterPrice }
  return last.text
}

/** Remembers what the forecasts of an origin share, from one that went the long way. */
export function rememberOrigin(stored: StoredResource, row: HistoryRow, origin: Instant): void {
  if (row.origin === undefined || row.originAt !== stored.origin_at || row.origin === last?.row) {
    return
  }
  const { history_key, source, provenance, manifest, ...reasons } = stored.lineage
  const { name, pair, price_usd } = source
  const beforePrice = `"source":{"name":${asciiJson(name)},"pair":${asciiJson(pair)},"price_usd":`
  let afterPrice = `},"manifest":${manifest === null ? 'null' : manifestText(manifest)}`
  for (const [reason, text] of Object.entries(reasons)) {
    if (text !== undefined) afterPrice += `,"${reason}":${asciiText(JSON.stringify(text))}`
  }
  const run = `"run":${asciiText(JSON.stringify(stored.run))}`
  const lineage = beforePrice + JSON.stringify(price_usd) + afterPrice
  const kinds = kindsOf(stored.model.configuration_id)
  const text = textOf(stored.origin_at, origin, kinds, run, lineage)
  last = { row: row.origin, text, beforePrice, afterPrice }
}

/** The target_at of a horizon; undefined where no timestamp says it. */
export function targetOf(text: OriginText, horizon: unknown): string | undefined {
  if (text.horizon !== horizon) {
    const target = formatStored(text.origin + Number(horizon) * MICROS_PER_HOUR)
    text.horizon = horizon
    text.target = normalTimestamp(target)
  }
  return text.target
}

function isSibling(a: OriginRow, b: OriginRow): boolean {
  return (
    a.manifestJson === b.manifestJson &&
    a.sourceName === b.sourceName &&
    a.pair === b.pair &&
    a.configurationId === b.configurationId
  )
}

/** Whether a value is a timestamp in the form that forecasts say it. */
function isNormal(value: unknown): value is string {
  return typeof value === 'string' && normalTimestamp(value) === value
}

function textOf(
  at: string,
  origin: Instant,
  kinds: Kinds,
  runText: string,
  lineageText: string,
): OriginText {
  const opening = `{"forecast_id":"${at}`
  const second = `${at}","target_at":"`
  const run = `${runText},"lineage":{"history_key":{"origin_at":"${at}"`
  const lineage = `${lineageText}},"freshness":`
  const all = Buffer.from(opening + second + run + lineage, 'latin1')
  let from = 0
  const piece = ({ length }: string): Uint8Array => {
    from += length
    return all.subarray(from - length, from)
  }
  return {
    origin,
    kinds,
    id: `"${at}`,
    opening: piece(opening),
    second: piece(second),
    run: piece(run),
    lineage: piece(lineage),
    horizon: undefined,
    target: undefined,
  }
}

/** The manifests of the last origins: mostly the same one. */
const manifestTexts = new WeakMap<object, string>()

function manifestText(manifest: object): string {
  let text = manifestTexts.get(manifest)
  if (text === undefined) {
    text = asciiText(JSON.stringify(manifest))
    manifestTexts.set(manifest, text)
  }
  return text
}
