import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelMetadata, ownNameIn } from '../../src/exchange/hubverse/config.js'
import { toHubModel } from '../../src/exchange/hubverse/names.js'

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
  ])('of %j is %s', (name, id) => expect(toHubModel(name).id).toBe(id))

  it('is cut, and has a digest, where it is too long or another has it', () => {
    const long = toHubModel('x'.repeat(300)).id
    expect(long).toMatch(/^foreproof-x+_[0-9a-f]{8}$/)
    expect(long).toHaveLength(100)
    // printf alpha | sha256sum
    const taken = new Set(['foreproof-alpha'])
    const { id } = toHubModel('alpha', (each) => taken.has(each))
    expect(id).toBe('foreproof-alpha_8ed3f6ad')
    taken.add(id)
    expect(toHubModel('alpha', (each) => taken.has(each)).id).not.toBe(id)
  })

  it('is always one that hubs allow, and metadata lead back to the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const model = toHubModel(name)
        expect(model.id).toMatch(/^[A-Za-z0-9_]+-[A-Za-z0-9_]+$/)
        const metadata = modelMetadata(model, name)
        expect(metadata).toMatch(/^[\n -~]*$/)
        expect(ownNameIn(metadata) ?? model.id).toBe(name)
      }),
      { seed: 15 },
    )
  })
})
