import { expect, it } from 'vitest'
import { earliestText } from '../../src/cli/earliest.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { earliestHourly, earliestOfSeries } from '../../src/lint/earliest.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { frozen } from '../registration/made.js'
import { exampleOf } from '../registration/series-examples.js'

const { periods, protocol } = await exampleOf('weekly')
const at = checkedInstant
const NOW = at('2026-01-01T00:30:00Z')

it('a verdict on hourly closes takes 550 hours of the reference, and none comes of a bootstrap', () => {
  // Directions are asked of 1.1 times 500 pairs; from 1 o'clock on 549 hours, and the longest horizon of 16.
  const earliest = earliestHourly(compileRules(frozen('btcusd-hourly-4')), NOW)
  expect(earliest).toEqual({ origins: 550, at: '2026-01-24T14:00:00Z' })
  expect(earliestText(earliest, NOW)).toBe(
    'The earliest verdict on a window that is registered now is on 2026-01-24, in 23 days: it takes 550 origins.\n',
  )
  const none = earliestHourly(compileRules(frozen('btcusd-hourly-1')), NOW)
  expect([none, earliestText(none, NOW)]).toEqual([undefined, ''])
})

it('of any series it is of the origins of the list that are still to come', () => {
  const start = (periods[0]?.start ?? Number.NaN) - 1
  const {
    minimum_blocks: blocks,
    minimum_pairs: pairs,
    block_origins: length,
  } = protocol.dependence
  const rules = compileRules(protocol, periods)
  const { origins, at: first } = earliestOfSeries(rules, periods, start)
  expect(origins).toBe(Math.max(pairs, blocks * length))
  const weeks = (at(first ?? '') - start) / (7 * 86_400_000_000)
  // The 50 weeks before a window, the window, and what its last outcome takes.
  expect(Math.round(weeks)).toBeGreaterThanOrEqual(origins + 50)
  expect(earliestText({ origins, at: first }, start)).toMatch(/, in \d+ months: it takes/)
  const late = earliestOfSeries(rules, periods, periods.at(-1)?.end ?? Number.NaN)
  expect(late).toEqual({ origins, at: null })
  // A finding says it in place of this sentence.
  expect(earliestText(late, NOW)).toBe('')
})
