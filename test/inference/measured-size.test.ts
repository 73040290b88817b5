import { describe, expect, it } from 'vitest'
import { MEASURED_SIZES, nearestSize } from '../../src/inference/measured-size.js'

const METHODS = ['ewc-t', 'percentile-bootstrap'] as const

describe('the measured size nearest to a design', () => {
  it.each([
    [1, 20],
    [20, 20],
    [34, 20],
    [35, 60],
    [60, 60],
    [103, 60],
    [104, 180],
    [3000, 180],
  ])('for %i blocks is that of %i, by ratio', (blocks, nearest) => {
    for (const method of METHODS) expect(nearestSize(method, blocks).blocks).toBe(nearest)
  })

  it('ranges over all markets, and over memories of hours and days', () => {
    const { any, deciding, week } = nearestSize('ewc-t', 60)
    const shares = (of: 'any' | 'deciding', ...memories: string[]) =>
      MEASURED_SIZES.filter(
        ({ method, blocks, memory }) =>
          method === 'ewc-t' && blocks === 60 && memories.includes(memory),
      ).map((line) => line[of] / line.evaluations)
    const usual = shares('any', 'hours', 'days')
    expect(usual).toHaveLength(4)
    expect(any).toEqual({ least: Math.min(...usual), most: Math.max(...usual) })
    const decide = shares('deciding', 'hours', 'days')
    expect(deciding).toEqual({ least: Math.min(...decide), most: Math.max(...decide) })
    const long = shares('any', 'week')
    expect(long).not.toHaveLength(0)
    expect(week).toEqual({ least: Math.min(...long), most: Math.max(...long) })
  })
})
