import { describe, expect, it } from 'vitest'
import { type HistoryRow, rowKey } from '../../src/forecast/row.js'
import type { HistoryReader, PageQuery } from '../../src/history/store/types.js'
import { compareRows, rowsFrom } from '../../src/site/rows.js'

/** Rows of one model and horizon, an hour apart, the newest first; each origin has a manifest so long. */
function history(count: number, manifest: (at: number) => number) {
  const rows = Array.from({ length: count }, (_, at) => {
    const originAt = new Date(Date.UTC(2026, 0, 1) - at * 3_600_000).toISOString()
    const origin = { originAt, manifestJson: 'x'.repeat(manifest(at)) }
    return { originAt, model: 'alpha', horizonHours: 2, origin, whole: null } as HistoryRow
  })
  const limits: number[] = []
  const reader = {
    async page({ after, limit }: PageQuery) {
      limits.push(limit)
      const from = after && rows.findIndex((row) => compareRows(after, rowKey(row)) < 0)
      return from === -1 ? [] : rows.slice(from ?? 0, (from ?? 0) + limit)
    },
  } as Partial<HistoryReader> as HistoryReader
  return { rows, limits, reader }
}

async function allOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

describe('all rows of a history', () => {
  it('come once and in order, in stretches that grow', async () => {
    const { rows, limits, reader } = history(5000, () => 100)
    expect(await allOf(rowsFrom(reader))).toEqual(rows)
    expect(limits).toEqual([128, 2000, 2000, 2000])
  })

  it('come in short stretches where their texts are long, and at least one by one', async () => {
    const { rows, limits, reader } = history(140, (at) => (at < 128 ? 1 << 20 : 40 << 20))
    expect(await allOf(rowsFrom(reader))).toEqual(rows)
    // 32 Mi characters: so many rows of one Mi, then a row of forty alone.
    expect(limits[1]).toBe(32)
    const { limits: huge, reader: each } = history(130, (at) => (at < 128 ? 5 << 20 : 40 << 20))
    for await (const _ of rowsFrom(each)) if (huge.length === 3) break
    expect(huge.slice(0, 2)).toEqual([128, 6])
  })
})
