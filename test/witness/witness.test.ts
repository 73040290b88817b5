import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { formatAddCheckpoint } from '../../src/log/add-checkpoint.js'
import { formatCheckpoint } from '../../src/log/checkpoint.js'
import { appendSignatures, cosign, verifyCosignatures } from '../../src/log/cosignature.js'
import { emptyRoot } from '../../src/log/merkle.js'
import { isSignedBy, parseNote, signNote } from '../../src/log/note.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { WitnessState } from '../../src/witness/state.js'
import { parseKnownLogs, Witness } from '../../src/witness/witness.js'
import { freshPaths } from '../support/folder.js'
import { TestLog } from './test-log.js'

const fresh = freshPaths()
const NAME = 'w1.example.org'
const log = new TestLog('example.org/log')
const other = new TestLog('example.org/other')

function world(list = `logs/v0\nvkey ${log.vkey}\nqpd 1000\n`) {
  const { privateKey } = generateKeyPairSync('ed25519')
  const file = fresh()
  const { text: vkey } = toVerifierKey(NAME, privateKey, KEY_TYPE.cosignature)
  const logs = parseKnownLogs(list, 'logs')
  const origins = logs.map(({ origin }) => origin)
  WitnessState.init(file, vkey, origins)
  const clock = { now: 1_800_000_000 }
  const alarms: string[] = []
  const states: WitnessState[] = []
  const on = (path: string) => {
    const state = WitnessState.open(path, vkey)
    states.push(state)
    const alarm = (text: string) => alarms.push(text)
    return new Witness({ name: NAME, key: privateKey, logs, state, now: () => clock.now, alarm })
  }
  const close = () => {
    for (const state of states) state.close()
  }
  return { file, vkey, on, witness: on(file), clock, alarms, key: privateKey, close }
}

/** What this process has open whose name begins so. */
function openFiles(name: string): string[] {
  const descriptors = readdirSync('/proc/self/fd').map((each) => `/proc/self/fd/${each}`)
  // That of the folder itself is closed again.
  const links = descriptors.filter(existsSync).map((each) => readlinkSync(each))
  return links.filter((link) => link.startsWith(name))
}

describe('a witness', () => {
  it('cosigns what goes on from what it has cosigned, and shows the newest', async () => {
    const { witness, clock } = world()
    const times = []
    for (const [old = 0, size = 0] of [
      [0, 3],
      [3, 3],
      [3, 7],
      [7, 300],
    ]) {
      clock.now += 10
      const { status, body } = witness.addCheckpoint(await log.request(old, size))
      expect(status).toBe(200)
      const note = parseNote(appendSignatures(parseNote(await log.note(size))!.body, [body]))!
      times.push(verifyCosignatures(note, witness.verifier, clock.now).sound[0]!.time)
    }
    // Without new entries it gives the newest again.
    expect(times).toEqual([10, 10, 30, 40].map((after) => 1_800_000_000 + after))
    const newest = parseNote(witness.newest(sha256Hex(log.origin))!)!
    expect(isSignedBy(newest, log.origin, log.keys.publicKey)).toBe(true)
    expect(verifyCosignatures(newest, witness.verifier, clock.now).sound).toHaveLength(1)
    expect(newest.body).toContain('\n300\n')
    expect(witness.newest(sha256Hex('example.org/other'))).toBeUndefined()
  })

  it('says what is wrong in this order: 404, 403, 400, 409, 422', async () => {
    const { witness } = world()
    const status = (text: string) => witness.addCheckpoint(text).status
    expect(status(await log.request(0, 5))).toBe(200)
    const unsigned = (await log.note(7)).replace(/\n— .*\n$/, '')
    const malformed = (note: string) => `old 05\nnothing\n\n${note}`
    expect(status('')).toBe(400)
    expect(status('old 5\n\nno checkpoint\n')).toBe(400)
    expect(status(malformed(await other.note(7)))).toBe(404)
    expect(status(malformed(unsigned))).toBe(403)
    expect(status(malformed(`${unsigned}\n— ${log.origin} AAAAAAAA\n`))).toBe(403)
    expect(status(malformed(await log.note(7)))).toBe(400)
    expect(status(`old 5\n${'A'.repeat(43)}=\n`.repeat(64) + (await log.note(7)))).toBe(400)
    expect(status(await log.request(8, 7))).toBe(400)
    const conflict = { status: 409, body: '5\n', type: 'text/x.tlog.size' }
    expect(witness.addCheckpoint(await log.request(4, 7, 'x'))).toEqual(conflict)
    expect(status(await log.request(5, 7, 'x'))).toBe(422)
    expect(status(await log.request(5, 5, 'x'))).toBe(422)
    const note = await log.note(7)
    expect(status(formatAddCheckpoint({ old: 5, proof: [], note }))).toBe(422)
    expect(status(await log.request(5, 7))).toBe(200)
  })

  it('refuses a proof from nothing, and a tree of no entries with another root', async () => {
    const { witness } = world()
    const status = (text: string) => witness.addCheckpoint(text).status
    const note = await log.note(7)
    expect(status(formatAddCheckpoint({ old: 0, proof: [emptyRoot()], note }))).toBe(422)
    const empty = (root: Uint8Array) => {
      const body = formatCheckpoint({ origin: log.origin, size: 0, root })
      const none = signNote(body, log.origin, log.keys.privateKey)
      return status(formatAddCheckpoint({ old: 0, proof: [], note: none }))
    }
    expect([empty(new Uint8Array(32)), empty(emptyRoot())]).toEqual([422, 200])
    expect(status(formatAddCheckpoint({ old: 0, proof: [], note }))).toBe(200)
  })

  it('answers so often a day, per log, what the key of the log has signed', async () => {
    const { witness, clock } = world(
      `logs/v0\nvkey ${log.vkey}\nqpd 3\nvkey ${other.vkey}\norigin none\ncontact them\n`,
    )
    const status = async (old: number, size: number, of = log) =>
      witness.addCheckpoint(await of.request(old, size)).status
    expect([await status(0, 1), await status(1, 2), await status(2, 3)]).toEqual([200, 200, 200])
    expect([await status(3, 4), await status(0, 1, other)]).toEqual([429, 200])
    clock.now += 86_399
    expect(await status(3, 4)).toBe(429)
    clock.now += 1
    expect(await status(3, 4)).toBe(200)
  })

  it('has answers left for new entries where all that is published was sent again', async () => {
    const { witness } = world(`logs/v0\nvkey ${log.vkey}\nqpd 3\n`)
    const status = async (old: number, size: number) =>
      witness.addCheckpoint(await log.request(old, size)).status
    expect(await status(0, 1)).toBe(200)
    const again = [await status(0, 1), await status(1, 1), await status(1, 1), await status(1, 1)]
    expect([...again, await status(0, 1)]).toEqual([409, 200, 200, 200, 409])
    expect([await status(1, 2), await status(2, 3), await status(3, 4)]).toEqual([200, 200, 429])
  })

  it('cosigns anew without new entries when its last cosignature is five minutes old', async () => {
    const { witness, clock } = world(`logs/v0\nvkey ${log.vkey}\nqpd 2\n`)
    const line = async () => witness.addCheckpoint(await log.request(4, 4))
    const first = witness.addCheckpoint(await log.request(0, 4))
    clock.now += 299
    for (let round = 0; round < 300; round++) expect(await line()).toEqual(first)
    clock.now += 1
    const second = await line()
    expect(second.status).toBe(200)
    expect(second.body).not.toBe(first.body)
    expect(await line()).toEqual(second)
  })

  it('signs nothing while its clock is behind its last cosignature, until it is told that it was ahead then', async () => {
    const { witness, clock, on, file, vkey, alarms } = world()
    expect(witness.addCheckpoint(await log.request(0, 1)).status).toBe(200)
    clock.now += 86_400 * 365
    expect(witness.addCheckpoint(await log.request(1, 2)).status).toBe(200)
    clock.now -= 86_400 * 365
    expect(witness.addCheckpoint(await log.request(2, 3)).status).toBe(503)
    expect(alarms).toHaveLength(1)
    const state = WitnessState.open(file, vkey)
    state.clockWasAhead(state.lastTime(), clock.now)
    state.close()
    expect(on(file).addCheckpoint(await log.request(2, 3)).status).toBe(200)
    clock.now -= 1
    expect(on(file).addCheckpoint(await log.request(3, 4)).status).toBe(503)
    clock.now += 1
    expect(on(file).addCheckpoint(await log.request(3, 4)).status).toBe(200)
    const rows = openSqlite(file).prepare('SELECT ahead, time FROM clocks').all()
    expect(rows).toEqual([{ ahead: 1_800_000_000 + 86_400 * 365, time: 1_800_000_000 }])
  })

  it('leaves no state where it could not be made', () => {
    const file = fresh()
    expect(() => WitnessState.init(file, 'vkey', ['a\0b'])).toThrow()
    expect(existsSync(file)).toBe(false)
    WitnessState.init(file, 'vkey', [log.origin])
    expect(() => WitnessState.init(file, 'vkey', ['a\0b'])).toThrow()
    expect(WitnessState.open(file, 'vkey').has(log.origin)).toBe(true)
  })

  it('answers every five minutes where its list says nothing else', () => {
    const [known] = parseKnownLogs(`# ours\nlogs/v0\n\nvkey ${log.vkey}\n`, 'logs')
    expect(known).toMatchObject({ origin: log.origin, perDay: 288 })
  })

  it('signs nothing more for a log whose note shows that the state was set back', async () => {
    const { witness, on, file, alarms, key } = world()
    expect(witness.addCheckpoint(await log.request(0, 4)).status).toBe(200)
    const copy = `${file}.copy`
    copyFileSync(file, copy)
    const cosigned = witness.addCheckpoint(await log.request(4, 9)).body
    const restored = on(copy)
    const submit = async (line: string, size: number) =>
      restored.addCheckpoint((await log.request(4, size)) + line).status
    // One that does not hold locks nothing, nor does that of another.
    const stranger = generateKeyPairSync('ed25519').privateKey
    const body = parseNote(await log.note(9))!.body
    expect(await submit(cosign(body, NAME, stranger, 1).line, 9)).toBe(200)
    copyFileSync(file, copy)
    const again = on(copy)
    const beyond = parseNote(await log.note(12))!.body
    const request = (await log.request(9, 12)) + cosign(beyond, NAME, key, 1_800_000_000).line
    expect([again.addCheckpoint(request).status, alarms.length]).toEqual([403, 1])
    expect(again.addCheckpoint(await log.request(9, 10)).status).toBe(403)
    expect(on(copy).addCheckpoint(await log.request(9, 10)).status).toBe(403)
    expect(cosigned).toContain(NAME)
  })

  // A thousand that were closed and still open stopped a process once.
  it.runIf(existsSync('/proc/self/fd'))(
    'has no file of its state open once it is closed',
    async () => {
      const { file, vkey, witness, close } = world()
      expect(witness.addCheckpoint(await log.request(0, 3)).status).toBe(200)
      expect(openFiles(file)).not.toEqual([])
      close()
      expect(() => WitnessState.open(file, 'another')).toThrow(/another witness/)
      writeFileSync(`${file}.none`, 'x'.repeat(4096))
      expect(() => WitnessState.open(`${file}.none`, vkey)).toThrow(/no state of a witness/)
      expect(openFiles(file)).toEqual([])
    },
  )

  it('knows its state: of this key, with these logs, only added to', async () => {
    const { file, vkey, key } = world()
    expect(() => WitnessState.open(`${file}.none`, vkey)).toThrow(/no such state/)
    const { text } = toVerifierKey('w2.example.org', key, KEY_TYPE.cosignature)
    expect(() => WitnessState.open(file, text)).toThrow(/another witness/)
    const database = openSqlite(file)
    for (const sql of ['DELETE FROM origins', "UPDATE witness SET vkey = ''"]) {
      expect(() => database.exec(sql)).toThrow(/only added to/)
    }
    database.close()
    expect(WitnessState.init(file, vkey, [log.origin, other.origin])).toEqual([other.origin])
    const strange = openSqlite(`${file}.strange`)
    strange.exec('CREATE TABLE t (a)')
    strange.close()
    expect(() => WitnessState.open(`${file}.strange`, vkey)).toThrow(/no state of a witness/)
  })

  it.each([
    ['no header', `vkey ${log.vkey}\n`, /logs:1: is not logs\/v0/],
    ['no log', 'logs/v0\n', /names no log/],
    ['a log twice', `logs/v0\nvkey ${log.vkey}\nvkey ${log.vkey}\n`, /twice/],
    ['a key that is none', 'logs/v0\nvkey a+b+c\n', /logs:2: has no key/],
    ['another name', `logs/v0\nvkey ${log.vkey}\norigin x\n`, /logs:3: is not origin none/],
    ['no number', `logs/v0\nvkey ${log.vkey}\nqpd often\n`, /logs:3: has no number/],
    ['something first', 'logs/v0\nqpd 3\n', /logs:2: comes before/],
    ['something else', `logs/v0\nvkey ${log.vkey}\nurl x\n`, /logs:3: begins with none/],
  ])('refuses a list with %s', (_what, text, says) => {
    expect(() => parseKnownLogs(text, 'logs')).toThrow(says)
  })
})
