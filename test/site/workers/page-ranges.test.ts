import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_ROWS, rowKey } from '../../../src/forecast/row.js'
import { openHistory } from '../../../src/history/store/open.js'
import { PAGE_SIZE } from '../../../src/site/plan/plan.js'
import { joinRanges, type MadeRange, pageRanges } from '../../../src/site/workers/write-pages.js'
import type { PageRange } from '../../../src/site/workers/write-range.js'
import { type MadeRow, writeProducer } from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()

describe('page ranges', () => {
  it('cover every page once, and meet at neighbouring rows', async () => {
    const path = join(folder, 'history.sqlite')
    const rows: MadeRow[] = []
    for (let hour = 0; hour < 2500; hour++) {
      for (const model of ['a', 'b', 'c']) {
        for (const horizon of [2, 4, 8, 16]) rows.push({ hour, model, horizon })
      }
    }
    const head = 37
    const pages = 298
    const forecasts = head + pages * PAGE_SIZE
    writeProducer(path, rows.slice(0, forecasts))
    const reader = openHistory(path)
    const all = (await reader.page({ limit: rows.length + 1 })).map(rowKey)
    expect(all.length).toBe(forecasts)
    for (const offset of [0, 1, 14_917, 14_918, 14_919, 29_835]) {
      expect(await reader.keysAt(offset, 2, all.length)).toEqual(all.slice(offset, offset + 2))
    }
    // Four pages are kept, and the rows of the last of them are not written.
    const range: PageRange = {
      high: pages,
      low: 5,
      after: all[head - 1],
      edge: all[29_437] ?? null,
    }
    const given: PageRange[] = []
    for await (const next of pageRanges(reader, forecasts, range)) given.push(next)
    await reader.close()
    expect(given.length).toBe(5)
    let at = head - 1
    let high = pages
    for (const { high: top, low, after, edge } of given) {
      expect(top).toBe(high)
      expect(after).toEqual(all[at])
      at += (top - low + 1) * PAGE_SIZE
      if (low > range.low) expect(edge).toEqual(all[at + 1])
      high = low - 1
    }
    expect(high).toBe(4)
    expect(given.at(-1)?.edge).toEqual(range.edge)
  })

  it('are joined from the newest on, sealed as far as no page between is still fresh', () => {
    const key = (name: string) => ({ origin_at: name, horizon_hours: 2, model_name: 'a' })
    const made = (low: number, high: number, sealed: number): MadeRange => ({
      range: { low, high, after: undefined, edge: null },
      written: [{ path: `${high}`, sha256: '' }],
      sealed,
      sealedThrough: sealed < low ? null : key(`${sealed}`),
      unsound: NO_ROWS,
    })
    const at = (...ranges: MadeRange[]) => {
      const { sealed, sealedThrough, written } = joinRanges(ranges)
      return [sealed, sealedThrough?.origin_at ?? null, written.map(({ path }) => path).join()]
    }
    expect(at(made(1, 9, 9), made(20, 30, 25), made(10, 19, 19))).toEqual([25, '25', '30,19,9'])
    expect(at(made(10, 19, 9), made(1, 9, 9))).toEqual([9, '9', '19,9'])
    expect(at(made(10, 19, 19), made(1, 9, 7))).toEqual([7, '7', '19,9'])
    expect(at(made(1, 9, 0))).toEqual([0, null, '9'])
  })
})
