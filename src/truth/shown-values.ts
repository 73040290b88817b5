import type { Instant } from '../contract/instant.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import type { SeriesTruth } from './series-truth.js'
import { TruthView } from './truth-view.js'

/** The values of a series that are public at the instant that was shown last. */
export interface ShownValues {
  show(at: Instant): unknown
  /** Position of the last period that has a value; −1 where none has. */
  readonly newest: number
  /** NaN where there is none. */
  value(period: number): number
}

/** The outcomes that forecasts are paired with: series by their place in the rules, periods by their positions. */
export interface PairingTruth {
  /** The value that counts; NaN where there is none. */
  value(series: number, period: number): number
  /** What is public of a series at instants that ascend. */
  shown(series: number): ShownValues
}

/** Where nothing is known of outcomes. */
export const NO_TRUTH: PairingTruth = {
  value: () => Number.NaN,
  shown: () => ({ show: () => undefined, newest: -1, value: () => Number.NaN }),
}

export function listTruth(
  truth: SeriesTruth,
  periods: PeriodList,
  times: SeriesTimes,
): PairingTruth {
  return {
    value: truth.value,
    shown: (series) => new TruthView(truth, series, periods.length, times),
  }
}
