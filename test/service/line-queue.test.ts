import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sheet } from '../../src/forecast/sheet.js'
import { LineQueue } from '../../src/service/audit/line-queue.js'

function on(text: string): Sheet {
  const sheet = new Sheet()
  sheet.text(text)
  return sheet
}

describe('lines on their way to a file', () => {
  it('come out whole, once and in order, however much room there is', () => {
    const line = fc.integer({ min: 0, max: 3000 }).map((length) => `${'x'.repeat(length)}\n`)
    const step = fc.oneof(
      line,
      fc.record({ room: fc.integer({ min: 0, max: 9000 }), atLeastOne: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const queue = new LineQueue(100_000)
        let waiting = ''
        for (const each of steps) {
          if (typeof each === 'string') {
            const fits = waiting.length + each.length <= 100_000
            expect(queue.push(on(each))).toBe(fits)
            if (fits) waiting += each
          } else {
            const oldest = queue.oldest(each.room, each.atLeastOne).toString()
            const first = waiting.indexOf('\n') + 1
            expect(waiting.startsWith(oldest)).toBe(true)
            if (oldest === '')
              expect(first === 0 || (first > each.room && !each.atLeastOne)).toBe(true)
            else expect(oldest.endsWith('\n')).toBe(true)
            if (oldest.length > each.room) expect(oldest).toHaveLength(first)
            queue.drop(oldest.length)
            waiting = waiting.slice(oldest.length)
          }
          expect(queue.length).toBe(waiting.length)
        }
      }),
    )
  })

  it('stay where they are when only some of them could be written', () => {
    const queue = new LineQueue(100)
    for (const line of ['one\n', 'two\n', 'three\n']) queue.push(on(line))
    expect(queue.oldest(100, false).toString()).toBe('one\ntwo\nthree\n')
    queue.drop(4)
    queue.push(on('four\n'))
    expect(queue.oldest(100, false).toString()).toBe('two\nthree\n')
    queue.drop(10)
    expect(queue.oldest(100, false).toString()).toBe('four\n')
  })
})
