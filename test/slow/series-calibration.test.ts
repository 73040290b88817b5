import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { wilson } from '../../bench/null-calibration.mjs'
import { countSeriesNull, LINES } from '../../bench/series-calibration.mjs'

const docs = readFileSync(new URL('../../docs/statistics.md', import.meta.url), 'utf8')
const section = docs.slice(docs.indexOf('## Many series at once'))
const ROW =
  /^\| (full|missing weeks|late|half way) \| (\d+) \| (\w+) \| ([\w ]+) \| (\d+) \| ([\d.]+) .*? \| ([\d.]+) /gm
const rows = [...section.matchAll(ROW)].map(
  ([, gaps, origins, score, memory, evaluations, alone, any]) => ({
    ...{ gaps, score, memory, origins: Number(origins) },
    ...{ evaluations: Number(evaluations), alone: Number(alone) / 100, any: Number(any) / 100 },
  }),
)

describe('an evaluation of many series', () => {
  it('has every line in the table of docs/statistics.md', () => {
    expect(
      rows.map(({ gaps, origins, memory, score }) => ({ gaps, origins, memory, score })),
    ).toEqual(LINES)
  })

  // What it is chosen for, where errors further apart than a block are independent.
  it('rejects something in at most 5 % where there is nothing to find, the overall test by itself with the noise of so many', () => {
    for (const { memory, evaluations, alone, any } of rows) {
      if (memory !== 'block') continue
      const upper = (share: number) => wilson(Math.round(share * evaluations), evaluations)[1]
      expect(any).toBeLessThanOrEqual(0.05)
      expect(upper(alone)).toBeLessThanOrEqual(0.07)
    }
  })

  it.each(LINES.filter(({ memory }) => memory === 'block'))(
    'rejects as rarely in other evaluations: $gaps $origins $score',
    (line) => {
      // Of so many, the lower end of Wilson's interval is above 5 % from ten on.
      const numbers = Array.from({ length: 100 }, (_, index) => 1_000_000 + index)
      const { evaluations, any } = countSeriesNull(line, numbers)
      expect(wilson(any, evaluations)[0]).toBeLessThanOrEqual(0.05)
    },
  )
})
