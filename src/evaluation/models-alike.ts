import { objectIn } from '../contract/is-object.js'
import type { ModelReference } from '../contract/types.js'
import type { HistoryRow } from '../forecast/row.js'
import { streamRows } from '../store/open.js'
import { openWindowRows, windowRange } from './history.js'
import { type Documents, isOfSeries } from './load.js'

/** A candidate that another registration contains under another name. */
export interface Alike {
  readonly candidate: string
  readonly as: string
  readonly by: 'forecasts' | 'configuration'
}

/** Two models of one history, compared over the rows so far. */
interface Couple extends Omit<Alike, 'by'> {
  /** The number of keys at which both have a forecast, and whether the prices were equal at all of them. */
  common: number
  same: boolean
}

/**
 * Candidates that are the same as models of other names, by the rows of the window: all prices that they have
 * in common are equal, and there are enough of them; or their forecasts bear the same configuration, and never
 * stand side by side. One run makes forecasts of several models under one configuration: these do.
 *
 * @param models of other registrations
 * @param min keys in common, before equal prices say anything
 */
export async function modelsAlike(
  history: string,
  documents: Documents,
  models: readonly ModelReference[],
  min: number,
): Promise<Alike[]> {
  const ofHistory = (all: readonly ModelReference[]) =>
    new Set(all.flatMap(({ source, name }) => (source === 'history' ? [name] : [])))
  const candidates = ofHistory(documents.registration.candidates)
  const other = [...ofHistory(models)].filter((name) => !candidates.has(name))
  const couples = [...candidates].flatMap((candidate) =>
    other.map((as): Couple => ({ candidate, as, common: 0, same: true })),
  )
  if (couples.length === 0) return []
  const configurations = new Map([...candidates, ...other].map((name) => [name, new Set<string>()]))
  let [key, values] = ['', new Map<string, unknown>()]
  for await (const made of madeIn(history, documents)) {
    for (const { at, model, value, configuration } of made) {
      if (at !== key) {
        meet(couples, values)
        ;[key, values] = [at, new Map()]
      }
      values.set(model, value)
      if (configuration !== null) configurations.get(model)?.add(configuration)
    }
  }
  meet(couples, values)
  return couples.flatMap(({ candidate, as, common, same }): Alike[] => {
    if (common >= min && same) return [{ candidate, as, by: 'forecasts' }]
    const theirs = configurations.get(as)
    const shared = [...(configurations.get(candidate) ?? [])].some((each) => theirs?.has(each))
    return common === 0 && shared ? [{ candidate, as, by: 'configuration' }] : []
  })
}

/** A forecast of the window, with what is needed to compare models. */
interface Made {
  /** Its key without the model. */
  readonly at: string
  readonly model: string
  readonly value: unknown
  readonly configuration: string | null
}

/** The forecasts of the window, grouped by key. */
async function* madeIn(history: string, documents: Documents): AsyncGenerator<Made[]> {
  if (isOfSeries(documents)) {
    for await (const rows of (await openWindowRows(history, documents)).rows()) {
      yield rows.flatMap(({ originAt, series, horizon, model, forecast: value }) => {
        const at = JSON.stringify([originAt, series, horizon])
        return value === null ? [] : [{ at, model, value, configuration: null }]
      })
    }
    return
  }
  const window = { ...windowRange(documents.registration), only: 'forecasts' as const }
  for await (const entries of streamRows(history, (reader) => reader.entries(window))) {
    yield entries.flatMap(({ forecast }) => {
      if (forecast === undefined) return []
      const at = `${forecast.originAt} ${forecast.horizonHours}`
      const configuration = configurationIn(forecast)
      return [{ at, model: String(forecast.model), value: forecast.priceUsd, configuration }]
    })
  }
}

/** Adds the values of one key, by model. */
function meet(couples: readonly Couple[], values: ReadonlyMap<string, unknown>): void {
  for (const couple of couples) {
    const { candidate, as } = couple
    if (!values.has(candidate) || !values.has(as)) continue
    couple.common++
    couple.same &&= values.get(candidate) === values.get(as)
  }
}

/** That of the resource, where a row is kept whole; null where none is recorded. */
function configurationIn({ whole, origin }: HistoryRow): string | null {
  const resource = whole === null ? undefined : objectIn(String(whole))
  const configurationId = resource
    ? (resource.model as { readonly configuration_id?: unknown } | null)?.configuration_id
    : origin?.configurationId
  return typeof configurationId === 'string' ? configurationId : null
}
