import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { copyHistory } from '../../src/history/copy.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { sealHistory } from '../../src/history/seal.js'
import { verifyHistory } from '../../src/history/verify.js'
import { appendSignatures, cosign } from '../../src/log/cosignature.js'
import { parseNote } from '../../src/log/note.js'
import { parseRegistrations, REGISTRATIONS_NOTE } from '../../src/log/registrations.js'
import { resumeHistory } from '../../src/mirror/resume.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import type { HistoryEntry } from '../../src/store/history-reader.js'
import { RefusedRow } from '../../src/store/history-writer.js'
import { openHistoryWriter } from '../../src/store/open.js'
import { sample, sampleAttempt, samples } from '../history/samples.js'
import {
  allOf,
  alter,
  FILLING,
  inBatches,
  inTransaction,
  leaveUnfinished,
  opened,
  writeProducer,
} from '../history/support.js'
import { LOG, type Stamper, stamperOf } from '../log/sealed.js'
import { Witness } from '../site/build-site.js'
import { attempt, forecast, origin } from '../store/store-rows.js'
import { inProcess } from '../support/in-process.js'

/** What no table has a column for. */
const LATER: object = { later: 1 }
const REGISTRATION = 'ab'.repeat(32)
let stamper: Stamper
let world: Witness
let copy: string

beforeAll(async () => {
  stamper = await stamperOf('one')
})

/** Sealed at 5 entries, where a copy is taken, and at 8, 13 and 14; then published and mirrored. */
beforeEach(async () => {
  world = new Witness()
  copy = join(world.folder, 'copy.sqlite')
  await world.show(samples(0, 5), [stamper])
  copyFileSync(world.history, copy)
  // Not in the order of their origins, and two rows of one key's origin.
  const late = sampleAttempt({ hour: 7, horizon: 4 })
  await world.put([sample({ hour: 9 }), late, sample({ hour: 6 })])
  await world.seal([stamper])
  await world.put([...samples(10, 14), { ...sample({ hour: 6, model: 'beta' }), ...LATER }])
  await world.seal()
  await sealHistory(world.history, { registrations: [REGISTRATION] })
  await world.publish()
  await world.pull()
})

const resume = (path = copy) => {
  const deployment = folderDeployment(world.site)
  return resumeHistory(path, { mirror: world.mirror, deployment, now: 0 })
}

/** All that a seal goes on from. */
async function stateOf(path: string) {
  const reader = opened(path)
  return {
    entries: await inBatches(reader.logEntries(0, 1e6)),
    checkpoints: await allOf(reader.checkpoints()),
    registrations: parseRegistrations((await reader.notes()).get(REGISTRATIONS_NOTE)),
    lines: await allOf(exportLines(path)),
  }
}

it('brings a copy up to what was published, row by row and entry by entry, and it is sealed on', async () => {
  expect(await resume()).toEqual({ log: LOG, size: 14, new_entries: 9, new_checkpoints: 3 })
  const before = await stateOf(world.history)
  expect(before.registrations).toEqual([REGISTRATION])
  expect(await stateOf(copy)).toEqual(before)
  expect((await verifyHistory(copy)).findings).toEqual([])
  expect(await resume()).toMatchObject({ new_entries: 0, new_checkpoints: 0 })
  for (const path of [world.history, copy]) {
    await importResources(path, samples(14, 16), { now: 0 })
    expect(await sealHistory(path)).toMatchObject({ size: 16, appended: 0, sealed: 2 })
  }
  expect(await stateOf(copy)).toEqual(await stateOf(world.history))
})

it('makes a history anew where there is no copy at all', async () => {
  const path = join(world.folder, 'new.sqlite')
  expect(await resume(path)).toMatchObject({ size: 14, new_entries: 14, new_checkpoints: 4 })
  expect(await stateOf(path)).toEqual(await stateOf(world.history))
})

it('takes over cosignatures of checkpoints that are there', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { body } = parseNote((await stateOf(copy)).checkpoints[0]!.note)!
  const cosigned = appendSignatures(body, [cosign(body, 'example.net/w', privateKey, 5).line])
  writeFileSync(world.log('checkpoints/5'), cosigned)
  await resume()
  expect((await stateOf(copy)).checkpoints[0]?.note).toBe(cosigned)
})

it('keeps the entry of a row that is not published; the row may come into the mirror otherwise', async () => {
  rmSync(world.log('../attempts.json'))
  world.mirror = join(world.folder, 'other.sqlite')
  await world.pull()
  const other = join(world.folder, 'other copy.sqlite')
  copyFileSync(copy, other)
  expect(await resume()).toMatchObject({ size: 14, new_entries: 9 })
  const [was, is] = [await stateOf(world.history), await stateOf(copy)]
  expect(is.entries.map(({ leaf }) => leaf)).toEqual(was.entries.map(({ leaf }) => leaf))
  expect(is.entries[6]?.key).toBeUndefined()
  expect(is.lines).toHaveLength(was.lines.length - 1)
  await importResources(world.mirror, [sampleAttempt({ hour: 7, horizon: 4 })], { now: 0 })
  await resume(other)
  expect(await stateOf(other)).toEqual(was)
})

const imported = (model = 'gamma') =>
  importResources(copy, [sample({ hour: 9, model })], { now: 0 })
const otherRow = async () => {
  await imported('beta')
  alter(copy, "UPDATE forecast_predictions SET model_name = 'alpha', predicted_price_usd = 7")
  alter(copy, 'DELETE FROM foreproof_log_entries WHERE leaf_index = 5')
}
const behind = async () => {
  copyFileSync(copy, world.history)
  await world.publish({ full: true })
  await imported()
}
const spoil = (file: string, text: string | Uint8Array) => () =>
  writeFileSync(world.log(file), text)
const tile = 'tile/0/000.p/14'
const otherEntry = () => spoil(tile, readFileSync(world.log(tile)).fill(0, 7 * 32, 8 * 32))()

it.each<[string, () => unknown, object]>([
  ['a row came after the restore', imported, { code: 'refused' }],
  ['another row is there without an entry', otherRow, { code: 'refused' }],
  ['the site is behind, too', behind, { code: 'refused' }],
  [
    'the site has no log',
    () => rmSync(world.log(''), { recursive: true }),
    { findings: [{ code: 'log-unreadable' }] },
  ],
  ['an entry is another', otherEntry, { findings: [{ code: 'log-root', args: { size: 14 } }] }],
  [
    'a checkpoint is another',
    () => copyFileSync(world.log('checkpoints/13'), world.log('checkpoints/8')),
    { findings: [{ code: 'log-unreadable' }] },
  ],
  [
    'a stamp is none',
    spoil('checkpoints/8.one.tsr', 'x'),
    { findings: [{ code: 'stamp-malformed' }] },
  ],
  [
    'the log has another name',
    async () => {
      rmSync(world.history)
      await world.show(samples(0, 20), [], 'example.org/other')
    },
    { code: 'refused' },
  ],
])('writes nothing where %s', async (_, change, expected) => {
  await change()
  const before = await stateOf(copy)
  await expect(resume()).rejects.toMatchObject(expected)
  expect(await stateOf(copy)).toEqual(before)
})

it('leaves no file behind where there was none', async () => {
  const path = join(world.folder, 'none.sqlite')
  spoil('checkpoints/8.one.tsr', 'x')()
  await expect(resume(path)).rejects.toThrow()
  expect(existsSync(path)).toBe(false)
})

it('is what a pull into a history that its own site is ahead of asks for', async () => {
  const before = await stateOf(copy)
  const pull = ['history', 'pull', world.site, '--history', copy]
  const { code, stderr } = await inProcess(pull)
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('foreproof history resume MIRROR SITE'),
  ])
  expect(stderr).toContain('it has 5 entries of its own log example.org/log, of which 14 are')
  expect(await stateOf(copy)).toEqual(before)
  const { stdout } = await inProcess([
    'history',
    'resume',
    world.mirror,
    world.site,
    '--history',
    copy,
  ])
  expect(stdout).toBe(
    '9 entries and 3 checkpoints of example.org/log taken over, which has 14 entries now\n',
  )
  expect((await inProcess(pull)).code).toBe(0)
  expect(await stateOf(copy)).toEqual(await stateOf(world.history))
})

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
  const [from, to] = [join(world.folder, 'from.sqlite'), join(world.folder, 'to.sqlite')]
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
  const [from, to] = [join(world.folder, 'source.sqlite'), join(world.folder, 'target.sqlite')]
  writeProducer(from, [{ hour: 1, model: 'a', horizon: 2 }])
  leaveUnfinished(join(world.folder, 'begun.sqlite'), to, FILLING)
  expect(await copyHistory(from, to, { now: 0 })).toMatchObject({ forecasts: 1 })
  expect(await entriesOf(to)).toEqual(await entriesOf(from))
})
