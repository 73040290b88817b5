import { expect, it } from 'vitest'
import type { HistoryRow } from '../../src/forecast/row.js'
import { leafHash, rootOf } from '../../src/log/merkle.js'
import type { LogKey, NewLeaf } from '../../src/log/types.js'
import { storedKeyOf } from '../../src/store/rows.js'
import type { LogState, StoredRow } from '../../src/store/types.js'
import { allOf, inBatches, inTransaction } from '../history/support.js'
import { hex, rangesOf, treeOf } from '../log/tree.js'
import { attempt, filled, forecast, type StoreUnderTest } from './store-rows.js'

const keyOf = (n: number): LogKey => {
  const { originAt, model, horizonHours } = forecast(n, 'a', 2)
  return { kind: n % 3 === 0 ? 'attempt' : 'forecast', originAt, model, horizonHours }
}
export const leafOf = (n: number): NewLeaf => ({ leaf: leafHash(`entry ${n}`), key: keyOf(n) })

/** A leaf that says which row it is of, and nothing else. */
const leafOfRow = (row: StoredRow): NewLeaf => {
  const kind = 'status' in row ? 'attempt' : 'forecast'
  const key = { kind, ...storedKeyOf(row as HistoryRow) } as const
  return { leaf: leafHash(JSON.stringify(key)), key }
}

/** What a store has to do for the logs of a history. */
export function logContract(make: () => StoreUnderTest): void {
  const rootIn = async (state: LogState, size: number, log?: string) =>
    hex(await rootOf(size, (level, index) => state.logHash(level, index, log)))

  it('has no log before anything is put into one', async () => {
    const { reader } = await filled(make)
    expect(await reader.logs()).toEqual([])
    for (const log of [undefined, 'example.org/log']) {
      expect(await reader.logSize(log)).toBe(0)
      expect(await reader.logEntry(keyOf(1), log)).toBeUndefined()
      expect(await reader.newestCheckpoint(log)).toBeUndefined()
      expect(await inBatches(reader.logEntries(0, 9, log))).toEqual([])
      expect(await allOf(reader.checkpoints(log))).toEqual([])
      await expect(reader.logHash(0, 0, log)).rejects.toThrow(RangeError)
      await expect(reader.logHashes(0, 0, 1, log)).rejects.toThrow(RangeError)
    }
  })

  it('gives back the entries of its own and of mirrored logs, each for itself', async () => {
    const unknown = { leaf: leafHash('unknown'), key: undefined }
    const { store, reader } = await filled(make)
    await inTransaction(store.writer(), async (writer) => {
      for (const n of [0, 1, 2]) expect(await writer.appendLeaf(leafOf(n))).toBe(n)
      for (const [n, leaf] of [leafOf(1), unknown, leafOf(1)].entries()) {
        expect(await writer.appendLeaf(leaf, 'example.org/log')).toBe(n)
      }
      expect(await writer.logName()).toBeUndefined()
      await writer.nameLog('own')
      expect(await writer.logName()).toBe('own')
    })
    expect(await reader.logs()).toEqual([
      { name: 'own', own: true, size: 3, sealed: undefined },
      { name: 'example.org/log', own: false, size: 3, sealed: undefined },
    ])
    const own = [0, 1, 2].map((n) => ({ ...leafOf(n), index: n }))
    expect(await inBatches(reader.logEntries(0, 99))).toEqual(own)
    expect(await inBatches(reader.logEntries(1, 2, 'own'))).toEqual([own[1]])
    const mirrored = await inBatches(reader.logEntries(1, 3, 'example.org/log'))
    expect(mirrored).toEqual([
      { ...unknown, index: 1 },
      { ...leafOf(1), index: 2 },
    ])
    // The first of a key, where a mirrored log has it twice.
    expect(await reader.logEntry(keyOf(1), 'example.org/log')).toEqual({ ...leafOf(1), index: 0 })
    expect(await reader.logEntry(keyOf(0))).toEqual(own[0])
    expect(await reader.logEntry({ ...keyOf(0), kind: 'forecast' })).toBeUndefined()
  })

  it('takes no entry of others for its own log, and no name twice', async () => {
    const { store } = await filled(make)
    const writer = await store.writer()
    await writer.begin()
    await writer.nameLog('own')
    await writer.appendLeaf(leafOf(0), 'mirrored')
    await expect(writer.appendLeaf(leafOf(0), 'own')).rejects.toThrow('this very history')
    await expect(writer.nameLog('mirrored')).rejects.toThrow('mirrors')
    await writer.close()
  })

  it('makes the hash of any whole subtree, of any height', async () => {
    const { store, reader } = await filled(make)
    const size = 66_000
    const leaves = Array.from({ length: size }, (_, n) => leafOf(n).leaf)
    const tree = treeOf(leaves)
    await inTransaction(store.writer(), async (writer) => {
      for (const leaf of leaves) await writer.appendLeaf({ leaf, key: undefined }, 'm')
      for (const at of [1, 2, 255, 256, 257, 65_535, 65_537, size]) {
        expect(await rootIn(writer, at, 'm'), `${at}`).toBe(hex(await rootOf(at, tree)))
      }
    })
    // Level and index of subtrees that are whole, and of some that are not.
    for (const at of ['0/65999', '3/8249', '8/256', '9/127', '16/0']) {
      const [level, index] = at.split('/').map(Number) as [number, number]
      expect(hex(await reader.logHash(level, index, 'm')), at).toBe(hex(tree(level, index)))
    }
    for (const at of ['0/66000', '3/8250', '16/1', '17/0']) {
      const [level, index] = at.split('/').map(Number) as [number, number]
      await expect(reader.logHash(level, index, 'm'), at).rejects.toThrow(RangeError)
    }
    for (const at of ['0/65990/66000', '3/8240/8250', '8/200/257', '16/1/1']) {
      const [level, from, to] = at.split('/').map(Number) as [number, number, number]
      const found = await reader.logHashes(level, from, to, 'm')
      expect(found.map(hex)).toEqual((await rangesOf(tree)(level, from, to)).map(hex))
      await expect(reader.logHashes(level, from, to + 300, 'm')).rejects.toThrow(RangeError)
    }
    expect(await reader.keptHashes('m')).toBe(257 + 1)
    expect(await reader.keptHashes('none')).toBe(0)
  })

  it('keeps checkpoints and their stamps as they came first', async () => {
    const { store, reader } = await filled(make)
    const stamp = (authority: string, text: string) => ({ authority, token: Buffer.from(text) })
    await inTransaction(store.writer(), async (writer) => {
      for (const log of [undefined, 'm']) {
        await writer.appendLeaf(leafOf(1), log)
        expect(await writer.addCheckpoint(1, 'one\n', log)).toBe(true)
        expect(await writer.addCheckpoint(1, 'other\n', log)).toBe(false)
        expect(await writer.addCheckpoint(20, 'twenty\n', log)).toBe(true)
        expect(await writer.addCheckpointStamp(1, stamp('z', 'first'), log)).toBe(true)
        expect(await writer.addCheckpointStamp(1, stamp('a', 'second'), log)).toBe(true)
        expect(await writer.addCheckpointStamp(1, stamp('z', 'third'), log)).toBe(false)
        expect((await writer.newestCheckpoint(log))?.note).toBe('twenty\n')
      }
    })
    const twenty = { size: 20, note: 'twenty\n', stamps: [] }
    for (const log of [undefined, 'm']) {
      expect(await allOf(reader.checkpoints(log))).toEqual([
        { size: 1, note: 'one\n', stamps: [stamp('a', 'second'), stamp('z', 'first')] },
        twenty,
      ])
      expect(await allOf(reader.checkpoints(log, 2))).toEqual([twenty])
      expect(await reader.newestCheckpoint(log)).toEqual(twenty)
    }
    expect((await reader.logs()).map(({ sealed }) => sealed)).toEqual([20, 20])
  })

  it('adds signatures to a checkpoint that is there', async () => {
    const { store, reader } = await filled(make)
    const [one, two] = ['\u2014 a AAAAAAA=\n', '\u2014 b AAAAAAA=\n']
    await inTransaction(store.writer(), async (writer) => {
      for (const log of [undefined, 'm']) {
        await writer.appendLeaf(leafOf(1), log)
        await writer.addCheckpoint(1, 'one\n', log)
        expect(await writer.addSignatures(2, `one\n\n${one}`, log)).toBe(false)
        expect(await writer.addSignatures(1, `two\n\n${one}`, log)).toBe(false)
        expect(await writer.addSignatures(1, `one\n\n${one}`, log)).toBe(true)
        expect(await writer.addSignatures(1, `one\n\n${two}`, log)).toBe(true)
        expect(await writer.addSignatures(1, `one\n\n${one}`, log)).toBe(false)
      }
    })
    for (const log of [undefined, 'm']) {
      expect((await reader.newestCheckpoint(log))?.note).toBe(`one\n\n${one}${two}`)
    }
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
