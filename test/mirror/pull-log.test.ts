import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyHistory } from '../../src/history/copy.js'
import { proveEntry } from '../../src/history/prove.js'
import { verifyHistory } from '../../src/history/verify.js'
import { readCheckpoint } from '../../src/log/checkpoint.js'
import { cosign, noteOf } from '../../src/log/cosignature.js'
import { leafHash, verifyInclusion } from '../../src/log/merkle.js'
import { readNote } from '../../src/log/note.js'
import type { StoredCheckpoint } from '../../src/log/types.js'
import { openHistoryWriter } from '../../src/store/open.js'
import { sample, sampleAttempt, samples } from '../history/samples.js'
import {
  allOf,
  alter,
  EPOCH,
  HOUR,
  inBatches,
  inTransaction,
  opened,
  stamp,
} from '../history/support.js'
import { LOG, type Stamper, stamperOf } from '../log/sealed.js'
import { type Value, Witness } from '../site/build-site.js'
import { inProcess } from '../support/in-process.js'

/** How a pull ends that found nothing wrong. */
const FINE = { complete: true, findings: [] }
let world: Witness
let one: Stamper
let two: Stamper

beforeAll(async () => {
  one = await stamperOf('one')
  two = await stamperOf('two')
})

beforeEach(() => {
  world = new Witness()
})

describe('a pull of a sealed log', () => {
  it('mirrors entries with their keys, checkpoints and stamps, and what is new the next time', async () => {
    await world.put([...samples(0, 5), sampleAttempt({ hour: 9, horizon: 4 }), ...samples(5, 140)])
    await world.seal([one])
    await world.put(samples(140, 142))
    await world.publish()
    const log = { origin: LOG, entries: 141, newEntries: 141, newCheckpoints: 1 }
    expect(await world.pull()).toMatchObject({ ...FINE, log })
    const first = await world.known()
    expect(first.entries[5]?.key).toMatchObject({ kind: 'attempt', model: 'alpha' })
    expect(first.checkpoints).toMatchObject([{ size: 141, stamps: [{ authority: 'one' }] }])
    // Rows that were mirrored before they were sealed are known by then.
    await world.seal()
    await world.seal([two])
    await world.show(samples(142, 300))
    const more = { origin: LOG, entries: 301, newEntries: 160, newCheckpoints: 2 }
    expect(await world.pull()).toMatchObject({ ...FINE, log: more })
    const { entries, checkpoints } = await world.known()
    expect(entries.every(({ key }) => key !== undefined)).toBe(true)
    const reader = opened(world.history)
    expect(entries).toEqual(await inBatches(reader.logEntries(0, 301)))
    expect(checkpoints).toEqual(await allOf(reader.checkpoints()))
    const none = { newEntries: 0, newCheckpoints: 0 }
    for (const full of [false, true]) {
      expect(await world.pull(full)).toMatchObject({ ...FINE, log: none })
    }
  })

  it('says which late rows only a full pull will find', async () => {
    await world.show(samples(0, 205))
    await world.pull()
    await world.show([sample({ hour: 3, model: 'beta' }), sample({ hour: 4, model: 'beta' })])
    const missing = { code: 'log-row-missing', severity: 'warning', args: { entry: 205, count: 2 } }
    expect((await world.pull()).findings).toMatchObject([missing])
    expect(await world.pull(true)).toMatchObject(FINE)
  })

  it('remembers when it first saw each checkpoint, and counts what it saw in time', async () => {
    const seen = async (lagMinutes?: number) => {
      const { seen } = await verifyHistory(world.mirror, { lagMinutes })
      return seen.map(({ log, forecasts, in_time }) => [log, forecasts, in_time])
    }
    // Half an hour after the fifth origin all five are there: the last two origins are at most 90 minutes ago.
    await world.show(samples(0, 5))
    await world.pull(false, 4.5)
    expect(await seen()).toEqual([[LOG, 5, 1]])
    expect(await seen(90)).toEqual([[LOG, 5, 2]])
    const asked = ['history', 'verify', '--history', world.mirror, '--lag', '90']
    const says =
      /\/log: this mirror saw 2 of 5 forecasts \(40.*%\) sealed within 90 minutes of the or/
    expect((await inProcess(asked)).stdout).toMatch(says)
    // What is pulled again later was seen before.
    await world.pull(true, 9)
    expect(await seen(90)).toEqual([[LOG, 5, 2]])
    // A checkpoint between two pulls was seen with the later one.
    await world.put(samples(5, 6))
    await world.seal()
    await world.show(samples(6, 8))
    await world.pull(false, 8)
    expect(await seen(60)).toEqual([[LOG, 8, 2]])
    const copy = join(world.folder, 'copy of a mirror.sqlite')
    await copyHistory(world.mirror, copy, { now: 0 })
    expect((await verifyHistory(copy)).seen).toEqual((await verifyHistory(world.mirror)).seen)
  })

  it('reads again what may have changed, and everything in a full pull', async () => {
    await world.show(samples(0, 5), [one])
    await world.show(samples(5, 9), [one])
    await world.show(samples(9, 12), [one])
    await world.pull()
    const gone = (size: number, authority: string | null) => [
      { code: 'log-checkpoint-gone', severity: 'warning', args: { size, authority } },
    ]
    const edit = (path: string, bytes: Buffer) => {
      const before = readFileSync(world.log(path))
      writeFileSync(world.log(path), bytes)
      return () => writeFileSync(world.log(path), before)
    }
    const other = Buffer.from('another token')
    const undoLast = edit('checkpoints/12.one.tsr', other)
    expect((await world.pull()).findings).toMatchObject(gone(12, 'one'))
    undoLast()
    const undoOld = edit('checkpoints/5.one.tsr', other)
    expect((await world.pull()).findings).toEqual([])
    expect((await world.pull(true)).findings).toMatchObject(gone(5, 'one'))
    undoOld()
    const list = JSON.parse(readFileSync(world.log('checkpoints.json'), 'utf8'))
    list.checkpoints.splice(1, 1)
    const undoList = edit('checkpoints.json', Buffer.from(JSON.stringify(list)))
    expect((await world.pull()).findings).toMatchObject(gone(9, null))
    undoList()
    // The partial tile of what is known already; the head is as it was.
    const tile = 'tile/0/000.p/12'
    const leaves = readFileSync(world.log(tile))
    const undoTile = edit(tile, Buffer.concat([other, leaves.subarray(other.length)]))
    const other0 = { code: 'log-rewritten', args: { entry: 0, change: 'replaced' } }
    expect((await world.pull()).findings).toMatchObject([other0])
    undoTile()
    expect(await world.pull(true)).toMatchObject(FINE)
  })

  it('does not miss attempts whose list could not be read', async () => {
    await world.put([...samples(0, 3), sampleAttempt({ hour: 9 })])
    await world.seal()
    await world.publish()
    writeFileSync(world.log('../attempts.json'), '<!doctype html>')
    expect((await world.pull()).findings).toMatchObject([
      { code: 'attempts-list', args: { fault: 'unavailable' } },
      { code: 'log-row-missing', severity: 'warning', args: { fault: 'read', entry: 3 } },
    ])
  })

  it('names a row that was changed before it was pulled', async () => {
    await world.put(samples(0, 9))
    await world.seal()
    const where = `WHERE origin_at = '${stamp(EPOCH + 4 * HOUR)}'`
    alter(world.history, `UPDATE forecast_predictions SET predicted_price_usd = 50501 ${where}`)
    await world.publish()
    const args = { fault: 'published', entry: 4, count: 1 }
    const missing = { code: 'log-row-missing', severity: 'error', args }
    expect((await world.pull()).findings).toMatchObject([missing])
  })

  it.each(['<!doctype html>', '{}', ''])('passes over what is no checkpoint: %s', async (text) => {
    await world.show(samples(0, 9))
    writeFileSync(world.log('checkpoint'), text)
    expect(await world.pull()).toMatchObject({ ...FINE, written: 9 })
  })

  it('keeps stamps of any authority, and none that is none, until it is mended', async () => {
    await world.show(samples(0, 9), [one, two])
    const file = world.log('checkpoints/9.one.tsr')
    const token = readFileSync(file)
    const stamps = async () => (await world.known()).checkpoints.flatMap((each) => each.stamps)
    const foreign = (await one(Buffer.from('another checkpoint'))).token
    const wrong = [
      [Buffer.from('<!doctype html>'), 'stamp-malformed'],
      [Buffer.alloc(1_000_000), 'stamp-malformed'],
      [foreign, 'stamp-imprint'],
    ] as const
    for (const [bytes, code] of wrong) {
      writeFileSync(file, bytes)
      expect((await world.pull()).findings).toMatchObject([{ code, severity: 'error', file }])
      expect(await stamps()).toMatchObject([{ authority: 'two' }])
    }
    writeFileSync(file, token)
    expect(await world.pull()).toMatchObject(FINE)
    expect(await stamps()).toMatchObject([{ authority: 'one', token }, { authority: 'two' }])
  })

  it('goes on after a stamp that is none', async () => {
    await world.put(samples(0, 5))
    await world.seal([() => ({ authority: 'none', token: Buffer.from('x') })])
    await world.put(samples(5, 9))
    await world.seal([one])
    await world.show(samples(9, 10))
    expect((await world.pull()).findings).toMatchObject([{ code: 'stamp-malformed' }])
    const { checkpoints } = await world.known()
    const sized = checkpoints.map(({ size, stamps }) => [size, ...stamps.map((of) => of.authority)])
    expect(sized).toEqual([[5], [9, 'one'], [10]])
  })

  it('reports what begins as a checkpoint and is none', async () => {
    await world.show(samples(0, 9))
    const file = world.log('checkpoint')
    writeFileSync(file, `${LOG}\n9\n`)
    const finding = { code: 'log-unreadable', severity: 'error', file }
    expect((await world.pull()).findings).toMatchObject([finding])
  })

  it('is proved out of by its name', async () => {
    await world.show(samples(0, 9), [one])
    await world.pull()
    const reader = opened(world.mirror)
    const id = '2026-01-01T02:00:00+00:00:alpha:2'
    const { index, entry, path, checkpoint } = await proveEntry(reader, id, LOG)
    await expect(proveEntry(reader, id)).rejects.toThrow('in no checkpoint yet')
    const { size, root } = readCheckpoint(checkpoint)!
    const hashes = path.map((hash) => Buffer.from(hash, 'hex'))
    expect(verifyInclusion(leafHash(entry), index, size, hashes, root)).toBe(true)
  })

  it('knows a log by its name, wherever it is published', async () => {
    await world.show(samples(0, 9))
    await world.pull()
    const before = world.site
    world.site = `${before}-moved`
    renameSync(before, world.site)
    const moved = { code: 'log-elsewhere', severity: 'note', args: { log: LOG, before } }
    expect((await world.pull()).findings).toMatchObject([moved])
    expect((await world.pull()).findings).toEqual([])
    const here = world.log('')
    const elsewhere = async (found: string | null) => {
      const args = { there: [LOG], found }
      const unknown = { code: 'log-unknown-here', severity: 'warning', args }
      expect((await world.pull()).findings).toMatchObject([unknown])
    }
    renameSync(world.site, `${before}-again`)
    world.site = `${before}-again`
    rmSync(here.replace('-moved', '-again'), { recursive: true })
    await elsewhere(null)
    rmSync(world.history)
    world.site = `${before}-other`
    await world.show(samples(0, 9), [], 'example.org/other')
    await elsewhere('example.org/other')
  })

  it('takes nothing from the site of the history itself', async () => {
    await world.show(samples(0, 9))
    world.mirror = world.history
    expect(await world.pull()).toMatchObject({ ...FINE, written: 0 })
  })
})

describe('a log that is not what it was', () => {
  beforeEach(async () => {
    await world.show(samples(0, 20))
    expect(await world.pull()).toMatchObject(FINE)
  })

  const anew = async (values: readonly Value[], name = LOG) => {
    rmSync(world.history)
    await world.put(values)
    await world.seal([], name)
    await world.publish({ full: true })
  }
  const unreadable = { code: 'log-unreadable' }
  const spoil = (file: string, text: string) => () => writeFileSync(world.log(file), text)
  const lose = (file: string) => () => rmSync(world.log(file), { recursive: true })
  const replaced = { code: 'log-rewritten', args: { entry: 7, change: 'replaced' } }
  const renamed = { code: 'log-shrunk', args: { fault: 'renamed', before: LOG, found: 'other' } }
  const shorter = { code: 'log-shrunk', args: { fault: 'shorter', before: '20', found: '16' } }
  it.each<[string, object, () => unknown]>([
    ['gone', { code: 'log-shrunk', args: { fault: 'gone', before: LOG } }, lose('')],
    ['under another name', renamed, () => anew(samples(0, 20), 'other')],
    ['shorter', shorter, () => anew(samples(0, 16))],
    ['shorter and another', replaced, () => anew([...samples(0, 7), ...samples(8, 16)])],
    ['a page of HTML', unreadable, spoil('checkpoint', '<!doctype html>')],
    ['no checkpoint', unreadable, spoil('checkpoint', '{}')],
    ['without its list', unreadable, lose('checkpoints.json')],
    ['with a list that is none', unreadable, spoil('checkpoints.json', '[]')],
  ])('is found: %s', async (_what, finding, act) => {
    const before = await world.known()
    await act()
    const report = await world.pull()
    expect(report).toMatchObject({ complete: true, findings: [finding] })
    expect(report.log).toBeUndefined()
    expect(await world.known()).toEqual(before)
  })

  const TILE = 'tile/0/000.p/30'
  const otherEntry = () => {
    const tile = readFileSync(world.log(TILE))
    writeFileSync(world.log(TILE), tile.fill(0, 12 * 32))
  }
  const otherRoot = () => {
    const note = readFileSync(world.log('checkpoint'), 'utf8')
    const root = Buffer.alloc(32, 7).toString('base64')
    writeFileSync(world.log('checkpoint'), note.replace(/\n[^\n]+\n$/, `\n${root}\n`))
  }
  it.each<[string, object, () => unknown]>([
    ['a tile missing', unreadable, lose(TILE)],
    ['a tile cut', unreadable, spoil(TILE, 'x')],
    ['a tile of something else', { code: 'log-rewritten', args: { entry: 12 } }, otherEntry],
    ['a checkpoint of something else', { code: 'log-root', args: { size: 30 } }, otherRoot],
  ])('is found when it has grown: %s', async (_what, finding, act) => {
    await world.show(samples(20, 30))
    const { entries, checkpoints } = await world.known()
    await act()
    const report = await world.pull()
    expect(report).toMatchObject({ complete: true, written: 10 })
    expect(report.findings).toMatchObject([finding])
    expect(await world.known()).toMatchObject({ entries, checkpoints })
    // Once it is mended, the mirror goes on.
    await world.publish({ full: true })
    expect(await world.pull()).toMatchObject({ ...FINE, log: { entries: 30 } })
  })

  it('is found where an older checkpoint is not its own, and a stamp is not there', async () => {
    await world.put(samples(20, 25))
    await world.seal()
    await world.show(samples(25, 30), [one])
    rmSync(world.log('checkpoints/30.one.tsr'))
    copyFileSync(world.log('checkpoints/20'), world.log('checkpoints/25'))
    const misplaced = { code: 'log-unreadable', file: world.log('checkpoints/25') }
    expect((await world.pull()).findings).toMatchObject([misplaced])
    copyFileSync(world.log('checkpoints/30'), world.log('checkpoints/25'))
    const note = readFileSync(world.log('checkpoints/30'), 'utf8').replace('\n30\n', '\n25\n')
    writeFileSync(world.log('checkpoints/25'), note)
    expect((await world.pull()).findings).toMatchObject([{ code: 'log-root', args: { size: 25 } }])
  })
})

describe('the cosignatures of a log', () => {
  it('come with its checkpoint, also later', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const cosigned = async (name: string, older?: StoredCheckpoint) => {
      await inTransaction(openHistoryWriter(world.history, 0), async (writer) => {
        const { size, note } = older ?? (await writer.newestCheckpoint())!
        const { body } = readNote(note)!
        const { line } = cosign(body, name, privateKey, 1_800_000_000)
        await writer.addSignatures(size, noteOf(body, [line]))
      })
    }
    /** The names under each checkpoint that the mirror has, once it was pulled. */
    const pulled = async (full?: boolean) => {
      await world.publish()
      expect(await world.pull(full)).toMatchObject({ findings: [] })
      const { checkpoints } = await world.known()
      return checkpoints.map(({ note }) => readNote(note)!.signatures.map(({ name }) => name))
    }
    await world.put([sample({ hour: 0 })])
    await world.seal()
    await cosigned('a')
    expect(await pulled()).toEqual([['a']])
    await cosigned('b')
    expect(await pulled()).toEqual([['a', 'b']])
    await cosigned('c')
    await world.show([sample({ hour: 1 })])
    expect(await pulled()).toEqual([['a', 'b', 'c'], []])
    await cosigned('d', (await world.known()).checkpoints[0])
    expect(await pulled(true)).toEqual([['a', 'b', 'c', 'd'], []])
  })
})
