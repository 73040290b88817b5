import { log10 } from '../contract/logarithm.js'
import type { Result } from '../evaluation/result/result.js'
import { decimal, percent, scientific, signedPercent } from '../output/figures.js'
import { isHourlyCloses, isShare } from './view.js'

/** How the means of measures are shown. */

/** The heading of a measure: the id of a score, or words for those that are only shown. */
// A score may have the name of a member of every object, such as `toString`.
export const measureName = (id: string): string => (Object.hasOwn(NAMES, id) && NAMES[id]) || id

const NAMES: Readonly<Record<string, string>> = {
  absolute_percent_error: 'absolute error, % of price',
  log_return_bias: 'log-return bias, %',
  percent_bias: 'bias, % of price',
  width_percent: 'width, % of price',
}

/** The mean of a measure: a share or a log return in per cent, anything else with four digits. */
export function measureText(result: Result, id: string, value: number | null): string {
  if (isShare(result, id)) return percent(value, 1)
  if (isHourlyCloses(result)) {
    if (id === 'log_return_bias') return signedPercent(value, 4)
    return Object.hasOwn(NAMES, id) ? decimal(value, 4) : percent(value, 4)
  }
  return scoreText(value)
}

/** A mean score, with enough decimals for four digits. */
export function scoreText(value: number | null): string {
  const size = Math.abs(value ?? 0)
  if (value !== null && size > 0 && (size < 1e-5 || size >= 1e12)) return scientific(value)
  const digits = size === 0 ? 1 : Math.min(8, Math.max(0, 3 - Math.floor(log10(size))))
  return decimal(value, digits)
}
