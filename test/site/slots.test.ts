import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { filesIn, makeSlots, release, SlotFiller, Stopped, stop } from '../../src/site/slots.js'

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

  it('are refused once no more pages are wanted, also to a thread that waits for one', async () => {
    const slots = makeSlots()
    const filler = new SlotFiller(slots)
    const count = slots.memory.byteLength / filler.room().length
    for (let page = 0; page < count; page++) filler.fill([['page', bytes(1, 1)]])
    // Waits as a full filler does, for the number that a full filler finds.
    const waiter = new Worker(
      `const { workerData: waiting, parentPort } = require('node:worker_threads')
       parentPort.postMessage(Atomics.wait(waiting, 0, ${count}, 60_000))`,
      { eval: true, workerData: slots.waiting },
    )
    const woken = once(waiter, 'message')
    stop(slots)
    expect(['ok', 'not-equal']).toContain((await woken)[0])
    expect(() => filler.room()).toThrow(Stopped)
    release(slots)
    expect(() => filler.room()).toThrow(Stopped)
  })
})
