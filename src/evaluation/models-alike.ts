import { objectIn } from '../contract/is-object.js'
import type { ModelReference, Registration } from '../contract/types.js'
import type { HistoryRow } from '../forecast/row.js'
import { streamed } from '../store/open.js'
import { windowOf } from './history.js'

/** A candidate that another registration has under another name. */
export interface Alike {
  readonly candidate: string
  readonly as: string
  readonly by: 'forecasts' | 'configuration'
}

/** Two models of one history, as far as they were met. */
interface Couple {
  readonly candidate: string
  readonly as: string
  /** Keys at which both have a forecast, and whether it was the same price at all of them. */
  common: number
  same: boolean
}

/**
 * Candidates that are the same as models of other names, by the rows of the window: all prices that they have
 * in common are equal, and there are enough of them; or their forecasts bear the same configuration, and never
 * stand side by side. One run makes forecasts of several models under one configuration: these do.
 *
 * @param models of other registrations
 * @param least keys in common, before equal prices say anything
 */
export async function modelsAlike(
  history: string,
  registration: Registration,
  models: readonly ModelReference[],
  least: number,
): Promise<Alike[]> {
  const ofHistory = (all: readonly ModelReference[]) =>
    new Set(all.flatMap(({ source, name }) => (source === 'history' ? [name] : [])))
  const own = ofHistory(registration.candidates)
  const other = [...ofHistory(models)].filter((name) => !own.has(name))
  const couples = [...own].flatMap((candidate) =>
    other.map((as): Couple => ({ candidate, as, common: 0, same: true })),
  )
  if (couples.length === 0) return []
  const configurations = new Map([...own, ...other].map((name) => [name, new Set<string>()]))
  const window = { ...windowOf(registration), only: 'forecasts' as const }
  let [key, prices] = ['', new Map<string, unknown>()]
  for await (const entries of streamed(history, (reader) => reader.entries(window))) {
    for (const { forecast } of entries) {
      if (forecast === undefined) continue
      const name = String(forecast.model)
      const at = `${forecast.originAt} ${forecast.horizonHours}`
      if (at !== key) {
        meet(couples, prices)
        ;[key, prices] = [at, new Map()]
      }
      prices.set(name, forecast.priceUsd)
      const configuration = configurationOf(forecast)
      if (configuration !== null) configurations.get(name)?.add(configuration)
    }
  }
  meet(couples, prices)
  return couples.flatMap(({ candidate, as, common, same }): Alike[] => {
    if (common >= least && same) return [{ candidate, as, by: 'forecasts' }]
    const theirs = configurations.get(as)
    const shared = [...(configurations.get(candidate) ?? [])].some((each) => theirs?.has(each))
    return common === 0 && shared ? [{ candidate, as, by: 'configuration' }] : []
  })
}

/** Takes in the prices of one key, by model. */
function meet(couples: readonly Couple[], prices: ReadonlyMap<string, unknown>): void {
  for (const couple of couples) {
    const { candidate, as } = couple
    if (!prices.has(candidate) || !prices.has(as)) continue
    couple.common++
    couple.same &&= prices.get(candidate) === prices.get(as)
  }
}

/** That of the resource, where a row is kept whole; null where none is recorded. */
function configurationOf({ whole, origin }: HistoryRow): string | null {
  const resource = whole === null ? undefined : objectIn(String(whole))
  const found = resource
    ? (resource.model as { readonly configuration_id?: unknown } | null)?.configuration_id
    : origin?.configurationId
  return typeof found === 'string' ? found : null
}
