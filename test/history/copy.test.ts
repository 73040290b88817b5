import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyHistory } from '../../src/history/copy.js'
import { openHistoryWriter } from '../../src/store/open.js'
import type { HistoryEntry } from '../../src/store/types.js'
import { RefusedRow } from '../../src/store/types.js'
import { attempt, forecast, origin } from '../store/store-rows.js'
import { temporaryFolder } from '../support/folder.js'
import {
  FILLING,
  inBatches,
  inTransaction,
  leaveUnfinished,
  opened,
  writeProducer,
} from './support.js'

const folder = temporaryFolder()
const provenance = {
  inputAvailableAt: '2026-01-01T00:00:00+00:00',
  selectionDataThrough: null,
  vintageId: 'v',
  vintageSha256: null,
}

async function entriesOf(path: string): Promise<HistoryEntry[]> {
  return await inBatches(opened(path).entries())
}

it('copies a forecast and an attempt of one key, which share a provenance in SQLite', async () => {
  const [from, to] = [join(folder, 'from.sqlite'), join(folder, 'to.sqlite')]
  // What a copy leaves that was killed.
  writeFileSync(to, '')
  await inTransaction(openHistoryWriter(from, 0), async (writer) => {
    await writer.addOrigin(origin(1))
    await writer.addForecast(forecast(1, 'a', 2, { provenance }))
    const other = attempt(1, 'a', { provenance: { ...provenance, vintageId: 'w' } })
    await expect(writer.addAttempt(other)).rejects.toThrow(RefusedRow)
    await expect(writer.addAttempt(attempt(1, 'a'))).rejects.toThrow(RefusedRow)
    await writer.addAttempt(attempt(1, 'a', { provenance }))
  })

  expect(await copyHistory(from, to, { now: 0 })).toMatchObject({ forecasts: 1, attempts: 1 })
  const entries = await entriesOf(to)
  expect(entries).toEqual(await entriesOf(from))
  expect(entries).toMatchObject([{ forecast: { provenance }, attempt: { provenance } }])
})

it('copies over what a copy left that was killed while it wrote', async () => {
  const [from, to] = [join(folder, 'source.sqlite'), join(folder, 'target.sqlite')]
  writeProducer(from, [{ hour: 1, model: 'a', horizon: 2 }])
  leaveUnfinished(join(folder, 'begun.sqlite'), to, FILLING)
  expect(await copyHistory(from, to, { now: 0 })).toMatchObject({ forecasts: 1 })
  expect(await entriesOf(to)).toEqual(await entriesOf(from))
})
