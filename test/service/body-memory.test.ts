import { describe, expect, it } from 'vitest'
import { Sheet } from '../../src/forecast/sheet.js'
import { BodyMemory } from '../../src/service/http/body-memory.js'

const sheetOf = (text: string): Sheet => {
  const sheet = new Sheet()
  sheet.text(text)
  return sheet
}

describe('the memory of bodies', () => {
  it('is used again only when every answer that has its bytes was written', () => {
    const memory = new BodyMemory()
    const first = memory.take(sheetOf('a first body'))
    memory.lend()
    memory.lend()
    memory.wrote(first)
    const second = memory.take(sheetOf('second'))
    expect([first.toString(), second.toString()]).toEqual(['a first body', 'second'])
    expect(second.buffer).not.toBe(first.buffer)

    memory.lend()
    // Late, and of a body that nobody can overwrite any more.
    memory.wrote(first)
    const third = memory.take(sheetOf('third'))
    expect([second.toString(), third.toString()]).toEqual(['second', 'third'])

    memory.lend()
    memory.wrote(third)
    const fourth = memory.take(sheetOf('4'))
    expect(fourth.toString()).toBe('4')
    expect(fourth.buffer).toBe(third.buffer)
  })

  it('is not kept when it is large', () => {
    const memory = new BodyMemory()
    const large = memory.take(sheetOf('x'.repeat(2_000_000)))
    const small = memory.take(sheetOf('y'))
    expect(small.buffer.byteLength).toBeLessThan(1000)
    expect(large.length).toBe(2_000_000)
  })
})
