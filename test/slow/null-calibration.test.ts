import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BLOCK_COUNTS, calibrate, tableRow, wilson } from '../../bench/null-calibration.mjs'

const docs = readFileSync(new URL('../../docs/statistics.md', import.meta.url), 'utf8')

describe('null calibration', () => {
  it.each(['hours', 'days'])('is what docs/statistics.md says: %s', async (memory) => {
    for (const blocks of BLOCK_COUNTS) {
      expect(docs).toContain(tableRow(memory, blocks, await calibrate(memory, blocks, 500)))
    }
  })

  // Newcombe (1998), two-sided confidence intervals for the single proportion, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("has Wilson's interval: %i of %i", (hits, trials, low, high) => {
    const interval = wilson(hits, trials)
    expect(interval[0]).toBeCloseTo(low, 4)
    expect(interval[1]).toBeCloseTo(high, 4)
  })
})
