import { formatStored, type Instant } from '../../contract/instant.js'
import { INTERVAL_LEVEL } from '../../contract/limits.js'
import { compareText } from '../../contract/order.js'
import type { PairingRow } from '../../forecast/row.js'
import type { Calendar } from '../../protocol/rules/calendar.js'

/** What a baseline says of a target. */
export interface BaselineForecast {
  readonly point: number
  /** By the levels of the grid; absent without any. */
  readonly quantiles?: readonly (number | null)[] | undefined
  /** The value at the origin, where rows state it. */
  readonly source?: number | undefined
}

/**
 * The forecasts of the baselines of one series. It is asked by ascending origin.
 * @returns null for an abstention; undefined where there is no row.
 */
export type ForecastAt = (
  model: string,
  origin: number,
  step: number,
) => BaselineForecast | null | undefined

/** The keys at which baselines are asked. */
export interface BaselineGrid {
  readonly series: readonly { readonly id: string }[]
  readonly models: readonly string[]
  /** Positions, ascending. */
  readonly origins: readonly number[]
  readonly levels: readonly string[]
  readonly calendar: Pick<Calendar, 'label' | 'stated'>
  /** Ascending. */
  targetsAt(origin: number): readonly number[]
  /** When the inputs of a forecast are known. */
  inputs(origin: number): Instant
}

/**
 * The forecasts of baselines as rows for pairing, by series, origin, step and name. Their inputs were known in time by
 * construction. They record no vintage, because they are made from the one that scores.
 * @param createForecasts - by the position of the series.
 */
export function* baselineRows(
  { series, origins, levels, calendar, targetsAt, inputs, ...grid }: BaselineGrid,
  createForecasts: (series: number) => ForecastAt,
): Generator<PairingRow> {
  const none = levels.map(() => null)
  const models = grid.models.toSorted(compareText)
  const inOrder = [...series.entries()].sort(([, a], [, b]) => compareText(a.id, b.id))
  for (const [index, { id }] of inOrder) {
    const forecastAt = createForecasts(index)
    for (const origin of origins) {
      const originAt = calendar.stated(origin) ?? calendar.label(origin)
      const knownAt = formatStored(inputs(origin))
      for (const horizon of targetsAt(origin)) {
        const targetAt = calendar.stated(origin + horizon)
        for (const model of models) {
          const made = forecastAt(model, origin, horizon)
          if (made === undefined) continue
          yield {
            series: id,
            originAt,
            model,
            horizon,
            targetAt,
            generatedAt: null,
            sourcePrice: made?.source ?? null,
            forecast: made?.point ?? null,
            levels,
            quantiles: made?.quantiles ?? none,
            level: INTERVAL_LEVEL,
            attempt: made === null ? 'abstained' : null,
            inputAvailableAt: knownAt,
            selectionDataThrough: knownAt,
            vintageId: null,
            vintageSha256: null,
          }
        }
      }
    }
  }
}
