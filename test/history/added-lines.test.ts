import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddedLines } from '../../src/history/import/added-lines.js'

const rows = fc.array(
  fc.record({
    gap: fc.nat({ max: 2 }),
    line: fc.nat({ max: 3 }),
    file: fc.constantFrom('a.csv', 'b.csv'),
  }),
)

test('entries of a log have the lines that they came from, and no others', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const lines = new AddedLines()
      const expected = new Map<number, object>()
      let [index, line] = [0, 1]
      for (const { gap, file, ...each } of given) {
        index += gap + 1
        line += each.line
        lines.add(index, { line, file })
        expected.set(index, { line, file })
      }
      for (let at = 0; at <= index + 1; at++) expect(lines.at(at)).toEqual(expected.get(at))
    }),
  )
})
