import { expect, it } from 'vitest'
import { exactRows, HistoryMoved } from '../../src/site/rows.js'
import type { HistoryReader } from '../../src/store/types.js'

it('a history that has fewer rows than were counted has moved', async () => {
  const reader = { page: async () => [] } as Partial<HistoryReader> as HistoryReader
  await expect(exactRows(reader, undefined, 1)).rejects.toThrow(HistoryMoved)
  expect(await exactRows(reader, undefined, 0)).toEqual([])
})
