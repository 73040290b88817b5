import type { BaselineRule } from './closes.js'

/** No change: P̂ = P0, at every horizon. The random walk without drift. */
export const persistence: BaselineRule = (closes, index, _horizons, prices) => {
  prices.fill(closes.prices[index] as number)
}
