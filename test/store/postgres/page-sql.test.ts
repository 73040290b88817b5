import { describe, expect, it } from 'vitest'
import { pageSql } from '../../../src/store/postgres/pages.js'

const after = { origin: 1, horizonHours: 2 }

describe('the SQL of a page in PostgreSQL', () => {
  it.each([
    { model: 'a\0b' },
    { runId: '\ud800' },
    { horizonHours: 2.5 },
    { horizonHours: Number.NaN },
  ])('asks nothing where no row can match: %j', (filters) => {
    expect(pageSql('s', { filters, limit: 5 })).toBeUndefined()
  })

  it('goes on after a name that the history cannot hold', () => {
    const at = (model: string, withAfter = false) => {
      const { sql = '', values = [] } =
        pageSql('s', { after: { ...after, model }, withAfter, limit: 5 }) ?? {}
      return [/f\.model (\S+) /.exec(sql)?.[1], values.at(-2)]
    }
    expect(at('ab')).toEqual(['>', 'ab'])
    expect(at('ab', true)).toEqual(['>=', 'ab'])
    // What is not ab itself, but begins with it, comes after it; ab does not.
    for (const end of ['\0', '\0c', '\ud800', '\udfff\u{1f600}']) {
      expect(at(`ab${end}`, true)).toEqual(['>', 'ab'])
    }
    expect(at('\u{1f600}', true)).toEqual(['>=', '\u{1f600}'])
  })

  it('names the schema of each table, under any name', () => {
    const { sql = '' } = pageSql('a"; drop', { limit: 5 }) ?? {}
    expect(sql.match(/FROM (?!\(|p\.)\S+/g)?.every((from) => from.startsWith('FROM "a""'))).toBe(
      true,
    )
  })
})
