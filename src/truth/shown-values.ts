import type { Instant } from '../contract/instant.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import type { SeriesTruth } from './series-truth.js'
import { TruthView } from './truth-view.js'

/** The values of a series that are public at the last shown instant. */
export interface ShownValues {
  show(at: Instant): unknown
  /** Position of the last period that has a value; −1 if none has. */
  readonly newest: number
  /** NaN if missing. */
  value(period: number): number
}

/** The outcomes that forecasts are paired with: series by their position in the rules, periods by their positions. */
export interface PairingTruth {
  /** The value that counts; NaN if missing. */
  value(series: number, period: number): number
  /** The public values of a series at ascending instants. */
  shown(series: number): ShownValues
}

/** For use without any outcomes. */
export const NO_TRUTH: PairingTruth = {
  value: () => Number.NaN,
  shown: () => ({ show: () => undefined, newest: -1, value: () => Number.NaN }),
}

export function listTruth(
  truth: SeriesTruth,
  periods: PeriodList,
  rules: Pick<SeriesTimes, 'known'>,
): PairingTruth {
  return {
    value: truth.value,
    shown: (series) => new TruthView(truth, series, periods.length, rules),
  }
}
