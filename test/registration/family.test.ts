import { describe, expect, it } from 'vitest'
import { enumerateFamily, familyDigest } from '../../src/registration/family.js'

const model = (name: string) => ({ source: 'history' as const, name })
const basis = {
  candidates: ['a', 'b', 'c'].map(model),
  comparators: ['w', 'x', 'y', 'z'].map((name) => ({ ...model(name), required_as: [name] })),
  horizons_hours: [2, 4, 8, 16],
  strata: [
    {
      name: 'session',
      by: 'hour_of_day' as const,
      levels: ['asia', 'europe', 'america', 'late'].map((level) => ({ level })),
    },
    {
      name: 'volatility',
      by: 'volatility' as const,
      levels: ['low', 'mid', 'high'].map((level) => ({ level })),
    },
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
