import { describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import { normals } from '../support/random.js'
import { family, single } from './made.js'

const SERIES = 1000

/** A stationary first-order autoregression around 0; white noise for rho = 0. */
function autoregression(origins: number, rho: number, normal: () => number): Float64Array {
  const values = new Float64Array(origins)
  let value = normal() / Math.sqrt(1 - rho * rho)
  for (let i = 0; i < origins; i++) {
    values[i] = value
    value = rho * value + normal()
  }
  return values
}

/** The share of true nulls rejected by a one-sided test at 5 %, with blocks of 24. */
async function size(blocks: number, rho: number): Promise<number> {
  const normal = normals(1000 * blocks + 100 * rho)
  const tests = Array.from({ length: SERIES }, (_, i) =>
    single(`series ${i}`, { values: autoregression(24 * blocks, rho, normal) }),
  )
  const replicates = 1999
  const result = await runFamily(family(tests, { replicates }))
  const rejected = result.tests.filter(
    (test) =>
      test.status === 'tested' && (1 + test.replicates.atOrBelowZero) / (replicates + 1) <= 0.05,
  )
  return rejected.length / SERIES
}

// Rejection rates known from simulation elsewhere, rounded to a percent: with few blocks, or strong
// dependence, the block bootstrap rejects true nulls too often. That is what the protocol's minimum
// number of blocks is for, and why lint warns.
describe('the size of a single one-sided test under the null', () => {
  it.each([
    ['white noise', 0, 2, 0.2],
    ['white noise', 0, 5, 0.09],
    ['white noise', 0, 10, 0.07],
    ['white noise', 0, 20, 0.05],
    ['AR(1) 0.9', 0.9, 2, 0.32],
    ['AR(1) 0.9', 0.9, 5, 0.17],
    ['AR(1) 0.9', 0.9, 10, 0.12],
    ['AR(1) 0.9', 0.9, 20, 0.11],
  ])('%s (rho %f), %i blocks: %f', async (_, rho, blocks, expected) => {
    const found = await size(blocks, rho)
    const sigma = Math.sqrt((expected * (1 - expected)) / SERIES)
    expect(Math.abs(found - expected)).toBeLessThan(3 * sigma + 0.005)
  })
})
