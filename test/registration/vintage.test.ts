import { describe, expect, it } from 'vitest'
import { checkedInstant, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Plan } from '../../src/contract/types.js'
import { type ClosesFacts, closesFindings } from '../../src/registration/prepare.js'
import { plan, saidOf } from './made.js'

const [FROM, TO] = ['2025-02-01T00:00:00Z', '2025-02-28T23:00:00Z']
const HORIZONS = [2, 16]
/** The closes that the window of a backtest needs, and no more. */
const [FIRST, LAST] = [
  checkedInstant(FROM) - 720 * MICROS_PER_HOUR,
  checkedInstant(TO) + 16 * MICROS_PER_HOUR,
]
const manifest = { vintage_id: 'v1', sha256: 'a'.repeat(64), source: 'coinbase' }
const BACKTEST: Partial<Plan> = { mode: 'backtest', window: { from: FROM, to: TO } }
const found = (over: Partial<Plan> = {}, facts: Partial<ClosesFacts> = {}) =>
  saidOf(
    closesFindings(
      plan({ ...BACKTEST, ...over }),
      { first: FIRST, last: LAST, manifest, ...facts },
      HORIZONS,
    ),
  )
const outcomes = (over: Partial<Plan['outcomes']>) => ({
  outcomes: { source: 'coinbase', vintage_id: 'v1', vintage_sha256: 'a'.repeat(64), ...over },
})

describe('the vintage of a backtest', () => {
  it('is the one that the plan means, if it means one, and holds all that is asked', () => {
    expect(found()).toEqual([])
    expect(found(outcomes({}))).toEqual([])
  })

  it.each<[string, Partial<Plan>, Partial<ClosesFacts>?]>([
    ['vintage-unfit too-early /mode', { mode: 'prospective' }],
    ['vintage-unfit other /outcomes/source', outcomes({ source: 'kraken' })],
    ['vintage-unfit other /outcomes/vintage_id', outcomes({ vintage_id: 'v2' })],
    ['vintage-unfit other /outcomes/vintage_sha256', outcomes({ vintage_sha256: 'b'.repeat(64) })],
    ['vintage-unfit ends-early /window/to', {}, { last: LAST - MICROS_PER_HOUR }],
    ['vintage-unfit lead-in /window/from', {}, { first: FIRST + MICROS_PER_HOUR }],
  ])('has %s', (expected, over, facts) => {
    expect(found(over, facts)).toEqual([expected])
  })
})
