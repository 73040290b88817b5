import { describe, expect, it } from 'vitest'
import { type Finding, hasNoErrors } from '../../src/contract/findings/finding.js'
import { type HistoryRow, parseRowKey } from '../../src/forecast/row.js'
import type { LogKey, NewLeaf } from '../../src/log/log-entry.js'
import { computeRoot, leafHash } from '../../src/log/merkle.js'
import type { StoredRow } from '../../src/store/history-reader.js'
import { toStoredKey } from '../../src/store/hourly-rows.js'
import type { LogState } from '../../src/store/stored-log.js'
import { allOf, EPOCH, HOUR, inBatches, inTransaction, stamp } from '../history/support.js'
import { hex, rangesOf, treeOf } from '../log/tree.js'
import { seriesContract } from './series-contract.js'
import { attempt, filled, forecast, instant, origin, type StoreUnderTest } from './store-rows.js'

const keyOf = (n: number): LogKey => {
  const { originAt, model, horizonHours } = forecast(n, 'a', 2)
  return { kind: n % 3 === 0 ? 'attempt' : 'forecast', originAt, model, horizonHours }
}
const leafOf = (n: number): NewLeaf => ({ leaf: leafHash(`entry ${n}`), key: keyOf(n) })

/** A leaf that says which row it is of, and nothing else. */
const leafOfRow = (row: StoredRow): NewLeaf => {
  const kind = 'status' in row ? 'attempt' : 'forecast'
  const key = { kind, ...toStoredKey(row as HistoryRow) } as const
  return { leaf: leafHash(JSON.stringify(key)), key }
}

/** What a store has to do for the log of a history. */
function logContract(make: () => StoreUnderTest): void {
  const rootIn = async (state: LogState, size: number) =>
    hex(await computeRoot(size, (level, index) => state.logHash(level, index)))

  it('has no log before anything is put into it', async () => {
    const { reader } = await filled(make)
    expect(await reader.log()).toBeUndefined()
    expect(await reader.logSize()).toBe(0)
    expect(await reader.keptHashes()).toBe(0)
    expect(await reader.logEntry(keyOf(1))).toBeUndefined()
    expect(await reader.newestCheckpoint()).toBeUndefined()
    expect(await inBatches(reader.logEntries(0, 9))).toEqual([])
    expect(await allOf(reader.checkpoints())).toEqual([])
    await expect(reader.logHash(0, 0)).rejects.toThrow(RangeError)
    await expect(reader.logHashes(0, 0, 1)).rejects.toThrow(RangeError)
  })

  it('gives back the entries of its log', async () => {
    const unknown = { leaf: leafHash('unknown'), key: undefined }
    const { store, reader } = await filled(make)
    const put = [leafOf(0), leafOf(1), unknown, leafOf(1)]
    await inTransaction(store.writer(), async (writer) => {
      for (const [n, leaf] of put.entries()) expect(await writer.appendLeaf(leaf)).toBe(n)
      expect(await writer.logName()).toBeUndefined()
      await writer.nameLog('own')
      expect(await writer.logName()).toBe('own')
    })
    expect(await reader.log()).toEqual({ name: 'own', size: 4, sealed: undefined })
    expect(await reader.notes()).toEqual(new Map())
    const entries = put.map((leaf, index) => ({ ...leaf, index }))
    expect(await inBatches(reader.logEntries(0, 99))).toEqual(entries)
    expect(await inBatches(reader.logEntries(1, 3))).toEqual(entries.slice(1, 3))
    // The first of a key, where the log has it twice.
    expect(await reader.logEntry(keyOf(1))).toEqual(entries[1])
    expect(await reader.logEntry(keyOf(0))).toEqual(entries[0])
    expect(await reader.logEntry({ ...keyOf(0), kind: 'forecast' })).toBeUndefined()
  })

  it('makes the hash of any whole subtree, of any height', async () => {
    const { store, reader } = await filled(make)
    const size = 66_000
    const leaves = Array.from({ length: size }, (_, n) => leafOf(n).leaf)
    const tree = treeOf(leaves)
    await inTransaction(store.writer(), async (writer) => {
      for (const leaf of leaves) await writer.appendLeaf({ leaf, key: undefined })
      for (const at of [1, 2, 255, 256, 257, 65_535, 65_537, size]) {
        expect(await rootIn(writer, at), `${at}`).toBe(hex(await computeRoot(at, tree)))
      }
    })
    // Level and index of subtrees that are whole, and of some that are not.
    for (const at of ['0/65999', '3/8249', '8/256', '9/127', '16/0']) {
      const [level, index] = at.split('/').map(Number) as [number, number]
      expect(hex(await reader.logHash(level, index)), at).toBe(hex(tree(level, index)))
    }
    for (const at of ['0/66000', '3/8250', '16/1', '17/0']) {
      const [level, index] = at.split('/').map(Number) as [number, number]
      await expect(reader.logHash(level, index), at).rejects.toThrow(RangeError)
    }
    for (const at of ['0/65990/66000', '3/8240/8250', '8/200/257', '16/1/1']) {
      const [level, from, to] = at.split('/').map(Number) as [number, number, number]
      const found = await reader.logHashes(level, from, to)
      expect(found.map(hex)).toEqual((await rangesOf(tree)(level, from, to)).map(hex))
      await expect(reader.logHashes(level, from, to + 300)).rejects.toThrow(RangeError)
    }
    expect(await reader.keptHashes()).toBe(257 + 1)
  })

  it('keeps checkpoints and their stamps as they came first', async () => {
    const { store, reader } = await filled(make)
    const stamp = (authority: string, text: string) => ({ authority, token: Buffer.from(text) })
    await inTransaction(store.writer(), async (writer) => {
      await writer.appendLeaf(leafOf(1))
      expect(await writer.addCheckpoint(1, 'one\n')).toBe(true)
      expect(await writer.addCheckpoint(1, 'other\n')).toBe(false)
      expect(await writer.addCheckpoint(20, 'twenty\n')).toBe(true)
      expect(await writer.addCheckpointStamp(1, stamp('z', 'first'))).toBe(true)
      expect(await writer.addCheckpointStamp(1, stamp('a', 'second'))).toBe(true)
      expect(await writer.addCheckpointStamp(1, stamp('z', 'third'))).toBe(false)
      expect((await writer.newestCheckpoint())?.note).toBe('twenty\n')
    })
    const twenty = { size: 20, note: 'twenty\n', stamps: [] }
    expect(await allOf(reader.checkpoints())).toEqual([
      { size: 1, note: 'one\n', stamps: [stamp('a', 'second'), stamp('z', 'first')] },
      twenty,
    ])
    expect(await allOf(reader.checkpoints(2))).toEqual([twenty])
    expect(await reader.newestCheckpoint()).toEqual(twenty)
    expect((await reader.log())?.sealed).toBe(20)
  })

  it('adds signatures to a checkpoint that is there', async () => {
    const { store, reader } = await filled(make)
    const [one, two] = ['\u2014 a AAAAAAA=\n', '\u2014 b AAAAAAA=\n']
    await inTransaction(store.writer(), async (writer) => {
      await writer.appendLeaf(leafOf(1))
      await writer.addCheckpoint(1, 'one\n')
      expect(await writer.addSignatures(2, `one\n\n${one}`)).toBe(false)
      expect(await writer.addSignatures(1, `two\n\n${one}`)).toBe(false)
      expect(await writer.addSignatures(1, `one\n\n${one}`)).toBe(true)
      expect(await writer.addSignatures(1, `one\n\n${two}`)).toBe(true)
      expect(await writer.addSignatures(1, `one\n\n${one}`)).toBe(false)
    })
    expect((await reader.newestCheckpoint())?.note).toBe(`one\n\n${one}${two}`)
  })

  it('appends the rows that its own log does not have, in order, once', async () => {
    const { store, reader } = await filled(make)
    await inTransaction(store.writer(), async (writer) => {
      await writer.addAttempt(attempt(0, 'a', { horizonHours: 8 }))
      await writer.addAttempt(attempt(0, 'a'))
      await writer.appendLeaf(leafOfRow(attempt(9, 'gone')))
      await writer.appendLeaf(leafOfRow(forecast(1, 'b', 2)))
      expect(await writer.appendMissing(leafOfRow)).toEqual({ appended: 13, left: 0 })
      expect(await writer.appendMissing(leafOfRow)).toEqual({ appended: 0, left: 0 })
    })
    await inTransaction(store.writer(), async (writer) => {
      await writer.addForecast(forecast(0, 'late', 2))
      expect(await writer.appendMissing(leafOfRow)).toEqual({ appended: 1, left: 0 })
    })
    const entries = await inBatches(reader.logEntries(2, 99))
    const named = entries.map(({ key }) =>
      [key?.originAt.slice(11, 13), key?.horizonHours, key?.model, key?.kind].join(' '),
    )
    const inOrder =
      '00 2 a forecast, 00 2 a attempt, 00 2 b forecast, 00 4 a forecast, 00 4 b forecast, ' +
      '00 8 a attempt, 01 2 a forecast, 01 4 a forecast, 01 4 b forecast, 02 2 a forecast, ' +
      '02 2 b forecast, 02 4 a forecast, 02 4 b forecast, 00 2 late forecast'
    expect(named.join(', ')).toBe(inOrder)
    const again = await store.writer()
    await again.begin()
    await again.addForecast(forecast(2, 'never', 2))
    const noneFor = (row: StoredRow) =>
      (row as HistoryRow).model === 'never' ? undefined : leafOfRow(row)
    expect(await again.appendMissing(noneFor)).toEqual({ appended: 0, left: 1 })
    await again.addForecast(forecast(2, 'next', 2))
    expect(await again.appendMissing(noneFor)).toEqual({ appended: 1, left: 1 })
    // What had no entry gets one as soon as it can have one.
    expect(await again.appendMissing(leafOfRow)).toEqual({ appended: 1, left: 0 })
    await again.close()
  })
}

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
        const next = await reader.page({ after: parseRowKey(row), limit: 2 })
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
      expect(await reader.log()).toEqual({ name: undefined, size: 1, sealed: undefined })
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
