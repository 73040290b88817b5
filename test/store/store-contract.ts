import { describe, expect, it } from 'vitest'
import { type Finding, hasNoErrors } from '../../src/contract/findings/finding.js'
import { rowKey } from '../../src/forecast/row.js'
import { EPOCH, HOUR, inBatches, inTransaction, stamp } from '../history/support.js'
import { leafOf, logContract } from './log-contract.js'
import { seriesContract } from './series-contract.js'
import { attempt, filled, forecast, instant, origin, type StoreUnderTest } from './store-rows.js'

const ORDER = [2, 1, 0].flatMap((hour) =>
  [2, 4].flatMap((horizon) => ['a', 'b'].map((model) => `${hour} ${horizon} ${model}`)),
)

const nameOf = (row: { originAt: unknown; horizonHours: unknown; model: unknown }) =>
  `${(Date.parse(String(row.originAt)) - EPOCH) / HOUR} ${row.horizonHours} ${row.model}`

/** What every store has to do, of any kind. */
export function storeContract(name: string, make: () => StoreUnderTest): void {
  describe(`a history in ${name}`, () => {
    it('is empty where nothing was put into it', async () => {
      const store = make()
      await inTransaction(store.writer(), async () => undefined)
      const reader = store.reader()
      expect(await reader.count()).toBe(0)
      for (const what of ['latest', 'newestOrigin', 'extent', 'mark', 'attemptMark'] as const) {
        expect(await reader[what](), what).toBeUndefined()
      }
      expect(await reader.page({ limit: 5 })).toEqual([])
      expect(await reader.models()).toEqual([])
      expect(await inBatches(reader.pairingRows())).toEqual([])
      expect(await inBatches(reader.entries())).toEqual([])
    })

    it('is read newest origin first, then by horizon and model, page by page', async () => {
      const { reader } = await filled(make)
      const rows = await reader.page({ limit: 99 })
      expect(rows.map(nameOf)).toEqual(ORDER)
      for (const [index, row] of rows.entries()) {
        const next = await reader.page({ after: rowKey(row), limit: 2 })
        expect(next.map(nameOf)).toEqual(ORDER.slice(index + 1, index + 3))
      }
      expect(nameOf((await reader.latest()) ?? (origin(0) as never))).toBe(ORDER[0])
      expect(await reader.count()).toBe(ORDER.length)
      expect(await reader.newestOrigin()).toBe(instant(2))
      expect(await reader.extent()).toEqual({ firstOrigin: instant(0), lastOrigin: instant(2) })
      expect(await reader.models()).toEqual(['a', 'b'])
    })

    it('finds a row by its key, with all that was put', async () => {
      const { reader } = await filled(make)
      const key = { origin: instant(1), model: 'b', horizonHours: 4 }
      const { provenance, ...row } = forecast(1, 'b', 4)
      expect(await reader.find(key)).toEqual({ ...row, provenance: undefined, origin: origin(1) })
      const [first, second] = await reader.page({ after: key, withAfter: true, limit: 2 })
      expect(first).toEqual(await reader.find(key))
      expect([second]).toEqual(await reader.page({ after: key, limit: 1 }))
      expect(await reader.find({ ...key, model: 'c' })).toBeUndefined()
      const absent = { ...key, horizonHours: 3 }
      const [next] = await reader.page({ after: absent, withAfter: true, limit: 1 })
      expect(next).toMatchObject({ horizonHours: 4 })
    })

    it('keeps the first write of a key, and says so', async () => {
      const { store, reader } = await filled(make)
      await inTransaction(store.writer(), async (writer) => {
        expect(await writer.origin(stamp(EPOCH))).toEqual(origin(0))
        expect(await writer.origin(stamp(EPOCH + 9 * HOUR))).toBeUndefined()
        const again = forecast(0, 'a', 2, { priceUsd: 1 })
        expect(await writer.addForecast(again)).toBe(false)
        expect((await writer.forecast(again))?.priceUsd).toBe(50_100.5)
      })
      expect(await reader.count()).toBe(ORDER.length)
    })

    it('has nothing of what was rolled back, or not committed', async () => {
      const { store, reader } = await filled(make)
      for (const end of ['rollback', 'close'] as const) {
        const writer = await store.writer()
        await writer.begin()
        await writer.addForecast(forecast(2, 'c', 2))
        await writer.note('n', 'text')
        await writer.appendLeaf(leafOf(0))
        await writer.addCheckpoint(1, 'note\n')
        await writer.nameLog('own')
        await writer[end]()
        await writer.close()
      }
      expect(await reader.models()).toEqual(['a', 'b'])
      const writer = await store.writer()
      for (const end of ['rollback', 'commit'] as const) {
        await writer.begin()
        expect(await writer.noted('n')).toBeUndefined()
        for (const text of ['one', 'two']) await writer.note('n', text)
        expect(await writer.logSize()).toBe(0)
        expect(await writer.appendLeaf(leafOf(5))).toBe(0)
        await writer[end]()
      }
      await writer.close()
      expect(await reader.notes()).toEqual(new Map([['n', 'two']]))
      const log = { name: undefined, own: true, size: 1, sealed: undefined }
      expect(await reader.logs()).toEqual([log])
    })

    it('shows an open reader what is committed later, and what is new since a mark', async () => {
      const { store, reader } = await filled(make)
      const [before, mark] = [await reader.version(), await reader.mark()]
      if (mark === undefined) throw new Error('no mark')
      expect(await reader.rowsSince(mark)).toEqual([])
      await inTransaction(store.writer(), (writer) => writer.addForecast(forecast(1, 'c', 2)))
      expect(await reader.version()).not.toEqual(before)
      expect(await reader.rowsSince(mark)).toEqual([
        { origin: instant(1), horizonHours: 2, model: 'c' },
      ])
      expect(await reader.count()).toBe(ORDER.length + 1)
    })

    it('holds attempts, provenance and whole resources beside the forecasts', async () => {
      const { store, reader } = await filled(make)
      const provenance = {
        inputAvailableAt: stamp(EPOCH),
        selectionDataThrough: null,
        vintageId: 'v',
        vintageSha256: null,
      }
      const kept = { provenance, whole: '{"x":1}', origin: origin(2, 'r9') }
      await inTransaction(store.writer(), async (writer) => {
        await writer.addForecast(forecast(2, 'c', 2, kept))
        await writer.addAttempt(attempt(2, 'd', { provenance }))
        await writer.addAttempt(attempt(0, 'a', { horizonHours: 8, status: 'abstained' }))
        const there = await writer.attempt(attempt(2, 'd'))
        expect(there).toMatchObject({ status: 'failed', provenance })
        expect(await writer.attempt(attempt(2, 'a'))).toBeUndefined()
      })
      const [row] = await reader.page({ filters: { runId: 'r9' }, limit: 9 })
      expect(row).toMatchObject({ model: 'c', whole: '{"x":1}', provenance })
      expect(await reader.attemptMark()).toMatchObject({ count: 2 })
      const months = [{ month: '2026-01', attempts: 2, changed: true }]
      expect(await reader.attemptMonths()).toEqual(months)
      expect(await reader.models()).toEqual(['a', 'b', 'c', 'd'])
      const attempted = (await inBatches(reader.pairingRows())).filter((one) => one.attempt)
      expect(attempted.map((one) => [one.model, one.attempt, one.forecast])).toEqual([
        ['a', 'abstained', null],
        ['d', 'failed', null],
      ])
      const [entry, ...more] = await inBatches(
        reader.entries({ only: 'attempts', from: instant(1) }),
      )
      expect([entry?.attempt?.model, entry?.forecast, more]).toEqual(['d', undefined, []])
      const forecasts = await inBatches(reader.entries({ only: 'forecasts' }))
      expect(forecasts.length).toBe(ORDER.length + 1)
    })

    it('is counted, and found in order', async () => {
      const { reader } = await filled(make)
      expect(await reader.stats()).toMatchObject({ forecasts: 12, origins: 3, runs: 2 })
      expect(await reader.regimes({})).toEqual(new Map())
      const findings: Finding[] = []
      const verified = await reader.verify((finding) => findings.push(finding))
      expect(verified).toMatchObject({ forecasts: 12, attempts: 0, origins: 3 })
      expect(hasNoErrors(findings)).toBe(true)
    })

    seriesContract(name, make)
    logContract(make)
  })
}
