import { describe, expect, it } from 'vitest'
import type { Specs } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { servedDemoWords } from '../../src/cli/demo/serve.js'
import { endIn, instantIn } from '../../src/cli/options.js'

const micros = (year: number, month: number, day: number, hour = 0) =>
  Date.UTC(year, month - 1, day, hour) * 1000

describe('an instant on the command line', () => {
  it.each([
    ['2025-10-01', micros(2025, 10, 1)],
    ['2024-02-29', micros(2024, 2, 29)],
    ['2025-10-01T02:00:00+02:00', micros(2025, 10, 1)],
  ])('%s is read', (text, expected) => {
    expect(instantIn(text, 'from')).toBe(expected)
  })

  it.each([
    ['2025-02-29', 'that does not exist'],
    ['2025-10-01T00:00:00', 'lacks an offset from UTC'],
    ['01.10.2025', 'neither a date nor'],
  ])('%s is refused', (text, says) => {
    expect(() => instantIn(text, 'to')).toThrow(says)
  })

  it('is its whole day in UTC where it is an end, which is said', () => {
    const said: string[] = []
    const stderr = { write: (text: string) => said.push(text) } as unknown as NodeJS.WritableStream
    expect(endIn('2025-06-30', 'to', { stderr }, 1)).toBe(micros(2025, 7, 1) - 1)
    expect(endIn('2025-06-30', 'to', { stderr }, 3_600_000_000)).toBe(micros(2025, 6, 30, 23))
    expect(said).toEqual(Array(2).fill('--to 2025-06-30: the whole day, UTC\n'))
    expect(endIn('2025-06-30T00:00:00Z', 'to', { stderr }, 1)).toBe(micros(2025, 6, 30))
    expect(said).toHaveLength(2)
  })

  it('is taken alike by every command that takes one', async () => {
    const seen: string[] = []
    // Lists of periods are asked for by days of a clock.
    for (const { name, load } of COMMANDS.filter((each) => each.name !== 'periods')) {
      const options: Specs = (await load()).default.options
      for (const option of ['from', 'to', 'as-of']) {
        const { describe = '', choices, demandOption } = options[option] ?? {}
        // Another kind of source or target has one of some words, or has to be given.
        if (describe === '' || choices || demandOption) continue
        const says = option === 'to' ? 'that whole day, UTC' : 'midnight UTC'
        expect(describe, name).toContain(`a date alone is ${says}`)
        seen.push(`${name} --${option}`)
      }
    }
    const some = ['history export --from', 'pair --as-of', 'register --to']
    expect(seen).toEqual(expect.arrayContaining(some))
  })
})

describe('serve --demo', () => {
  const demo = { key: 'k', newestOrigin: micros(2026, 8, 29, 23), env: {}, remove: () => {} }
  const words = (now: number) => servedDemoWords(demo, 'http://127.0.0.1:8080', 10_800, now)

  it('says when its data will look stale', () => {
    expect(words(micros(2026, 8, 30))).toContain('they will look stale after 2026-08-30T02:00:00Z')
    expect(words(micros(2026, 9, 30))).toContain('have looked stale since 2026-08-30T02:00:00Z')
  })
})
