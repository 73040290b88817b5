import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  MEASURED_SIZES,
  nearestSize,
  nearestVerdictSize,
  VERDICT_SIZES,
} from '../../src/inference/measured-size.js'

const docs = readFileSync(
  new URL('../../docs/reference/measured-errors.md', import.meta.url),
  'utf8',
)
const closeTo = (share: number) => expect.closeTo(share, 12)
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

  it('has the least and the most of the table, over both markets, and memories of hours and days', () => {
    const rows = [...docs.matchAll(/^\| (?:made|real) \| (\w+) \| (\d+) \| (.+) \|$/gm)]
    expect(rows).toHaveLength(18)
    for (const { method, blocks, any, deciding, week } of MEASURED_SIZES) {
      // After the evaluations of a method, the shares that it rejects of any and of the deciding tests.
      const at = method === 'ewc-t' ? 1 : 5
      const rangeOf = (column: number, ...memories: string[]) => {
        const shares = rows
          .filter(([, memory = '', own]) => memories.includes(memory) && Number(own) === blocks)
          .map(([, , , cells = '']) => Number.parseFloat(cells.split(' | ')[column] ?? '') / 100)
          .filter((share) => !Number.isNaN(share))
        return shares.length === 0
          ? undefined
          : { min: closeTo(Math.min(...shares)), max: closeTo(Math.max(...shares)) }
      }
      expect(any).toEqual(rangeOf(at, 'hours', 'days'))
      expect(deciding).toEqual(rangeOf(at + 1, 'hours', 'days'))
      expect(week).toEqual(rangeOf(at, 'week'))
    }
  })
})

describe('the measured verdicts', () => {
  const USUAL = ['hours', 'days', 'week']
  const LONG = ['two weeks', 'regimes of 10 days', 'regimes of 30 days']
  const rows = [
    ...docs.matchAll(
      /^\| ([a-z0-9 ]+) \| (\d+) \| (\d) \| \d+ \| ([\d.]+) \([^|]+\| ([\d.]+) \(/gm,
    ),
  ].map(([, memory = '', blocks, candidates, eligible, negative]) => {
    const shares = { eligible: Number(eligible) / 100, negative: Number(negative) / 100 }
    return { memory, blocks: Number(blocks), candidates: Number(candidates), ...shares }
  })

  it('are those of the table, by blocks and candidates', () => {
    expect(VERDICT_SIZES).toHaveLength(6)
    for (const { blocks, candidates, usual, long } of VERDICT_SIZES) {
      const rangeOf = (memories: string[], of: 'eligible' | 'negative') => {
        const shares = rows
          .filter((row) => row.blocks === blocks && row.candidates === candidates)
          .filter(({ memory }) => memories.includes(memory))
          .map((row) => row[of])
        expect(shares).toHaveLength(3)
        return { min: Math.min(...shares), max: Math.max(...shares) }
      }
      for (const of of ['eligible', 'negative'] as const) {
        expect(usual[of]).toEqual(rangeOf(USUAL, of))
        expect(long[of]).toEqual(rangeOf(LONG, of))
      }
    }
  })

  it.each([
    [1, 1, 20, 1],
    [34, 2, 20, 3],
    [35, 7, 60, 3],
    [365, 1, 180, 1],
  ])(
    'of %i blocks and %i candidates are those of %i and %i',
    (blocks, own, nearest, candidates) => {
      expect(nearestVerdictSize(blocks, own)).toMatchObject({ blocks: nearest, candidates })
    },
  )
})
