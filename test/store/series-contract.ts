import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import type { SeriesRow } from '../../src/forecast/series-row.js'
import { createLeafReader } from '../../src/history/leaf.js'
import { leafHash } from '../../src/log/merkle.js'
import type { StoredRow } from '../../src/store/history-reader.js'
import type { HistoryWriter } from '../../src/store/history-writer.js'
import { seriesKey } from '../../src/store/series-rows.js'
import { inBatches, inTransaction } from '../history/support.js'
import { forecast, origin, type StoreUnderTest } from './store-rows.js'

const row = (series: string, origin: string, horizon: number, model = 'seer'): SeriesRow => ({
  series,
  origin,
  horizon,
  model,
  value: horizon + 0.5,
  quantiles: { '0.1': horizon, '0.5': horizon + 0.5, '0.9': horizon + 1 },
})

async function put(writer: HistoryWriter, rows: readonly SeriesRow[]): Promise<void> {
  await writer.expect(rows.map(seriesKey))
  for (const each of rows) {
    const key = seriesKey(each)
    const entry = canonicalize(each)
    await writer.addSeriesEntry({ key, entry })
    await writer.appendLeaf({ key, leaf: leafHash(entry) })
  }
}

const ROWS: readonly SeriesRow[] = [
  row('b', 'w2', -1),
  row('a', 'w2', 0, 'ünder'),
  row('a', 'w2', 0, 'owl'),
  row('a', 'w1', 1),
  { series: 'a', origin: 'w2', horizon: 2, model: 'seer', status: 'failed', reason: 'no data' },
  row('a', 'w2', -1),
]

/** What every store has to do with rows of any series. */
export function seriesContract(name: string, make: () => StoreUnderTest): void {
  const filled = async () => {
    const store = make()
    await inTransaction(store.writer(2), (writer) => put(writer, ROWS))
    return { store, reader: store.reader() }
  }

  describe(`a history of any series in ${name}`, () => {
    it('gives its rows by series, origin, horizon and model, each with its text', async () => {
      const { reader } = await filled()
      expect(await reader.rowVersion()).toBe(2)
      expect(await reader.models()).toEqual(['owl', 'seer', 'ünder'])
      const entries = await inBatches(reader.seriesEntries())
      const order = [3, 5, 2, 1, 4, 0].map((at) => ROWS[at] as SeriesRow)
      expect(entries).toEqual(
        order.map((each) => ({ key: seriesKey(each), entry: canonicalize(each) })),
      )
      const among = { series: 'a', from: 'w2', to: 'w3' }
      expect(await inBatches(reader.seriesEntries(among))).toEqual(entries.slice(1, 5))
    })

    it('gives rows for pairing, of the origins that are asked for, in their order', async () => {
      const { reader } = await filled()
      const stored: StoredRow[] = []
      const rows = await inBatches(reader.seriesRows(['w2', 'w1'], (some) => stored.push(...some)))
      expect(stored).toEqual(await inBatches(reader.seriesEntries()))
      const names = rows.map((each) =>
        [each.originAt, each.series, each.horizon, each.model].join(' '),
      )
      const wanted =
        'w2 a -1 seer, w2 a 0 owl, w2 a 0 ünder, w2 a 2 seer, w1 a 1 seer, w2 b -1 seer'
      expect(names.join(', ')).toBe(wanted)
      expect(rows[0]).toMatchObject({ forecast: -0.5, quantiles: [-1, -0.5, 0], attempt: null })
      expect(rows[0]?.levels).toEqual(['0.1', '0.5', '0.9'])
      expect(rows[1]?.levels).toBe(rows[0]?.levels)
      expect(rows[3]).toMatchObject({ forecast: null, levels: [], attempt: 'failed' })
    })

    it('gives one row for pairing where a key has a forecast and an attempt', async () => {
      const { store, reader } = await filled()
      await inTransaction(store.writer(2), (writer) => put(writer, [row('a', 'w2', 2)]))
      const rows = await inBatches(reader.seriesRows(['w2']))
      expect(rows.filter(({ horizon }) => horizon === 2)).toMatchObject([
        { forecast: 2.5, attempt: 'failed', levels: ['0.1', '0.5', '0.9'] },
      ])
    })

    it('finds entries of its log by their keys, and rows that have none', async () => {
      const { store, reader } = await filled()
      const keys = ROWS.map(seriesKey)
      const indexes = (await reader.entriesOfKeys(keys)).map((entry) => entry?.index)
      expect(indexes).toEqual([...ROWS.keys()])
      const other = row('a', 'w3', 0)
      expect(await reader.logEntry(seriesKey(other))).toBeUndefined()
      expect((await inBatches(reader.logEntries(0, 99))).map(({ key }) => key)).toEqual(keys)
      const key = seriesKey(other)
      await inTransaction(store.writer(2), (writer) =>
        writer.addSeriesEntry({ key, entry: canonicalize(other) }),
      )
      await inTransaction(store.writer(2), async (writer) => {
        expect(await writer.appendMissing(createLeafReader())).toEqual({ appended: 1, left: 0 })
        expect(await writer.appendMissing(createLeafReader())).toEqual({ appended: 0, left: 0 })
      })
      expect(await reader.logEntry(key)).toMatchObject({ index: ROWS.length, key })
    })

    it('has one row under a key, and what was rolled back not', async () => {
      const { store, reader } = await filled()
      const [first] = ROWS as [SeriesRow]
      await inTransaction(store.writer(2), async (writer) => {
        expect(await writer.seriesEntry(seriesKey(first))).toBe(canonicalize(first))
        await expect(put(writer, [first])).rejects.toThrow('it is there')
        await put(writer, [row('c', 'w1', 0)])
        await writer.rollback()
        await writer.begin()
        expect(await writer.seriesEntry(seriesKey(row('c', 'w1', 0)))).toBeUndefined()
      })
      expect((await inBatches(reader.seriesEntries())).length).toBe(ROWS.length)
    })

    it('takes no rows of the other version', async () => {
      const { store } = await filled()
      const hourlyWriter = inTransaction(store.writer(1), async () => undefined)
      await expect(hourlyWriter).rejects.toThrow('it holds forecasts of any series')
      const hourly = make()
      await inTransaction(hourly.writer(), async (writer) => {
        await writer.addOrigin(origin(0))
        await writer.addForecast(forecast(0, 'a', 2))
      })
      const seriesWriter = inTransaction(hourly.writer(2), async () => undefined)
      await expect(seriesWriter).rejects.toThrow('it holds hourly forecasts')
      expect(await hourly.reader().rowVersion()).toBe(1)
      expect(await hourly.reader().count()).toBe(1)
    })

    it('refuses to be read as hourly forecasts', async () => {
      const { reader } = await filled()
      const refused = (asked: Promise<unknown>) =>
        expect(asked).rejects.toThrow('it holds forecasts of any series')
      for (const method of ['latest', 'newestOrigin', 'count', 'mark', 'extent'] as const) {
        await refused(reader[method]())
      }
      for (const method of ['entries', 'pairingRows', 'origins'] as const) {
        await refused(inBatches<unknown>(reader[method]()))
      }
      await refused(reader.attemptMark())
      await refused(reader.attemptMonths())
      await refused(reader.regimes({}))
      await refused(reader.rowsSince({ row: 1, originAt: '', model: '', horizonHours: 1 }))
      await refused(reader.find({ origin: 0, horizonHours: 1, model: 'seer' }))
    })

    it('keeps entries of registrations that were there before its rows', async () => {
      const store = make()
      const leaf = leafHash('registration')
      await inTransaction(store.writer(), (writer) => writer.appendLeaf({ leaf, key: undefined }))
      await inTransaction(store.writer(2), (writer) => put(writer, ROWS))
      const [first, second] = await inBatches(store.reader().logEntries(0, 2))
      expect(Buffer.from(first?.leaf ?? []).equals(Buffer.from(leaf))).toBe(true)
      expect(second).toMatchObject({ index: 1, key: seriesKey(ROWS[0] as SeriesRow) })
    })
  })
}
