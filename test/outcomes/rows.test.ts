import { expect, it } from 'vitest'
import { type ReadFacts, rowsOf } from '../../src/outcomes/rows.js'

it('ends what it reads when no more is wanted, after the first text too', async () => {
  for (const wanted of [1, 3]) {
    let ended = false
    async function* chunks() {
      try {
        yield 'open_time,close\n2026-01-01T00:00:00Z,1\n2026-01-01T01:00:00Z,2\n'
        yield '2026-01-01T02:00:00Z,3\n2026-01-01T03:00:00Z,4\n'
      } finally {
        ended = true
      }
    }
    let rows = 0
    for await (const _ of rowsOf(chunks(), 'closes.csv', {} as ReadFacts)) {
      rows++
      if (rows === wanted) break
    }
    expect([rows, ended]).toEqual([wanted, true])
  }
})
