import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { modelMetadata, ownNameIn } from '../../src/exchange/hubverse/config.js'
import {
  hubModelOf,
  originOfRound,
  roundIdOf,
  saturdayOf,
} from '../../src/exchange/hubverse/names.js'

describe('the id of a round', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026_01_31_12'],
    ['2026-01-31T00:00:00Z', '2026_01_31_00'],
    ['2026-01-31T12:30:00Z', '2026_01_31_12_30'],
    ['2026-01-31T12:00:05Z', '2026_01_31_12_00_05'],
    ['2026-01-31T12:00:00.25Z', '2026_01_31_12_00_00_250000'],
    ['2026-01-31T13:00:00+01:00', '2026_01_31_12'],
  ])('of %s is %s, and leads back', (origin, id) => {
    expect(roundIdOf(checkedInstant(origin))).toBe(id)
    expect(originOfRound(id)).toBe(checkedInstant(origin))
  })

  it('is one that hubs allow, and leads back, for every instant', () => {
    const last = checkedInstant('2255-01-01T00:00:00Z')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: last }), (origin) => {
        const id = roundIdOf(origin)
        expect(id).toMatch(/^[A-Za-z0-9_]+$/)
        expect(originOfRound(id)).toBe(origin)
      }),
      { seed: 15 },
    )
  })

  it.each([
    ...['2026_02_30_12', '2026_01_31_24', '2026_13_01_00', '2026_1_31_12', '2026-02-30'],
    ...['2026_01_31', 'EW202242', '2026_01_31_12_00_00_25', ''],
  ])('is not %j', (id) => expect(originOfRound(id)).toBeUndefined())

  it.each([
    ['2026-01-03T23:59:59Z', '2026-01-03'],
    ['2026-01-04T00:00:00Z', '2026-01-10'],
    ['2026-01-04T00:30:00+01:00', '2026-01-03'],
    ['2025-12-31T12:00:00Z', '2026-01-03'],
    ['1969-12-31T23:59:59.5Z', '1970-01-03'],
  ])('is of the week of %s until Saturday, %s', (origin, saturday) => {
    expect(saturdayOf(checkedInstant(origin))).toBe(saturday)
  })

  it('may be a date, which is its midnight in UTC', () => {
    expect(originOfRound('2026-01-31')).toBe(checkedInstant('2026-01-31T00:00:00Z'))
  })
})

describe('the name of a model in a hub', () => {
  it.each([
    ['seer', 'foreproof-seer'],
    ['team1-modelA', 'team1-modelA'],
    ['ridge v2.1', 'foreproof-ridge_v2_1'],
    ['a-b-c', 'foreproof-a_b_c'],
    ['../../etc/passwd', 'foreproof-______etc_passwd'],
    ['a/b', 'foreproof-a_b'],
    ['', 'foreproof-_'],
    ['naïve', 'foreproof-na_ve'],
    ['naive-last', 'naive-last'],
  ])('of %j is %s', (name, id) => expect(hubModelOf(name).id).toBe(id))

  it('is cut, and has a digest, where it is too long or another has it', () => {
    const long = hubModelOf('x'.repeat(300)).id
    expect(long).toMatch(/^foreproof-x+_[0-9a-f]{8}$/)
    expect(long).toHaveLength(100)
    // printf alpha | sha256sum
    const taken = new Set(['foreproof-alpha'])
    const { id } = hubModelOf('alpha', (each) => taken.has(each))
    expect(id).toBe('foreproof-alpha_8ed3f6ad')
    taken.add(id)
    expect(hubModelOf('alpha', (each) => taken.has(each)).id).not.toBe(id)
  })

  it('is always one that hubs allow, and metadata lead back to the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const model = hubModelOf(name)
        expect(model.id).toMatch(/^[A-Za-z0-9_]+-[A-Za-z0-9_]+$/)
        const metadata = modelMetadata(model, name)
        expect(metadata).toMatch(/^[\n -~]*$/)
        expect(ownNameIn(metadata) ?? model.id).toBe(name)
      }),
      { seed: 15 },
    )
  })
})
