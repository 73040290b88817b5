import { formatStored, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { INTERVAL_LEVEL, NOT_RECORDED, type StoredResource } from '../history/resource.js'
import type { HistoryRow, OriginRow } from '../history/types.js'
import { asciiJson, asciiText } from './ascii.js'
import type { Part } from './part.js'

/**
 * The short way from a row to its text, for the rows that histories are full of. Once one forecast of
 * an origin has been mapped, checked and serialised the long way, the others differ from it in a few
 * numbers only. Those are checked here, by the rules of the contract; a row with anything unusual about
 * it takes the long way. A property test holds both ways against each other.
 */
interface OriginText {
  readonly origin: Instant
  readonly kinds: Kinds
  /** The text up to the second mention of the model, and so on in the order of the resource. */
  readonly opening: string
  readonly second: string
  readonly run: string
  readonly lineage: string
  /** target_at by horizon. */
  readonly targets: Map<unknown, string>
}

/** What depends on model, horizon and configuration alone. */
interface Kind {
  readonly id: string
  readonly first: string
  readonly model: string
  readonly historyKey: string
}

type Kinds = Map<unknown, Map<unknown, Kind>>

const KINDS_LIMIT = 1024
/** A century; farther targets may have no timestamp, and go the long way. */
const LONGEST_HORIZON = 876_600
const UNKNOWN_CONFIDENCE =
  ',"confidence":{"score":0,"label":"unknown",' +
  `"evidence":{"model_agreement":null,"reason":"${NOT_RECORDED}"}},`

/** The origins of the last pages; in a walk, older ones do not come again. */
const texts = new Map<OriginRow, OriginText>()
const ORIGINS_KEPT = 256
const kindsByConfiguration = new Map<string | null, Kinds>()

/** Remembers what the forecasts of an origin share, from one that went the long way. */
export function remember(stored: StoredResource, row: HistoryRow, origin: Instant): void {
  if (row.origin === undefined || row.whole !== null || row.provenance !== undefined) return
  rememberKind(stored)
  if (row.originAt !== stored.origin_at || texts.has(row.origin)) return
  const { history_key, provenance, ...lineage } = stored.lineage
  const at = stored.origin_at
  if (texts.size >= ORIGINS_KEPT) texts.clear()
  texts.set(row.origin, {
    origin,
    kinds: kindsOf(stored.model.configuration_id),
    opening: `{"forecast_id":"${at}`,
    second: `${at}","target_at":"`,
    run: `"run":${asciiText(JSON.stringify(stored.run))},"lineage":{"history_key":{"origin_at":"${at}"`,
    lineage: `${asciiText(JSON.stringify(lineage)).slice(1, -1)}},"freshness":`,
    targets: new Map(),
  })
}

/** The part of a row by the short way, or undefined where only the long way will do. */
export function leanPart(row: HistoryRow): Part | undefined {
  const { origin, model, horizonHours, priceUsd, changePct, modelAgreement } = row
  const text = origin === undefined ? undefined : texts.get(origin)
  if (text === undefined || row.whole !== null || row.provenance !== undefined) return undefined
  const kind = kindOf(text, model, horizonHours)
  if (kind === undefined || row.targetAt !== text.targets.get(horizonHours)) return undefined
  const interval = intervalText(row)
  const confidence = confidenceText(modelAgreement)
  const finite = Number.isFinite(priceUsd) && Number.isFinite(changePct)
  if (!finite || interval === undefined || confidence === undefined) return undefined
  return {
    key: { origin: text.origin, horizonHours: Number(horizonHours), model: String(model) },
    id: `${text.opening.slice(FORECAST_ID)}${kind.id}`,
    head:
      `${text.opening}${kind.first}${text.second}${row.targetAt}${kind.model}${priceUsd}` +
      `,"change_pct":${changePct}},"interval":{"level":${INTERVAL_LEVEL}${interval}${confidence}` +
      `${text.run}${kind.historyKey}${text.lineage}`,
  }
}

/** Where the id begins in the opening. */
const FORECAST_ID = '{"forecast_id":'.length

function intervalText({ q10Usd: low, q50Usd: median, q90Usd: high }: HistoryRow) {
  const none = low === null && median === null && high === null
  if (!none) {
    if (typeof low !== 'number' || typeof median !== 'number' || typeof high !== 'number') {
      return undefined
    }
    // NaN cannot come from SQLite, and would fail; infinities would not.
    if (!(low <= median && median <= high && Number.isFinite(low) && Number.isFinite(high))) {
      return undefined
    }
  }
  return `,"lower_usd":${low},"median_usd":${median},"upper_usd":${high}}`
}

function confidenceText(agreement: unknown): string | undefined {
  if (agreement === null) return UNKNOWN_CONFIDENCE
  if (typeof agreement !== 'number' || !(agreement >= 0 && agreement <= 1)) return undefined
  const text = String(agreement)
  return (
    `,"confidence":{"score":${text},"label":"model_agreement",` +
    `"evidence":{"model_agreement":${text}}},`
  )
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
  const kind = text.kinds.get(model)?.get(horizon)
  if (kind !== undefined && !text.targets.has(horizon)) {
    text.targets.set(horizon, formatStored(text.origin + Number(horizon) * MICROS_PER_HOUR))
  }
  return kind
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
    first: `:${name.slice(1, -1)}:${horizon}","origin_at":"`,
    model:
      `","horizon_hours":${horizon},"model":{"name":${name},` +
      `"configuration_id":${configuration}},"estimate":{"price_usd":`,
    historyKey: `,"model_name":${name},"horizon_hours":${horizon}},`,
  })
  kinds.set(model.name, ofModel)
}
