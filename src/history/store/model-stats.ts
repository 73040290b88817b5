import { compareText } from '../../contract/order.js'
import type { StoredCheckpoint, StoredLog } from './log-types.js'
import type { HistoryStatsResult, LogStats, ModelStats } from './stats-types.js'

type Counted = { -readonly [K in keyof ModelStats]: ModelStats[K] } & {
  horizons: Record<string, number>
}

/** Counts by model, from the groups that a store has counted. */
export class ModelCounts {
  readonly #models = new Map<string, Counted>()

  /**
   * Forecasts of a model and a horizon.
   * @param first - their first origin, as `stats` shows it; null where there is none.
   */
  addForecasts(
    model: string,
    horizon: string,
    count: number,
    first: string | null,
    last: string | null,
  ): void {
    const stats = this.#of(model)
    stats.horizons[horizon] = count
    stats.forecasts += count
    const { first_origin, last_origin } = stats
    if (first !== null && (first_origin === null || first < first_origin))
      stats.first_origin = first
    if (last !== null && (last_origin === null || last > last_origin)) stats.last_origin = last
  }

  /** Recorded attempts of a model. */
  addAttempts(model: string, status: unknown, count: number): void {
    this.#of(model)[status === 'abstained' ? 'abstained' : 'failed'] += count
  }

  /** By model, and of all together. */
  result(): Pick<HistoryStatsResult, 'forecasts' | 'attempts' | 'models'> {
    const models = [...this.#models.values()].sort((a, b) => compareText(a.model, b.model))
    const sum = (member: 'forecasts' | 'failed' | 'abstained') =>
      models.reduce((total, model) => total + model[member], 0)
    return {
      forecasts: sum('forecasts'),
      attempts: { failed: sum('failed'), abstained: sum('abstained') },
      models,
    }
  }

  #of(model: string): Counted {
    const known = this.#models.get(model)
    if (known !== undefined) return known
    const made: Counted = {
      model,
      horizons: {},
      forecasts: 0,
      failed: 0,
      abstained: 0,
      first_origin: null,
      last_origin: null,
    }
    this.#models.set(model, made)
    return made
  }
}

/** What is shown of a log. @param newest - its newest checkpoint, where it has one. */
export function logStatsOf(
  { name, own, size, sealed }: StoredLog,
  newest: StoredCheckpoint | undefined,
): LogStats {
  const stamped_by = (newest?.stamps ?? []).map(({ authority }) => authority)
  return { name: name ?? null, own, entries: size, checkpoint: sealed ?? null, stamped_by }
}
