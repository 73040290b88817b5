import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { wilson } from '../../bench/null-calibration.mjs'
import { countSeriesNull, LINES } from '../../bench/series-calibration.mjs'

const docs = readFileSync(
  new URL('../../docs/reference/measured-errors.md', import.meta.url),
  'utf8',
)
const section = docs.slice(docs.indexOf('## Verdicts on any series'))
const ROW = /^\| ([\w ,]+) \| (\d+) \| (\d+) \| (absolute|weighted_interval) \| (\d+) \| (.+) \|$/gm
const rows = [...section.matchAll(ROW)].map(
  ([, law, places, origins, score, evaluations, cells = '']) => {
    const [alone = 0, ...verdicts] = cells
      .split(' | ')
      .map((cell) => Math.round((Number.parseFloat(cell) / 100) * Number(evaluations)))
    const line = { law, places: Number(places), origins: Number(origins), score }
    return { line, evaluations: Number(evaluations), alone, verdicts }
  },
)

/** Laws whose memory is within the blocks: of the others the page says how often verdicts are wrong. */
const isWithin = (law = '') => !/much longer|regimes/.test(law)

describe('an evaluation of many series', () => {
  it('has every line in the table of docs/reference/measured-errors.md', () => {
    expect(rows.map(({ line }) => line)).toEqual(LINES)
  })

  // The promise: a false verdict of either kind in at most alpha / 2.
  it('is wrongly eligible or negative in no more than 2.5 %, whatever is left out', () => {
    for (const { line, evaluations, verdicts } of rows.filter(({ line: { law } }) =>
      isWithin(law),
    )) {
      expect(verdicts).toHaveLength(8)
      for (const hits of verdicts) {
        expect(hits / evaluations, JSON.stringify(line)).toBeLessThanOrEqual(0.03)
        expect(wilson(hits, evaluations)[0]).toBeLessThanOrEqual(0.025)
      }
    }
  })

  it.each(LINES.filter(({ law, origins }) => isWithin(law) && origins < 300))(
    'is wrong as rarely in other evaluations: $law $places $origins $score',
    (line) => {
      // Of so many, the lower end of Wilson's interval is above 2.5 % from four on.
      const numbers = Array.from({ length: 60 }, (_, index) => 1_000_000 + index)
      const { evaluations, ...counts } = countSeriesNull(line, numbers)
      for (const [kind, hits] of Object.entries(counts)) {
        if (kind !== 'alone') expect(wilson(hits, evaluations)[0], kind).toBeLessThanOrEqual(0.025)
      }
    },
  )
})
