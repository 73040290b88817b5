import { describe, expect, it } from 'vitest'
import type { StratumDefinition } from '../../src/contract/types.js'
import { enumerateFamily, familyDigest } from '../../src/registration/family.js'
import { SERIES_INFERENCE, seriesFamily } from '../../src/registration/series-family.js'

const model = (name: string) => ({ source: 'history' as const, name })
const stratum = (name: string, by: StratumDefinition['by'], ...levels: string[]) => ({
  ...{ name, by, levels: levels.map((level) => ({ level })) },
})
const basis = {
  candidates: ['a', 'b', 'c'].map(model),
  comparators: ['w', 'x', 'y', 'z'].map((name) => ({ ...model(name), required_as: [name] })),
  horizons_hours: [2, 4, 8, 16],
  strata: [
    stratum('session', 'hour_of_day', 'asia', 'europe', 'america', 'late'),
    stratum('volatility', 'volatility', 'low', 'mid', 'high'),
  ],
}

describe('the family', () => {
  it('of 3 candidates, 4 comparators and 7 levels has 2,784 tests, each with a name of its own', () => {
    const tests = enumerateFamily(basis)
    expect(tests).toHaveLength(2784)
    expect(new Set(tests.map((test) => test.name)).size).toBe(2784)
  })

  it('decides on the point loss and the direction over all origins: 9 tests a comparison', () => {
    const deciding = enumerateFamily(basis).filter((test) => test.decides)
    expect(deciding).toHaveLength(3 * 4 * 9)
    expect(deciding.filter((test) => test.horizon === 'overall')).toHaveLength(12)
    expect(deciding.every((test) => test.stratum === 'all')).toBe(true)
  })

  it('names tests in a fixed order', () => {
    const names = enumerateFamily(basis).map((test) => test.name)
    expect(names.slice(0, 3)).toEqual([
      'a/w/point_loss/overall/all',
      'a/w/point_loss/2h/all',
      'a/w/direction_error/2h/all',
    ])
    expect(names[29]).toBe('a/w/point_loss/overall/session=asia')
    expect(names.at(-1)).toBe('c/z/coverage/16h/volatility=high')
  })

  it('keeps names apart that contain its separators', () => {
    const tests = enumerateFamily({
      ...basis,
      candidates: [model('a/b'), model('a'), model('a%2Fb')],
      comparators: [
        { ...model('c'), required_as: ['c'] },
        { ...model('b/c'), required_as: ['bc'] },
      ],
    })
    expect(new Set(tests.map((test) => test.name)).size).toBe(tests.length)
  })

  it('has the digest that sha256sum gives of the list of names', () => {
    // printf 'x\ny\n' | sha256sum
    expect(familyDigest(['x', 'y'])).toBe(
      '09834d488008f5f1ef589a2d7cedc52425bee9dd23b2212e4c1d673c5cbb54e4',
    )
  })
})

const DAY = 86_400_000_000
/** Ten days; only the last three are followed two days later. */
const periods = Array.from({ length: 10 }, (_, day) => ({
  label: `d${day}`,
  start: day * DAY,
  end: (day + 1) * DAY,
  origin: true,
  steps: day < 7 ? [-1, 0] : [-1, 0, 2],
}))
const protocol = {
  dependence: { block_origins: 1, minimum_blocks: 10, minimum_pairs: 3 },
  horizons: [-1, 0, 2],
  scores: [
    { id: 'mae', kind: 'absolute_error' as const },
    { id: 'wis', kind: 'weighted_interval' as const, primary: true as const },
  ],
}
const seriesBasis = {
  window: { from: 'd0', to: 'd9', origins: 10 },
  candidates: [{ source: 'history' as const, name: 'mine' }],
  comparators: [
    { source: 'built_in' as const, name: 'last', required_as: ['last'] },
    { source: 'history' as const, name: 'a/b', required_as: ['rival'] },
  ],
  groups: ['nation', 'x=y'],
}

describe('the family of a registration of version 2', () => {
  it('has one test overall, one a horizon, one a group, of the primary score', () => {
    const names = seriesFamily(seriesBasis, protocol, periods).map(({ name }) => name)
    expect(names).toEqual([
      'mine/last/wis/overall/all',
      'mine/last/wis/-1/all',
      'mine/last/wis/0/all',
      'mine/last/wis/2/all',
      'mine/last/wis/overall/group=nation',
      'mine/last/wis/overall/group=x%3Dy',
      'mine/a%2Fb/wis/overall/all',
      'mine/a%2Fb/wis/-1/all',
      'mine/a%2Fb/wis/0/all',
      'mine/a%2Fb/wis/2/all',
      'mine/a%2Fb/wis/overall/group=nation',
      'mine/a%2Fb/wis/overall/group=x%3Dy',
    ])
  })

  it('has no groups where none are registered', () => {
    expect(seriesFamily({ ...seriesBasis, groups: [] }, protocol, periods)).toHaveLength(8)
  })

  it('has no horizon that fewer origins of the window have than a test needs pairs', () => {
    const shorter = { ...seriesBasis, window: { from: 'd0', to: 'd8', origins: 9 } }
    const names = seriesFamily(shorter, protocol, periods).map(({ name }) => name)
    expect(names.filter((name) => name.includes('/2/'))).toEqual([])
    expect(names).toHaveLength(10)
  })

  it('has the digest that sha256sum gives of the names and the two weights', () => {
    // printf 'mine/last/wis/overall/all\nverdict 0.6\ndeciding 0.4\n' | sha256sum
    expect(familyDigest(['mine/last/wis/overall/all'], SERIES_INFERENCE)).toBe(
      'bdd5fdd3dbc6dbd8c679b82386d4b97d81623372f2e866eb22629aecc92d733e',
    )
  })
})
