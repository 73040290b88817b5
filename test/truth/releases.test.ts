import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import {
  ALWAYS,
  countedValue,
  datedReleases,
  inForce,
  type Releases,
} from '../../src/truth/releases.js'
import { createTruth, createTruthManifest } from '../../src/truth/releases-vintage.js'
import { createSeriesTruth } from '../../src/truth/series-truth.js'
import { TruthView } from '../../src/truth/truth-view.js'
import { protocolOf, WEEKS } from './sample.js'

const at = (date: string) => checkedInstant(`${date}T00:00:00Z`)

// A week that ends on the 8th: a first value, nothing, another one, and a late one.
const RELEASES = [
  { asOf: at('2026-01-10'), value: 10 },
  { asOf: at('2026-01-17'), value: undefined },
  { asOf: at('2026-01-24'), value: 12 },
  { asOf: at('2026-03-01'), value: 13 },
]

describe('a release is in force until the next one', () => {
  it.each([
    ['2026-01-09', undefined],
    ['2026-01-10', 10],
    ['2026-01-16', 10],
    ['2026-01-17', undefined],
    ['2026-02-28', 12],
    ['2027-01-01', 13],
  ])('%s', (date, value) => {
    expect(inForce(RELEASES, at(date))).toBe(value)
  })
})

describe('the value that counts', () => {
  it.each<[SeriesProtocol['outcome']['release'], string, number | undefined]>([
    [{ rule: 'first', wait: 'P7D' }, '2026-01-16', 10],
    [{ rule: 'first', wait: 'PT0S' }, '2026-01-09', undefined],
    [{ rule: 'as_of_lag', lag: 'P10D' }, '2026-01-18', undefined],
    [{ rule: 'as_of_lag', lag: 'P28D' }, '2026-02-05', 12],
    [{ rule: 'as_of_instant', at: '2026-06-01T00:00:00Z' }, '2026-06-01', 13],
  ])('by %j', (rule, settled, value) => {
    expect(countedValue(rule, RELEASES, at(settled))).toBe(value)
  })

  it('of what is not revised is the only one', () => {
    const releases = [{ asOf: ALWAYS, value: 7 }]
    expect(countedValue({ rule: 'unrevised' }, releases, at('2026-01-10'))).toBe(7)
  })
})

it('a value without a date is public when it could be known, no earlier', () => {
  const times = { end: at('2026-01-08'), known: at('2026-01-09') }
  const undated = datedReleases([{ asOf: ALWAYS, value: 7 }], times)
  expect(inForce(undated, at('2026-01-08'))).toBeUndefined()
  expect(inForce(undated, at('2026-01-09'))).toBe(7)
  expect(datedReleases(RELEASES, times)).toBe(RELEASES)
})

describe('a row that is dated before its period ended and before its value could be known', () => {
  const { start, end, label } = WEEKS[3]!
  const DAY = 86_400_000_000
  const rows = [
    { asOf: start - DAY, value: 0 },
    { asOf: end + DAY, value: 9 },
  ]
  /** Whoever wrote the vintage: its rows are those above. */
  const under = (known: SeriesProtocol['outcome']['known'], given: Releases = rows) => {
    const outcome = { over: 'end', known, release: { rule: 'first', wait: 'P30D' } } as const
    const protocol = protocolOf(['US'], 'America/New_York', WEEKS, { outcome })
    const table = new Map([['US', new Map([[label, given]])]])
    const parts = { table, sha256: '0'.repeat(64), source: 'x', input: null }
    const times = compileRules(protocol, WEEKS)
    const truth = createSeriesTruth(times, WEEKS, createTruth(createTruthManifest(parts), table))
    const view = new TruthView(truth, 0, WEEKS.length, times)
    const seen = (at: number) => {
      view.show(at)
      return [view.value(3), view.newest, truth.view(0, 3, at)]
    }
    return { counted: truth.value(0, 3), seen, releases: truth.releases(0, 3) }
  }

  it('never counts, and no baseline sees it', () => {
    const { counted, seen, releases } = under({ anchor: 'end', offset: 'PT0S' })
    expect(counted).toBe(9)
    expect(releases).toEqual(rows.slice(1))
    for (const at of [start, end - 1, end]) expect(seen(at)).toEqual([Number.NaN, -1, Number.NaN])
    expect(seen(end + DAY)).toEqual([9, 3, 9])
    expect(under({ anchor: 'end' }, rows.slice(0, 1)).counted).toBeNaN()
  })

  it('is seen from the time on at which it could be known, where it is dated before that and after its period', () => {
    const { counted, seen } = under({ anchor: 'end', offset: 'P3D' })
    expect(counted).toBe(9)
    expect(seen(end + 3 * DAY - 1)).toEqual([Number.NaN, -1, Number.NaN])
    expect(seen(end + 3 * DAY)).toEqual([9, 3, 9])
  })

  it('without a date is seen from its end on, where it could be known before', () => {
    const { seen } = under({ anchor: 'start', offset: '-P1D' }, [{ asOf: ALWAYS, value: 9 }])
    expect(seen(end - 1)).toEqual([Number.NaN, -1, Number.NaN])
    expect(seen(end)).toEqual([9, 3, 9])
  })

  it('is a value where the protocol says that it can be known by then', () => {
    const { counted, seen } = under({ anchor: 'start', offset: '-P1D' })
    expect(counted).toBe(0)
    expect(seen(start)).toEqual([0, 3, 0])
  })
})
