import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rowKey } from '../../src/forecast/row.js'
import { openHistory } from '../../src/history/store/reader.js'
import { PAGE_SIZE } from '../../src/site/plan.js'
import type { PageRange } from '../../src/site/range.js'
import { joined, type MadeStretch, Stretches } from '../../src/site/stretches.js'
import { type MadeRow, temporaryFolder, writeProducer } from '../history/support.js'

const folder = temporaryFolder()

describe('stretches', () => {
  it.each([2, 3, 4])(
    'for %i threads cover every page once, meet at neighbouring rows, and end small',
    async (threads) => {
      const path = join(folder, `history-${threads}.sqlite`)
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
      const stretches = new Stretches(reader, forecasts, range, threads)
      const given: PageRange[] = []
      for (;;) {
        const next = await stretches.next()
        if (next === undefined) break
        given.push(next)
      }
      await reader.close()
      expect(given.length).toBeGreaterThan(2)
      let at = head - 1
      let high = pages
      for (const stretch of given) {
        expect(stretch.high).toBe(high)
        expect(stretch.after).toEqual(all[at])
        at += (stretch.high - stretch.low + 1) * PAGE_SIZE
        if (stretch.low > range.low) expect(stretch.edge).toEqual(all[at + 1])
        high = stretch.low - 1
      }
      expect(high).toBe(4)
      expect(given.at(-1)?.edge).toEqual(range.edge)
      const sizes = given.map((stretch) => stretch.high - stretch.low + 1)
      expect(sizes.at(-1)).toBeLessThan(pages / 4)
    },
  )

  it('are joined from the newest on, sealed as far as no page between is still fresh', () => {
    const key = (name: string) => ({ origin_at: name, horizon_hours: 2, model_name: 'a' })
    const stretch = (low: number, high: number, sealed: number): MadeStretch => ({
      range: { low, high, after: undefined, edge: null },
      written: [{ path: `${high}`, sha256: '' }],
      sealed,
      sealedThrough: sealed < low ? null : key(`${sealed}`),
    })
    const at = (...stretches: MadeStretch[]) => {
      const { sealed, sealedThrough, written } = joined(stretches)
      return [sealed, sealedThrough?.origin_at ?? null, written.map(({ path }) => path).join()]
    }
    expect(at(stretch(1, 9, 9), stretch(20, 30, 25), stretch(10, 19, 19))).toEqual([
      25,
      '25',
      '30,19,9',
    ])
    expect(at(stretch(10, 19, 9), stretch(1, 9, 9))).toEqual([9, '9', '19,9'])
    expect(at(stretch(10, 19, 19), stretch(1, 9, 7))).toEqual([7, '7', '19,9'])
    expect(at(stretch(1, 9, 0))).toEqual([0, null, '9'])
  })
})
