import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { copyHistory } from '../../src/history/copy.js'
import { importResources } from '../../src/history/import/import.js'
import { sealHistory } from '../../src/history/seal.js'
import { verifyHistory, verifyLog } from '../../src/history/verify.js'
import { leafHash } from '../../src/log/merkle.js'
import { sample, samples } from '../history/samples.js'
import { alter, historyOf, opened } from '../history/support.js'
import { freshPaths, temporaryFolder } from '../support/folder.js'
import { LOG, seal, stamperOf, tokenOver } from './sealed.js'

const folder = temporaryFolder()
const HOUR_2 = "origin_at = '2026-01-01T02:00:00+00:00'"
const ROW = '2026-01-01T02:00:00+00:00, alpha, 2 h'
const CHANGE = `UPDATE forecast_predictions SET predicted_price_usd = 50501 WHERE ${HOUR_2}`
const REMOVE = `DELETE FROM forecast_predictions WHERE ${HOUR_2}`
const RESPELT = `PRAGMA foreign_keys = OFF; ${['predictions', 'origins']
  .map((table) => `UPDATE forecast_${table} SET origin_at = '2026-01-01T02:00:00Z' WHERE ${HOUR_2}`)
  .join('; ')}`
const NOON = Date.UTC(2026, 0, 1, 12) * 1000
const fresh = freshPaths(folder)

/** Five rows, of which the first so many are sealed, and then a change by others. */
async function foundAfter(sealed: number, sql: string) {
  const rows = samples(0, 5)
  const path = await historyOf(rows.slice(0, sealed))
  if (sealed > 0) await sealHistory(path, { log: LOG })
  await importResources(path, rows.slice(sealed), { now: 0 })
  alter(path, sql)
  const { findings } = await verifyHistory(path)
  return findings.map(({ code, args, severity }) => ({ code, args, severity }))
}

describe('a history and its log', () => {
  const other = `x'${Buffer.from(leafHash('other')).toString('hex')}'`
  const noteSays = (from: string, to: string) =>
    `UPDATE foreproof_log_checkpoints SET note = replace(note, ${from}, ${to})`
  const error = (code: string, args: object) => ({ code, severity: 'error', args })
  const rewritten = (change: string) => error('log-rewritten', { entry: 2, row: ROW, change })
  const respelt = expect.objectContaining({ code: 'history-value', severity: 'error' })
  const unreadable = [error('log-checkpoint-unreadable', { size: 5 })]
  const entryless = (hour: number, count: number) => ({
    code: 'log-row-without-entry',
    severity: 'note',
    args: { row: `2026-01-01T0${hour}:00:00+00:00, alpha, 2 h`, count },
  })
  const unsealed = { code: 'log-entry-unsealed', severity: 'warning', args: { entry: 2, row: ROW } }
  const gone = `${REMOVE}; DELETE FROM forecast_predictions WHERE origin_at > '2026-01-01T03'`
  const late = 'DELETE FROM foreproof_log_entries WHERE leaf_index > 2'
  const changed = `UPDATE foreproof_log_entries SET leaf_hash = ${other} WHERE leaf_index = 2`
  const emptied = 'DELETE FROM foreproof_log_entries'
  const otherSize = noteSays("char(10) || '5' || char(10)", "char(10) || '4' || char(10)")
  const root = (size: number) => error('log-root', { size })
  it.each<[string, number, string, object[]]>([
    ['agree', 5, 'SELECT 1', []],
    ['agree before anything is sealed', 0, 'SELECT 1', []],
    ['differ by a sealed row that is another', 4, CHANGE, [rewritten('changed')]],
    ['differ by a sealed row that is gone, the first of two', 5, gone, [rewritten('gone')]],
    ['agree where the origin of a row is respelt, which is named', 4, RESPELT, [respelt, respelt]],
    ['differ by a row that was not sealed yet', 1, CHANGE, [unsealed]],
    ['differ by a row that has no entry', 0, late, [entryless(3, 2)]],
    ['differ by an entry that was changed later', 4, changed, [rewritten('changed'), root(4)]],
    ['differ by a log emptied under its checkpoint', 5, emptied, [entryless(0, 5), root(5)]],
    [
      'differ by a checkpoint of another log',
      5,
      noteSays("'example.org'", "'other.org'"),
      unreadable,
    ],
    ['differ by a checkpoint that says another size', 5, otherSize, unreadable],
  ])('%s', async (_what, sealed, sql, expected) => {
    expect(await foundAfter(sealed, sql)).toEqual(expected)
  })
})

describe('stamps of a log', () => {
  it('are held against their checkpoints, and with anchors to whom they lead', async () => {
    const authority = await createAuthority({ name: 'one', now: () => NOON })
    const token = await tokenOver(authority, Buffer.from('something else'))
    const path = await historyOf([sample({ hour: 1 })])
    const anchors = temporaryFolder()
    writeFileSync(join(anchors, 'one.pem'), authority.anchorPem)
    const stamped = async (body: Uint8Array) => {
      return { authority: 'one', token: await tokenOver(authority, body) }
    }
    await seal(path, [stamped])
    const found = async (known?: string) => {
      const { findings } = await verifyHistory(path, { anchors: known })
      return findings.map(({ code, args, severity }) => ({ code, args, severity }))
    }
    expect(await found()).toEqual([])
    expect(await found(anchors)).toEqual([])
    await importResources(path, [sample({ hour: 2 })], { now: 0 })
    await seal(path, [await stamperOf('two'), () => ({ authority: 'bad', token })])
    const args = { size: 2, count: 1, authority: 'bad', reason: expect.stringContaining('imprint') }
    const fault = { code: 'log-stamps-unsound', severity: 'error' }
    expect(await found()).toEqual([{ ...fault, args }])
    const two = { ...fault, args: expect.objectContaining({ count: 2 }) }
    expect(await found(anchors)).toEqual([two])
  })
})

describe('a log whose tables are damaged', () => {
  const ENTRIES = 'UPDATE foreproof_log_entries SET'
  const SHORT = `PRAGMA ignore_check_constraints = 1; ${ENTRIES} leaf_hash = x'00' WHERE leaf_index = 3`
  const NO_NOTE = 'ALTER TABLE foreproof_log_checkpoints DROP COLUMN note'
  const AS_TEXT = `${ENTRIES} leaf_hash = printf('%032d', 7) WHERE leaf_index = 3`
  const BEYOND = `${ENTRIES} leaf_index = 1 << 40 WHERE leaf_index = 4`
  it.each([
    ['DROP TABLE foreproof_log_stamps', /the table foreproof_log_stamps is missing/],
    [NO_NOTE, /foreproof_log_checkpoints has no column note/],
    [SHORT, /entry 3 has no hash of 32 bytes/],
    [AS_TEXT, /entry 3 has no hash of 32 bytes/],
    [BEYOND, /it says to have 1099511627777 entries/],
  ])('is named in one sentence: %s', async (sql, says) => {
    const path = await historyOf(samples(0, 5))
    await sealHistory(path, { log: LOG })
    alter(path, sql)
    const expected = { code: 'invalid-input', file: path, message: expect.stringMatching(says) }
    await expect(verifyHistory(path)).rejects.toMatchObject(expected)
    const damaged = { ...expected, message: expect.stringContaining('its log is damaged') }
    await expect(sealHistory(path, { log: LOG })).rejects.toMatchObject(damaged)
  })

  it.each([
    ['that no checkpoint covers', 7, { code: 'log-kept', args: { fault: 'gap', first: 7 } }],
    ['that a checkpoint covers', 2, { code: 'log-root', args: { size: 5 } }],
    ['that a checkpoint ends with', 4, { code: 'log-root', args: { size: 5 } }],
  ])('is found to have a gap: an entry %s', async (_what, gone, wrong) => {
    const rows = samples(0, 10)
    const path = await historyOf(rows.slice(0, 5))
    await sealHistory(path, { log: LOG })
    await importResources(path, rows.slice(5), { now: 0 })
    alter(path, `DELETE FROM foreproof_log_entries WHERE leaf_index = ${gone}`)
    const { findings } = await verifyHistory(path)
    expect(findings).toMatchObject([{ code: 'log-row-without-entry' }, wrong])
    if (wrong.code !== 'log-kept') return
    const look = { help: expect.stringContaining('history verify') }
    await expect(sealHistory(path, { log: LOG })).rejects.toMatchObject(look)
    const copy = fresh()
    await copyHistory(path, copy, { now: 0 })
    expect(await sealHistory(copy, { log: LOG })).toMatchObject({ size: 10, appended: 1 })
    expect((await verifyHistory(copy)).findings).toEqual([])
  })

  it('is found where its name is gone', async () => {
    const path = await historyOf([sample()])
    await sealHistory(path, { log: LOG })
    alter(path, "DELETE FROM foreproof_meta WHERE key = 'log name'")
    const { findings } = await verifyHistory(path)
    expect(findings).toMatchObject([{ code: 'log-checkpoint-unreadable', args: { size: 1 } }])
  })

  it('is not held against a checkpoint that is written while it is looked at', async () => {
    const path = await historyOf([sample({ hour: 1 })])
    await sealHistory(path, { log: LOG })
    const reader = opened(path)
    const meanwhile = {
      ...reader,
      async log() {
        const log = await reader.log()
        await importResources(path, [sample({ hour: 2 }), sample({ hour: 3 })], { now: 0 })
        await sealHistory(path)
        return log
      },
    }
    const codes: string[] = []
    await verifyLog(meanwhile, ({ code }) => codes.push(code))
    expect(codes).toEqual([])
  })

  it('is found where what it keeps of its tree is gone', async () => {
    const path = await historyOf(samples(0, 300))
    alter(path, 'DELETE FROM foreproof_log_subtrees')
    const message = expect.stringContaining('its log is damaged')
    const damaged = { code: 'invalid-input', message }
    await expect(sealHistory(path, { log: LOG })).rejects.toMatchObject(damaged)
    await expect(verifyHistory(path)).rejects.toMatchObject(damaged)
    const anew = fresh()
    await copyHistory(path, anew, { now: 0 })
    expect((await verifyHistory(anew)).findings).toEqual([])
  })

  it.each([
    ['in place of one to come', 1, 8],
    ['of no such level', 0, 7],
  ])('is found to keep a hash of no entries: %s', async (_what, index, level) => {
    const rows = samples(0, 520)
    const path = await historyOf(rows.slice(0, 500))
    alter(path, `INSERT INTO foreproof_log_subtrees VALUES (${level}, ${index}, zeroblob(32))`)
    const more = { code: 'log-kept', severity: 'error', args: { fault: 'more', last: 1 } }
    expect((await verifyHistory(path)).findings).toMatchObject([more])
    if (level !== 8) return
    const expected = { message: expect.stringMatching(/its log is damaged: .* entries 256 to 511/) }
    await expect(importResources(path, rows.slice(500), { now: 0 })).rejects.toMatchObject(expected)
  })

  it('is found where a hash that it keeps of its tree is another', async () => {
    const path = await historyOf(samples(0, 600))
    alter(path, 'UPDATE foreproof_log_subtrees SET hash = zeroblob(32) WHERE subtree_index = 1')
    const args = { fault: 'hash', first: 256, last: 511 }
    const { findings } = await verifyHistory(path)
    expect(findings).toMatchObject([{ code: 'log-kept', severity: 'error', args }])
  })
})
