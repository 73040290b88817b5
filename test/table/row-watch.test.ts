import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { RowWatch } from '../../src/table/row-watch.js'

const row = (line: number, ...cells: string[]) => ({ line, cells })

describe('columns that are watched', () => {
  it('tell rows apart among more keys than are kept', () => {
    const watch = new RowWatch()
    const see = watch.of({ columns: ['key', 'status'], file: 't' }, ['status'])
    const keys = Array.from({ length: 240_000 }, (_, at) => `US, ${at}`)
    const first = keys.map((key, line) => see(row(line, key, 'p'), key))
    expect(first.every((each) => each === undefined)).toBe(true)
    // Of these keys about a half is kept.
    const found = keys.filter((key, line) => see(row(line, key, 'f'), key) !== undefined)
    expect(found.length).toBeGreaterThan(100_000)
  })

  it('are those of each file: where one has no such column, its rows have nothing there', () => {
    const watch = new RowWatch(['index'])
    const see = watch.of({ columns: ['a', 'b', 'index'], file: 'one' }, ['a', 'b', 'index'])
    const other = watch.of({ columns: ['c', 'b'], file: 'two' }, ['c', 'b'])
    const plain = watch.of({ columns: ['d'], file: 'three' }, [])
    expect(see(row(2, '1.5', 'y', '1'), 'US')).toBe(undefined)
    expect(see(row(3, '1.5', 'y', '2'), 'US')).toBe(undefined)
    expect(other(row(2, '2.5', 'y'), 'US')).toBe(undefined)
    const found = other(row(3, '2.5', 'v'), 'US')
    expect(found && formatMessage(found).text).toContain('"v" here and "y" in line 2 of one')
    // The question stays where it was asked first.
    expect(other(row(4, '2.5', 'w'), 'US')).toBe(found)
    // A measured number beside nothing is no kind; a word is one.
    expect(plain(row(2, '1'), '06')).toBe(undefined)
    const kind = other(row(5, '0-4', ''), '06')
    expect(kind && formatMessage(kind).text).toContain('"0-4" here and nothing in line 2 of three')
  })

  it('may change from one release to the next where they are measured, and not where they may be a kind', () => {
    const columns = ['rate', 'published', 'age', 'status']
    const release = (at: number) => ({ at, message: String(at) })
    const texts = ['1.5', '2025-10-28', '1', 'raw']
    const others = ['2.25', '2025-11-05', '65', 'adjusted']
    const asked = columns.filter((column, at) => {
      const see = new RowWatch().of({ columns: [column], file: 't' }, [column])
      see(row(2, texts[at] ?? ''), 'US', release(1))
      return see(row(3, others[at] ?? ''), 'US', release(2)) !== undefined
    })
    expect(asked).toEqual(['age', 'status'])
  })

  it('are told in a sentence that does not grow with their number', () => {
    const columns = Array.from({ length: 300 }, (_, at) => `c${at}`)
    const see = new RowWatch().of({ columns, file: 't' }, columns)
    const cells = (text: string) => columns.map(() => text)
    see(row(2, ...cells('a')), 'US')
    const found = see(row(3, ...cells('b')), 'US')
    const { text = '', help = '' } = found === undefined ? {} : formatMessage(found)
    expect(text).toContain('"c8" and 291 more')
    expect(help).toContain('--ignore c7 and so on')
    expect(text.length + help.length).toBeLessThan(600)
  })
})
