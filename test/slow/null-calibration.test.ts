import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { countNull, tableRows, wilson } from '../../bench/null-calibration.mjs'

const docs = readFileSync(
  new URL('../../docs/reference/measured-errors.md', import.meta.url),
  'utf8',
)

/** The first evaluations of some lines: market, memory, blocks, method; evaluations; any, deciding, alone. */
const FIRST = [
  ['made', 'hours', 20, 'ewc-t', 100, 2, 2, 2],
  ['made', 'days', 20, 'ewc-t', 100, 1, 1, 1],
  ['made', 'week', 20, 'ewc-t', 100, 3, 1, 2],
  ['made', 'days', 60, 'ewc-t', 100, 7, 7, 7],
  ['made', 'days', 180, 'ewc-t', 20, 0, 0, 0],
  ['made', 'days', 20, 'percentile-bootstrap', 8, 5, 0, 1],
] as const

describe('null calibration', () => {
  it.each(FIRST)(
    'counts the same again: %s %s %i %s',
    async (market, memory, blocks, method, evaluations, any, deciding, alone) => {
      const numbers = Array.from({ length: evaluations }, (_, index) => index)
      const counts = await countNull({ market, memory, blocks, method }, numbers, undefined)
      expect(counts).toEqual({ evaluations, any, deciding, alone })
    },
  )

  // The first evaluations of some verdicts: memory, blocks, candidates; evaluations; eligible, negative, without gaps.
  it.each([
    ['days', 20, 1, 100, 0, 0],
    ['regimes of 10 days', 60, 3, 40, 0, 1],
    ['days, a limit reached', 60, 3, 40, 0, 0],
    ['copy an hour late', 20, 1, 100, 0, 0],
  ] as const)(
    'counts verdicts the same again: %s %i %i',
    async (memory, blocks, candidates, evaluations, eligible, negative) => {
      const line = { market: 'made', memory, blocks, candidates, method: 'verdict' }
      const numbers = Array.from({ length: evaluations }, (_, index) => index)
      const counts = await countNull(line, numbers, undefined)
      const none = { 'eligible none': eligible, 'negative none': negative }
      expect(counts).toMatchObject({ evaluations, ...none })
    },
  )

  // The promise of verdicts, where errors are forgotten within a block or are those of hours and days.
  it('shows verdicts that keep alpha / 2, with and without gaps', () => {
    const rows = [...docs.matchAll(/^\| ([a-z ]+) \| \d+ \| \d \| (\d+) \| (.+) \|$/gm)]
    const kept = rows.filter(([, memory = '', , cells = '']) => {
      const isKept = ['hours', 'days', 'week', 'copy an hour late'].includes(memory)
      return isKept && !cells.includes('–')
    })
    expect(kept).toHaveLength(14)
    for (const [, , evaluations = '', cells = ''] of kept) {
      const shares = cells.split(' | ').map((cell) => Number.parseFloat(cell) / 100)
      expect(shares).toHaveLength(8)
      for (const share of shares) {
        expect(share).toBeLessThanOrEqual(0.03)
        const hits = Math.round(share * Number(evaluations))
        expect(wilson(hits, Number(evaluations))[0]).toBeLessThanOrEqual(0.025)
      }
    }
  })

  it('counts what is beside the tests the same again', async () => {
    const line = { market: 'made', memory: 'regimes of 30 days', blocks: 60, method: 'beside' }
    const numbers = Array.from({ length: 40 }, (_, index) => index)
    expect(await countNull(line, numbers, undefined)).toEqual({
      ...{ evaluations: 40, flagged: 4, hln: 20, band: 11, wrong: 5, unflagged: 5 },
    })
  })

  /** What the table of docs/reference/measured-errors.md says, as the counts that its shares are of. */
  const inTable = [...docs.matchAll(/^\| (made|real) \| (\w+) \| (\d+) \| (.+) \|$/gm)].flatMap(
    ([, market, memory, blocks, cells = '']) =>
      ['ewc-t', 'percentile-bootstrap'].flatMap((method, at) => {
        const [evaluations = 0, ...shares] = cells
          .split(' | ')
          .slice(4 * at, 4 * at + 4)
          .map(Number.parseFloat)
        const counts = shares.map((share) => Math.round((share * evaluations) / 100))
        const [any = 0, deciding = 0, alone = 0] = counts
        const line = { market, memory, blocks: Number(blocks), method }
        return Number.isNaN(evaluations) ? [] : [{ ...line, evaluations, any, deciding, alone }]
      }),
  )

  it('fills the table of docs/reference/measured-errors.md', () => {
    expect(inTable).toHaveLength(24)
    const rows = tableRows(inTable)
    expect(rows).toHaveLength(18)
    for (const row of rows) expect(docs).toContain(row)
  })

  // What the method is chosen for: at most 7.5 % at the upper end of Wilson's interval.
  it('shows a cosine test that keeps 5 % where widths remember for hours or days', () => {
    for (const line of inTable) {
      if (line.method !== 'ewc-t' || line.memory === 'week') continue
      expect(line.evaluations).toBeGreaterThanOrEqual(1000)
      for (const hits of [line.any, line.deciding]) {
        expect(wilson(hits, line.evaluations)[1]).toBeLessThanOrEqual(0.075)
      }
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
