import { cosineSums, cosines } from '../../inference/cosines.js'
import type { Rung } from './design.js'

/**
 * A test sees only the slow cosines of a window. So hours are summed into points, eight per wave of the fastest cosine.
 * Noise keeps its variance, because sums of independent hours are independent.
 */
const POINTS_A_WAVE = 8

/** The hours of a window, summed into points. */
export interface Points {
  readonly points: number
  /** Hours per point; the remainder at the end of the window is dropped. */
  readonly hours: number
  readonly degrees: number
  /** The `cosines` of the points. */
  readonly table: Float64Array
}

export function tabulatePoints({ origins, degrees }: Rung): Points {
  // Each degree's cosine has half a wave more than the previous one.
  const hours = Math.max(1, Math.floor(origins / ((POINTS_A_WAVE / 2) * degrees)))
  const points = Math.floor(origins / hours)
  return { points, hours, degrees, table: cosines(points) }
}

/** Mean of a window, and its cosine sums. */
export interface Sums {
  readonly mean: number
  readonly cosines: Float64Array
}

/** Over the hours of a window. @param totals of its points */
export function computeSums(totals: Float64Array, { points, hours, degrees, table }: Points): Sums {
  let sum = 0
  for (let point = 0; point < points; point++) {
    totals[point]! /= hours
    sum += totals[point] as number
  }
  return { mean: sum / points, cosines: cosineSums(totals, degrees, table) }
}

/** The unweighted mean. */
export function averageSums(all: readonly Sums[]): Sums {
  const [first, ...others] = all as [Sums, ...Sums[]]
  let { mean } = first
  const cosines = first.cosines.slice()
  for (const each of others) {
    mean += each.mean
    for (let j = 0; j < cosines.length; j++) cosines[j]! += each.cosines[j] as number
  }
  for (let j = 0; j < cosines.length; j++) cosines[j]! /= all.length
  return { mean: mean / all.length, cosines }
}

export function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += (a[j] as number) * (b[j] as number)
  return sum
}
