import { describe, expect, it } from 'vitest'
import { type HistoryRow, rowKey } from '../../src/forecast/row.js'
import { compareRows, exactRows, HistoryMoved } from '../../src/site/rows.js'
import type { HistoryReader, PageQuery } from '../../src/store/types.js'

/** Rows of one model and horizon, an hour apart, the newest first. */
function history(count: number) {
  const rows = Array.from({ length: count }, (_, at) => {
    const originAt = new Date(Date.UTC(2026, 0, 1) - at * 3_600_000).toISOString()
    return { originAt, model: 'alpha', horizonHours: 2 } as HistoryRow
  })
  const reader = {
    async page({ after, limit }: PageQuery) {
      const from = after && rows.findIndex((row) => compareRows(after, rowKey(row)) < 0)
      return from === -1 ? [] : rows.slice(from ?? 0, (from ?? 0) + limit)
    },
  } as Partial<HistoryReader> as HistoryReader
  return { rows, reader }
}

describe('rows of a history', () => {
  it('come as many as are asked for, or it is said that the history has moved', async () => {
    const { rows, reader } = history(150)
    const first = await exactRows(reader, undefined, 100)
    expect(first).toEqual(rows.slice(0, 100))
    const last = rowKey(rows[99] as HistoryRow)
    expect(await exactRows(reader, last, 50)).toEqual(rows.slice(100))
    expect(await exactRows(reader, last, 0)).toEqual([])
    await expect(exactRows(reader, last, 51)).rejects.toThrow(HistoryMoved)
  })
})
