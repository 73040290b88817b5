import { describe, expect, it } from 'vitest'
import { familyDigest } from '../../src/registration/family.js'
import { SERIES_INFERENCE, seriesFamily } from '../../src/registration/series-family.js'

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
const basis = {
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
    const names = seriesFamily(basis, protocol, periods).map(({ name }) => name)
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
    expect(seriesFamily({ ...basis, groups: [] }, protocol, periods)).toHaveLength(8)
  })

  it('has no horizon that fewer origins of the window have than a test needs pairs', () => {
    const shorter = { ...basis, window: { from: 'd0', to: 'd8', origins: 9 } }
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
