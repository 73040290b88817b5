import { asciiJson } from './ascii.js'
import type { StoredResource } from './resource.js'

/** What depends on model, horizon and configuration alone. */
export interface Kind {
  readonly kinds: Kinds
  readonly name: string
  readonly horizon: number
  readonly id: string
  readonly first: Uint8Array
  readonly model: Uint8Array
  readonly historyKey: Uint8Array
  /** What came after it the last time: origins mostly have the same forecasts, in the same order. */
  next: Kind | undefined
}

export type Kinds = Map<unknown, Map<unknown, Kind>>

const KINDS_LIMIT = 1024
/** A century; farther targets may have no timestamp, and go the long way. */
const LONGEST_HORIZON = 876_600

const kindsByConfiguration = new Map<string | null, Kinds>()

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

export function kindsOf(configuration: string | null): Kinds {
  let kinds = kindsByConfiguration.get(configuration)
  if (kinds === undefined) {
    if (kindsByConfiguration.size >= KINDS_LIMIT) kindsByConfiguration.clear()
    kinds = new Map()
    kindsByConfiguration.set(configuration, kinds)
  }
  return kinds
}

let before: Kind | undefined

/** Undefined until a forecast of this model, horizon and configuration has gone the long way. */
export function kindOf(kinds: Kinds, model: unknown, horizon: unknown): Kind | undefined {
  let kind = before?.next
  if (kind?.name !== model || kind?.horizon !== horizon || kind?.kinds !== kinds) {
    kind = kinds.get(model)?.get(horizon)
    if (before !== undefined) before.next = kind
  }
  if (kind !== undefined) before = kind
  return kind
}

/** Remembers what depends on model, horizon and configuration, from a forecast that went the long way. */
export function rememberKind(stored: StoredResource): void {
  const { model, horizon_hours: horizon } = stored
  const kinds = kindsOf(model.configuration_id)
  const ofModel = kinds.get(model.name) ?? new Map<unknown, Kind>()
  const full = kinds.size >= KINDS_LIMIT || ofModel.size >= KINDS_LIMIT
  if (full || horizon > LONGEST_HORIZON) return
  const name = asciiJson(model.name)
  const configuration = model.configuration_id === null ? 'null' : asciiJson(model.configuration_id)
  ofModel.set(horizon, {
    kinds,
    name: model.name,
    horizon,
    next: undefined,
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
