import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sheet } from '../../src/forecast/sheet.js'

const textOf = (write: (sheet: Sheet) => void): string => {
  const sheet = new Sheet()
  write(sheet)
  return sheet.takeText()
}

describe('a sheet', () => {
  it('writes numbers as JSON does, to the last digit', () => {
    const cents = fc.integer({ min: -2_100_000_000, max: 2_100_000_000 }).map((all) => all / 100)
    const beside = cents.chain((value) =>
      fc.constantFrom(value * (1 + Number.EPSILON), value * (1 - Number.EPSILON)),
    )
    const any = fc.double({ noNaN: true, noDefaultInfinity: true })
    const odd = fc.constantFrom(0, -0, 0.1, 0.07, 0.29, 1.005, 2e7, 2e7 + 0.01, 1e21, 1e-7, -0.5)
    fc.assert(
      fc.property(fc.oneof(cents, beside, any, odd), (value) => {
        expect(textOf((sheet) => sheet.number(value))).toBe(JSON.stringify(value))
      }),
      { numRuns: 20_000 },
    )
  })

  it('grows with what is written, and gives all of it back once', () => {
    const sheet = new Sheet()
    let expected = ''
    for (let round = 0; round < 3000; round++) {
      const piece = `${round};`.repeat(1 + (round % 40))
      expected += `${piece}${piece}${round}`
      sheet.text(piece)
      sheet.copy(Buffer.from(piece))
      sheet.number(round)
      const from = sheet.length - piece.length
      expected += expected.slice(from)
      sheet.again(from, sheet.length)
    }
    expect(sheet.length).toBe(expected.length)
    expect(sheet.take().toString()).toBe(expected)
    expect(sheet.length).toBe(0)
    expect(sheet.takeText()).toBe('')
  })
})
