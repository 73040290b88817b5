import { generateKeyPairSync } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ledgerTime } from '../../src/cli/ledger-time.js'
import { MICROS_PER_SECOND } from '../../src/contract/instant.js'
import type { AuditOptions } from '../../src/evaluation/evidence/audit.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import type { Reading } from '../../src/evaluation/result/result.js'
import { verifyHistory } from '../../src/history/verify.js'
import { appendSignatures } from '../../src/log/cosignature.js'
import { parseNote, signatureLine } from '../../src/log/note.js'
import { UNWITNESSED } from '../../src/log/policy.js'
import { readTrusted } from '../../src/log/trusted.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'
import { pullHistory } from '../../src/mirror/pull.js'
import { resumeHistory } from '../../src/mirror/resume.js'
import { ledgerPath, readLedgerFile } from '../../src/protocol/ledger-file.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import { publishSite } from '../../src/site/publish.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { codeOf } from '../contract/args-of.js'
import { opened } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { Forger } from './forger.js'
import { audited, auditedLinks, scoreCodes, scoreInto } from './score-into.js'
import {
  cutAfter,
  LOG_NAME,
  LogWitnesses,
  makeStampedWorld,
  STAMPED_HOURS,
  sql,
  type Witnesses,
  witnesses,
} from './stamped-world.js'
import { editText, NOW, type World } from './world.js'

const folder = temporaryFolder()
const logKey = generateKeyPairSync('ed25519').privateKey
const log = toVerifierKey(LOG_NAME, logKey)
const stranger = generateKeyPairSync('ed25519').privateKey
/** Of the same name, with another key. */
const another = toVerifierKey(LOG_NAME, stranger)
const NAMES = ['w0', 'w1', 'w2'] as const
/** An hour in which one witness only can be reached. */
const ALONE = 5

let by: Witnesses
let world: World
const of = new LogWitnesses(log, NAMES, 2)
const { keys } = of

const now = () => Math.floor(by.now / MICROS_PER_SECOND)

beforeAll(async () => {
  by = await witnesses('alpha')
  await of.start(folder, now)
  const cosigning = (hour: number) => ({
    key: logKey,
    witnesses: { policy: of.policy(hour === ALONE ? ['w0'] : NAMES), now },
  })
  const over = { commitment: 'witnessed', time: { ...by.time(1), witnesses: of.rule } } as const
  world = await makeStampedWorld({ by, cosigning, over })
}, 120_000)

/** The world with the notes of its log changed. */
function withNotes(
  name: string,
  change: (note: string, at: number, last: number) => string,
): World {
  const history = join(folder, `${name}.sqlite`)
  cpSync(world.paths.history, history)
  const database = openSqlite(history)
  const all = database.prepare<[], { size: number; note: string }>(
    'SELECT size, note FROM foreproof_log_checkpoints ORDER BY size',
  )
  const set = database.prepare('UPDATE foreproof_log_checkpoints SET note = ? WHERE size = ?')
  const rows = all.all()
  for (const [at, { size, note }] of rows.entries()) {
    set.run(change(note, at, rows.length - 1), size)
  }
  database.close()
  return { ...world, paths: { ...world.paths, history } }
}

const linesOf = (note: string, keep: (name: string, at: number) => boolean): string => {
  const { body, signatures } = parseNote(note)!
  const lines = signatures
    .filter(({ name }, at) => keep(name, at))
    .map(({ name, keyId, signature }) => signatureLine(name, keyId, signature))
  return appendSignatures(body, lines)
}

/** A note with the signature of its log alone. */
const alone = (note: string) => linesOf(note, (name) => name === LOG_NAME)

describe('a registration of witnessed forecasts', () => {
  it('counts a forecast from the later of stamp and quorum', async () => {
    const scored = await scoreInto(world, 'all')
    const { commitment } = scored.result.time!
    expect(commitment).toMatchObject({
      log: LOG_NAME,
      checkpoints: STAMPED_HOURS + 1,
      stamped: STAMPED_HOURS + 1,
      witnessed: { checkpoints: STAMPED_HOURS, liars_needed: 1 },
      holds: { registrations: 1, models_in_window: 1 },
    })
    // Four horizons: what was sealed in that hour had its quorum with the next seal, 70 minutes after the origin.
    expect(commitment!.models).toEqual([
      {
        ...{ model: 'seer', expected: STAMPED_HOURS * 4, committed: STAMPED_HOURS * 4 - 4 },
        ...{ committed_late: 4, not_committed: 0, withdrawn: 0 },
      },
    ])
    const scoredOf = ({ accounting }: Pick<Reading, 'accounting'>) =>
      accounting.find(({ model, step }) => model === 'seer' && step === 'overall')?.point.scored
    const { reading, second_reading: second } = scored.result
    expect(second).toMatchObject({ late: 4 })
    expect([reading, second!.reading].map(scoredOf)).toEqual([
      STAMPED_HOURS * 4 - 4,
      STAMPED_HOURS * 4,
    ])
    expect(await audited(join(world.folder, 'all'))).toMatchObject({ ok: true })
    const copy = join(folder, 'copy')
    cpSync(world.folder, copy, { recursive: true })
    const forger = new Forger(copy, 'all')
    forger.result((result) => {
      result.second_reading = null
    })
    await forger.seal()
    const { findings } = await audited(join(copy, 'all'))
    expect(findings[0]).toMatchObject({
      ...{ code: 'result-not-recomputed', pointer: '/second_reading' },
      args: { stored: 'null' },
    })
  })

  it('has both readings made again from the pairs, and no member of a result ends that', async () => {
    const scored = (await scoreInto(world, 'stored')).result
    const without = async (...names: ('history' | 'outcomes')[]) => {
      const copy = join(folder, `${names.join('-')}-stored`)
      cpSync(world.folder, copy, { recursive: true })
      const forger = new Forger(copy, 'stored')
      const found = () => auditedLinks(forger.run, { without: names })
      return { forger, found }
    }
    const { forger, found } = await without('history')
    expect(await found()).toMatchObject({ ok: true, open: ['log', 'history', 'pairs'] })
    const late = (text: string, change: (line: string) => string) =>
      text.replace(/.*"committed_late".*/, change)
    // A late forecast that is made perfect, with all that names the pairs.
    forger.pairs((text) => late(text, (line) => line.replace(/("value":)\d+/, '$19')))
    await forger.seal()
    expect((await found()).findings[0]).toMatchObject({
      ...{ code: 'result-not-recomputed' },
      pointer: expect.stringMatching(/^\/(second_)?reading\//),
    })
    const other = await without('history', 'outcomes')
    expect((await other.found()).open).not.toContain('computation')
    other.forger.result((result) => {
      result.reading = result.second_reading!.reading
    })
    await other.forger.seal()
    expect(await other.found()).toMatchObject({ ok: false, broken: ['computation'] })
    expect(scored.second_reading).not.toBeNull()
  })

  it('is not scored on a log whose end may be cut off', async () => {
    // Of the last checkpoint the cosignatures from after the last target are left out: one a witness.
    const cut = withNotes('cut', (note, at, last) => {
      let seen = 0
      const keep = (name: string) => name === LOG_NAME || seen++ % 2 === 0
      return at === last ? linesOf(note, keep) : note
    })
    expect(await scoreCodes(cut, 'cut')).toContain('log-ends-early')
    const paired = await pairHistory(cut.paths)
    expect(paired).toMatchObject({ ok: true })
    expect('findings' in paired && paired.findings).toMatchObject([
      { code: 'log-ends-early', severity: 'warning' },
    ])
  })

  it('counts no checkpoint without the signature of the log, or without cosignatures', async () => {
    const counts = async (changed: World, out: string) => {
      const { result } = await scoreInto(changed, out)
      return result.time!.commitment!.models[0]
    }
    const unsigned = withNotes('unsigned', (note, at) =>
      at === 8 ? linesOf(note, (name) => name !== LOG_NAME) : note,
    )
    expect(await counts(unsigned, 'unsigned')).toMatchObject({ committed_late: 8 })
    const five = withNotes('five', (note, at) => (at >= 7 && at < 12 ? alone(note) : note))
    // Five hours more, of four forecasts each: they are late, and say so.
    expect(await counts(five, 'five')).toMatchObject({ committed_late: 4 + 20 })
  })

  it('is not improved by what is deleted of six checkpoints, or of the end', async () => {
    // Two entries were there at first, and four come each hour. What was sealed in the first of the six is late already.
    const sizes = [0, 1, 2, 3, 4, 5].map((hour) => 2 + 4 * (ALONE + hour + 1))
    const inSix = `size IN (${sizes.join(', ')})`
    const without = (name: string, ...statements: string[]) => {
      const changed = withNotes(name, (note) => note)
      sql(changed.paths.history, ...statements)
      return changed
    }
    const reading = async (changed: World, out: string) => {
      const scored = await scoreInto(changed, out)
      expect(await audited(join(world.folder, out))).toMatchObject({ ok: true })
      const { late, reading: second } = scored.result.second_reading!
      return { late, second }
    }
    const whole = await reading(world, 'whole')
    expect(whole.late).toBe(4)
    const bare = withNotes('bare', (note) =>
      sizes.includes(Number(note.split('\n')[1])) ? alone(note) : note,
    )
    const tokens = without('tokens', `DELETE FROM foreproof_log_stamps WHERE ${inSix}`)
    for (const [name, changed] of Object.entries({ bare, tokens })) {
      const { late, second } = await reading(changed, `six-${name}`)
      expect([name, late]).toEqual([name, 4 * sizes.length])
      expect(second).toEqual(whole.second)
    }
    const cut = cutAfter(Math.min(...sizes))
    expect(await scoreCodes(without('six-hours', ...cut), 'six-hours')).toEqual(['log-ends-early'])
  })

  it('is scored only by a log that holds it since before the first origin', async () => {
    const later = withNotes('later', (note, at) => (at === 0 ? alone(note) : note))
    expect(await scoreCodes(later, 'later')).toContain('registration-not-in-log')
    const { findings } = await verifyHistory(world.paths.history)
    expect(findings).toEqual([])
  })

  it('is an entry that mirrors know', async () => {
    const site = join(folder, 'site')
    const reader = opened(world.paths.history)
    const settings = { baseUrl: undefined, inPlace: true, staleAfterSeconds: 10_800 }
    const policy = join(folder, 'of-site.policy')
    const said = async (...lines: string[]) => {
      writeFileSync(policy, `${lines.join('\n')}\n`)
      const named = lines.length > 0 && { witnesses: policy }
      await publishSite({ reader, out: site, now: NOW, ...settings, ...named })
      return /<p id="log">(.*)<\/p>/.exec(readFileSync(join(site, 'index.html'), 'utf8'))?.[1]
    }
    const lines = NAMES.map((name) => `witness ${name} ${keys.get(name)}`)
    const size = STAMPED_HOURS * 4 + 2
    expect(await said(...lines, 'group q 2 w0 w1 w2', 'quorum q')).toBe(
      `A quorum of its witnesses, 2 of (w0, w1, w2), cosigned the first ${size} entries of this log. 1 of them would have to lie for a second version of it.`,
    )
    expect(await said(`log ${another.text}`, ...lines, 'quorum w0')).toBe(UNWITNESSED)
    expect(await said()).toMatch(
      `Under the first ${size} entries of this log lie cosignatures of w0.example, w1.example, w2.example.`,
    )
    const mirror = join(folder, 'mirror.sqlite')
    const deployment = folderDeployment(site)
    const pulled = await pullHistory({ deployment, path: mirror, now: by.now, full: true })
    expect(pulled).toMatchObject({ complete: true, findings: [] })
    // What was pulled has no log to score with; evidence is audited with its own.
    const paths = { ...world.paths, history: mirror }
    expect(await scoreCodes({ ...world, paths }, 'by-mirror')).toContain('log-unchosen unsealed')
    const { result } = await scoreInto(world, 'by-published')
    const inputs = { paths: { history: mirror, outcomes: world.paths.outcomes } }
    const { open, broken } = await auditedLinks(join(world.folder, 'by-published'), inputs)
    expect({ open, broken }).toEqual({ open: ['log'], broken: [] })
    const resumed = join(folder, 'resumed.sqlite')
    await resumeHistory(resumed, { mirror, deployment, now: by.now })
    const again = await scoreInto(
      { ...world, paths: { ...world.paths, history: resumed } },
      'by-resumed',
    )
    expect(again.result.time?.commitment).toEqual(result.time?.commitment)
    expect(result.time?.commitment?.unexplained).toBe(0)
  })

  it('holds by the witnesses of a reader where these alone say the same', async () => {
    const other = toVerifierKey('example.org/other', stranger)
    const unknown = toVerifierKey('stranger.example', stranger, KEY_TYPE.cosignature)
    const policy = (name: string, ...lines: string[]) => {
      const file = join(folder, `${name}.policy`)
      writeFileSync(file, `${lines.join('\n')}\n`)
      return file
    }
    const mine = NAMES.map((name) => `witness my-${name} ${keys.get(name)}`)
    const quorum = 'quorum g'
    const two = 'group g 2 my-w0 my-w1 my-w2'
    const own = `log ${log.text}`
    const both = [policy('same', own, ...mine, two, quorum), policy('any', ...mine, two, quorum)]
    const all = policy('all', own, ...mine, 'group g all my-w0 my-w1 my-w2', quorum)
    const by = async (witnesses: string, over: Partial<AuditOptions> = {}, run = 'all') => {
      const found = await audited(join(world.folder, run), { witnesses, ...over })
      const [broken] = found.links.filter(({ state }) => state === 'broken')
      return [broken?.link ?? 'holds', ...found.findings.map(codeOf)]
    }
    for (const file of both) expect(await by(file)).toEqual(['holds'])
    // Two of the three missed an hour: by a quorum of all, four forecasts of it still came with the next seal.
    expect(await by(all)).toEqual(['holds'])
    const first = ['w0', 'w1'].map((_, at) => mine[at]!)
    const strange = `witness x ${unknown.text}`
    const withStranger = policy('strange', own, ...first, strange, 'group g all my-w0 x', quorum)
    expect(await by(withStranger)).toEqual(['log', 'log-ends-early'])
    const otherLog = ['log', 'witnesses-of-writer log']
    // One who has no history has the same answers.
    const alone = { without: ['history' as const] }
    expect(await by(all, alone)).toEqual(['holds'])
    expect(await by(withStranger, alone)).toEqual(['log', 'log-ends-early'])
    expect(await by(policy('other', `log ${other.text}`, ...mine, two, quorum))).toEqual(otherLog)
    const otherKey = policy('key', `log ${another.text}`, ...mine, two, quorum)
    expect(await by(otherKey)).toEqual(otherLog)
    for (const empty of [
      policy('none', own, 'quorum none'),
      policy('one', own, ...mine, 'group g any my-w0 my-w1', quorum),
    ]) {
      await expect(by(empty)).rejects.toMatchObject({ code: 'usage' })
    }
    expect(await scoreCodes(world, 'by-other', { witnesses: otherKey })).toEqual([
      'witnesses-of-writer log',
    ])
    expect(await scoreCodes(world, 'by-own', { witnesses: all })).toEqual([])
    expect(await audited(join(world.folder, 'by-own'))).toMatchObject({ ok: true })
    // Where one of them was away for five seals, and the registered quorum was met without it.
    const away = withNotes('away', (note, at) =>
      at >= 7 && at < 12 ? linesOf(note, (name) => name !== 'w1.example') : note,
    )
    expect(await scoreCodes(away, 'away', { witnesses: all })).toEqual(['commitment-of-writer'])
    await scoreInto(away, 'by-writer')
    const fewer = ['log', 'commitment-of-writer']
    expect(await by(all, alone, 'by-writer')).toEqual(fewer)
    const ledger = readLedgerFile(ledgerPath(world.paths.protocol))!
    const verified = async (witnesses: string) => {
      const time = await ledgerTime([ledger], readTrusted({ witnesses }))
      return [time.body.includes(`witnesses of ${LOG_NAME}: 3; held against`), ...time.findings]
    }
    expect(await verified(all)).toEqual([true])
    const warned = (fault: string) => [
      true,
      expect.objectContaining({ code: 'witnesses-of-writer', args: { fault, log: LOG_NAME } }),
    ]
    expect(await verified(otherKey)).toEqual(warned('log'))
    expect(await verified(withStranger)).toEqual(warned('quorum'))
    const { body } = await ledgerTime([ledger])
    expect(body).toContain(`witnesses of ${LOG_NAME}: 3; witnesses chosen by the writer`)
  })

  it('names cosignatures that are taken out of the evidence', async () => {
    cpSync(join(world.folder, 'all'), join(world.folder, 'taken'), { recursive: true })
    const notes = join(world.folder, 'taken/time/log/checkpoints')
    const sizes = readdirSync(notes).map(Number)
    const file = join(notes, String(sizes.sort((a, b) => a - b)[3]))
    editText(file, (note) => linesOf(note, (name) => name !== 'w1.example'))
    expect((await audited(join(world.folder, 'taken'))).ok).toBe(false)
  })
})
