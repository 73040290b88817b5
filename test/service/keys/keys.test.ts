import { describe, expect, it } from 'vitest'
import { KeyRing } from '../../../src/service/keys/keys.js'

describe('keys', () => {
  it('are told apart by length, case and every character', () => {
    const ring = new KeyRing(['alpha', 'alphabet', 'x'.repeat(512)], 'secret')
    const accepted = (key: string) => ring.identify(`Bearer ${key}`).accepted
    expect(['alpha', 'alphabet', 'x'.repeat(512)].map(accepted)).toEqual([true, true, true])
    const wrong = ['alph', 'alphab', 'Alpha', 'alphabets', 'x'.repeat(511), 'x'.repeat(513)]
    expect(wrong.map(accepted)).toEqual(wrong.map(() => false))
  })
})
