import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  namePairs,
  parseNamePair,
  writtenName,
  writtenPairs,
} from '../../src/contract/name-pairs.js'

describe('NAME=TEXT of an option', () => {
  test.each([
    [
      'value=load, period = hour',
      [
        { name: 'value', text: 'load' },
        { name: 'period', text: 'hour' },
      ],
    ],
    ['value=', [{ name: 'value', text: '' }]],
    [
      'q0.1=0,1,q0.5=0,5',
      [
        { name: 'q0.1', text: '0,1' },
        { name: 'q0.5', text: '0,5' },
      ],
    ],
    [
      '"tau=0,1"=,q0.5=tau=0.5',
      [
        { name: 'tau=0,1', text: '' },
        { name: 'q0.5', text: 'tau=0.5' },
      ],
    ],
    [
      'value="a, b=c",x=1',
      [
        { name: 'value', text: 'a, b=c' },
        { name: 'x', text: '1' },
      ],
    ],
    // Quotes that are no string of JSON, or within a name, are letters.
    [
      'value=5" rain,x="',
      [
        { name: 'value', text: '5" rain' },
        { name: 'x', text: '"' },
      ],
    ],
    ['load', [{ name: 'load', text: undefined }]],
    ['a,b', [{ name: 'a,b', text: undefined }]],
    ['', [{ name: '', text: undefined }]],
  ])('%s', (list, pairs) => {
    expect(namePairs(list).map(({ name, text }) => ({ name, text }))).toEqual(pairs)
  })

  const letters = fc.string({ unit: fc.constantFrom('a', '0', ',', '=', '"', ' ', '\\', 'é') })
  test('is read as it was written, whatever names are', () => {
    const pair = fc.tuple(letters, letters)
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 4 }), (pairs) => {
        expect(namePairs(writtenPairs(pairs)).map(({ name, text }) => [name, text])).toEqual(pairs)
      }),
    )
    fc.assert(
      fc.property(pair, ([name, text]) => {
        expect(parseNamePair(`${writtenName(name)}=${text}`)).toEqual({ name, text })
      }),
    )
  })
})
