import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { RowWatch } from '../../src/table/row-watch.js'

const row = (line: number, ...cells: string[]) => ({ line, cells })

describe('columns that are watched', () => {
  it('tell rows apart among more keys than are kept', () => {
    const watch = new RowWatch()
    const see = watch.of({ columns: ['key', 'status'], file: 't' }, ['status'])
    const keys = Array.from({ length: 450_000 }, (_, at) => `US, ${at}`)
    const first = keys.map((key, line) => see(row(line, key, 'p'), key))
    const same = keys.map((key, line) => see(row(line, key, 'p'), key))
    expect([...first, ...same].every((each) => each === undefined)).toBe(true)
    // Of these keys a quarter or more is kept.
    const found = keys.filter((key, line) => see(row(line, key, 'f'), key) !== undefined)
    expect(found.length).toBeGreaterThan(100_000)
  })

  it('are those of each file, and one that only one of two files has is none', () => {
    const watch = new RowWatch(['index'])
    const see = watch.of({ columns: ['a', 'b', 'index'], file: 'one' }, ['a', 'b', 'index'])
    const other = watch.of({ columns: ['c', 'b'], file: 'two' }, ['c', 'b'])
    expect(see(row(2, 'x', 'y', '1'), 'US')).toBe(undefined)
    expect(see(row(3, 'x', 'y', '2'), 'US')).toBe(undefined)
    expect(other(row(2, 'z', 'y'), 'US')).toBe(undefined)
    const found = other(row(3, 'z', 'v'), 'US')
    expect(found && messageOf(found).text).toContain('"v" here and "y" in line 2 of one')
    // The question stays where it was asked first.
    expect(other(row(4, 'z', 'w'), 'US')).toBe(found)
  })
})
