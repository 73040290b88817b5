import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseNumberCell } from '../../src/table/cells.js'

describe('digits beyond 2^53', () => {
  test.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992],
    ['-9007199254740994', -9_007_199_254_740_994],
    ['+009007199254740992.00', 9_007_199_254_740_992],
    ['9007199254740992.', 9_007_199_254_740_992],
    ['100000000000000000', 1e17],
    // A measured value, of which nobody expects these digits.
    ['9.007199254740993e15', 9_007_199_254_740_992],
    ['1e22', 1e22],
    ['0.30000000000000004440892', 0.30000000000000004],
  ])('%s is read', (text, value) => {
    expect(parseNumberCell(text)).toEqual({ ok: true, value })
  })

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '+09007199254740993',
    '9007199254740993.00',
    '9007199254740992.5',
    '12345678901234567890',
    // RFC 8785 writes this one as 1e+22.
    '10000000000000000000000',
  ])('%s is not read as another number', (text) => {
    expect(parseNumberCell(text)).toEqual({ ok: false, fault: 'rounded' })
  })

  test('are read with a decimal comma as with a point', () => {
    expect(parseNumberCell('9007199254740993,0', true)).toEqual({ ok: false, fault: 'rounded' })
    expect(parseNumberCell('9007199254740992,0', true)).toMatchObject({ ok: true })
  })

  test('no whole number is read as another one, and none below is refused', () => {
    const whole = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })
    fc.assert(
      fc.property(whole, fc.constantFrom('', '.', '.0', '.000'), (number, more) => {
        const read = parseNumberCell(`${number}${more}`)
        if (read.ok) expect(BigInt(read.value)).toBe(number)
        else expect(number < 0n ? -number : number).toBeGreaterThan(2n ** 53n)
      }),
    )
  })
})
