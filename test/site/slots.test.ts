import { describe, expect, it } from 'vitest'
import { filesIn, makeSlots, release, SlotFiller } from '../../src/site/slots.js'

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value)

describe('the slots between two threads', () => {
  it('hand over what lies in them already, what is put beside it, and what has no room', () => {
    const slots = makeSlots()
    const filler = new SlotFiller(slots)
    for (let page = 0; page < 40; page++) {
      const made = filler.room().subarray(0, 1000 + page)
      made.fill(page)
      const large = bytes(300_000, page + 1)
      const placed = filler.fill([
        ['page', made],
        ['page.gz', large],
        ['page.br', bytes(10, page + 2)],
      ])
      const files = filesIn(slots, placed)
      expect(files.map(([path, { length }]) => [path, length])).toEqual([
        ['page', 1000 + page],
        ['page.gz', 300_000],
        ['page.br', 10],
      ])
      files.forEach(([, content], index) => {
        expect(new Set(content)).toEqual(new Set([page + index]))
      })
      // What had no room travels with the message; the others stay where they are.
      expect(placed.map((file) => typeof file[1])).toEqual(['number', 'object', 'number'])
      release(slots)
    }
  })

  it('are as many as pages may wait, and each is given again once it is released', () => {
    const slots = makeSlots()
    const filler = new SlotFiller(slots)
    const room = filler.room()
    const count = slots.memory.byteLength / room.length
    const places = Array.from({ length: count }, () => {
      const { byteOffset } = filler.room()
      filler.fill([['page', bytes(1, 1)]])
      return byteOffset
    })
    expect(new Set(places).size).toBe(count)
    expect(Atomics.load(slots.waiting, 0)).toBe(count)
    release(slots)
    expect(filler.room().byteOffset).toBe(places[0])
  })
})
