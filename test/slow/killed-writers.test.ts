import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import { pullHistory } from '../../src/mirror/pull.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import { checkSite } from '../../src/site/check.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { makeWorld, plan, type World } from '../evaluation/world.js'
import { sample } from '../history/samples.js'
import {
  addRows,
  alter,
  EPOCH,
  HOUR,
  hourlyRows,
  opened,
  PRODUCER_DDL,
} from '../history/support.js'
import { seal } from '../log/sealed.js'
import { atEnd } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { BIN } from '../support/run.js'

const DISKS = 4
/** Fewer kinds of change than this say too little of a run: a database knows but three. */
const FEW = 5
/** So often the same command is run again afterwards. */
const EVERY = 3
const SCORE = ['--registration', 'registration.json', '--history', 'history.sqlite']
const LEDGER = 'protocols/ledger.jsonl'
const VERIFY = 'history verify --history'
const ROWS = 600
const BATCH = 50
const HOURS = 240

interface Writer {
  readonly command: string
  /** What it writes, and the command that shows that it is whole. */
  readonly result: string
  readonly whole: string
  /** Whether it adds entries to the ledger beside its result. */
  readonly enters?: boolean
  /** What has to hold of the folder beside that. */
  readonly also?: (cwd: string) => unknown
}

const importOf = (file: string, result: string, batch = ''): Writer => ({
  command: `history import ${file} --history ${result}${batch}`,
  result,
  whole: VERIFY,
})

const WRITERS: Readonly<Record<string, Writer>> = {
  import: importOf('raw/forecasts.ndjson', 'small.sqlite'),
  'import of a new one': {
    ...importOf('rows.ndjson', 'new.sqlite'),
    also: (cwd) => expectBatches(cwd, ROWS),
  },
  'import in batches': {
    ...importOf('rows.ndjson', 'new.sqlite', ` --batch ${BATCH}`),
    also: (cwd) => expectBatches(cwd, BATCH),
  },
  seal: {
    command: 'history seal --history small.sqlite --log example.org/f',
    result: 'small.sqlite',
    whole: VERIFY,
  },
  publish: {
    command: 'publish --history history.sqlite --out site --full',
    result: 'site',
    whole: 'conformance',
  },
  freeze: { command: 'freeze draft.json', result: LEDGER, whole: 'verify' },
  register: {
    command: 'register plan.json --protocol P --outcomes vintage --out second.json',
    result: LEDGER,
    whole: 'verify',
  },
  score: {
    command: `score ${SCORE.join(' ')} --outcomes vintage --out evidence --workers 1`,
    result: 'evidence',
    whole: '',
    enters: true,
    also: async (cwd) => {
      const { code, stdout, stderr } = await inProcess(['verify', join(cwd, 'protocols')])
      expect(code, `${stdout}${stderr}`).toBe(0)
    },
  },
}

let world: World
let before: Map<string, Buffer>
let protocol = ''

const words = (line: string) => line.split(' ').map((word) => (word === 'P' ? protocol : word))
/** Only what is killed, or may not write on, is a process of its own. */
const run = (line: string) => inProcess(words(line))

async function expectRun(line: string): Promise<void> {
  const { code, stdout, stderr } = await run(line)
  expect(code, `${stdout}${stderr}`).toBe(0)
}

const home = process.cwd()
afterAll(() => process.chdir(home))

beforeAll(async () => {
  world = await makeWorld({ replicates: 5000, hours: HOURS })
  const { folder } = world
  process.chdir(folder)
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const name = readdirSync(join(folder, 'protocols')).find((file) => file.endsWith('.json'))
  protocol = `protocols/${name}`
  const frozen = JSON.parse(readFileSync(join(folder, protocol), 'utf8'))
  put('draft.json', JSON.stringify({ ...frozen, protocol_version: 'second' }))
  put('plan.json', JSON.stringify({ ...plan({ mode: 'backtest', hours: HOURS }), name: 'second' }))
  const rows = readFileSync(join(folder, 'raw/forecasts.ndjson'), 'utf8').split('\n')
  put('raw/forecasts.ndjson', rows.slice(0, 600).join('\n'))
  put('few.ndjson', rows.slice(0, 200).join('\n'))
  put('rows.ndjson', rowsOfAllTables().join('\n'))
  await expectRun('history import few.ndjson --history small.sqlite')
  await expectRun('publish --history small.sqlite --out site')
  // So that publishing has a log to write too.
  await expectRun('history seal --history history.sqlite --log example.org/h')
  before = contents(folder)
})

/** Every tenth row is kept whole and every third has provenance. */
function rowsOfAllTables(): string[] {
  return Array.from({ length: ROWS }, (_, n) => {
    const row = sample({ hour: Math.floor(n / 4), horizon: 2 * (1 + (n % 4)) })
    const lineage = n % 3 === 0 ? { ...row.lineage, provenance: { vintage_id: 'v' } } : row.lineage
    return JSON.stringify({ ...row, lineage, ...(n % 10 === 0 && { later: n }) })
  })
}

/** What a killed import left, after the recovery that any writer begins with: whole batches, in every table. */
function expectBatches(cwd: string, size: number): void {
  const path = join(cwd, 'new.sqlite')
  if (!existsSync(path)) return
  const db = openSqlite(path)
  const count = (of: string) => Number(db.prepare(`SELECT count(*) FROM ${of}`).pluck().get())
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  if (count("sqlite_master WHERE name LIKE 'fore%'") > 0) {
    const forecasts = count('forecast_predictions')
    expect(forecasts % size).toBe(0)
    expect(count('foreproof_log_entries')).toBe(forecasts)
    expect(count('foreproof_provenance')).toBe(Math.ceil(forecasts / 3))
    expect(count('foreproof_resources')).toBe(Math.ceil(forecasts / 10))
    const orphans = 'origin_at NOT IN (SELECT origin_at FROM forecast_origins)'
    expect(count(`forecast_predictions WHERE ${orphans}`)).toBe(0)
  }
  db.close()
}

/** Goes to a copy of the world in a folder of its own; on a small file system where that is allowed. */
function copy(small: boolean): { cwd: string; mounted: boolean } {
  const cwd = temporaryFolder()
  const mounted =
    small && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', cwd]).status === 0
  if (mounted) atEnd(() => spawnSync('umount', ['-l', cwd], { stdio: 'ignore' }))
  cpSync(world.folder, cwd, { recursive: true, verbatimSymlinks: true })
  process.chdir(cwd)
  return { cwd, mounted }
}

/** Files that are there, with their bytes; not what a run keeps for itself while it works. */
function contents(cwd: string): Map<string, Buffer> {
  const found = readdirSync(cwd, { recursive: true }).map(String)
  const own = /\.tmp(?:\/|$)|\.builds|\.lock$|-journal$/
  const files = found.filter((path) => !own.test(path) && statSync(join(cwd, path)).isFile())
  return new Map(files.map((path) => [path, readFileSync(join(cwd, path))]))
}

async function expectSound(cwd: string, writer: Writer, runNext: boolean) {
  const { command, result, whole, enters, also } = writer
  let next = runNext
  const after = contents(cwd)
  for (const [path, bytes] of before) {
    if (path === result || path.startsWith(`${result}/`)) continue
    const stays = enters && path === LEDGER ? bytes.length : Number.POSITIVE_INFINITY
    expect(after.get(path)?.subarray(0, stays).equals(bytes), `${path} is as it was`).toBe(true)
  }
  // A killed import may leave an empty file of a new history: that does not count as one.
  const something = existsSync(join(cwd, result)) && statSync(join(cwd, result)).size > 0
  if (something && whole !== '') {
    const { code, stdout, stderr } = await inProcess([...whole.split(' '), join(cwd, result)])
    // SQLite's journal of a killed writer: no reader takes it for whole, and the next writer undoes it.
    const unfinished = existsSync(join(cwd, `${result}-journal`))
    expect(unfinished ? [0, 3] : [0], `${whole}: ${stdout}${stderr}`).toContain(code)
    if (code === 3) next = true
  }
  await also?.(cwd)
  if (result === 'evidence' && existsSync(join(cwd, result))) {
    expect(readdirSync(join(cwd, result))).toEqual(expect.arrayContaining(['result.json']))
  }
  if (!next || (result === 'evidence' && existsSync(join(cwd, result)))) return
  const again = await run(command)
  const done = /already exists/.test(`${again.stdout}${again.stderr}`)
  expect(again.code === 0 || done, `${again.stdout}${again.stderr}`).toBe(true)
}

/** What a file system of its own holds, in KiB. */
function usedKib(folder: string): number {
  const { blocks, bfree, bsize } = statfsSync(folder)
  return ((blocks - bfree) * bsize) / 1024
}

/** Runs where no file may grow larger than so many KiB. */
async function limited(line: string, room: number) {
  const command = [process.execPath, BIN, ...words(line)].map((word) => `'${word}'`).join(' ')
  const child = spawn('bash', ['-c', `ulimit -f ${room}; ${command}`])
  const [code, stderr] = await Promise.all([
    new Promise<number | null>((resolve) => child.on('close', resolve)),
    text(child.stderr),
  ])
  return { code, stderr }
}

const CHANGES = 'write,pwrite64,ftruncate,fsync,fdatasync,rename,link,unlink,symlink,mkdir,rmdir'

/** A change of a file, or of a name: a system call, and which of those of this kind it is. */
interface Moment {
  readonly call: string
  readonly time: number
}

/** What is written there is seen by no later run: a device, a pipe, an event. */
const PASSES = /^\w+\(\d+<(?:\/dev\/null|\w+:)/

/**
 * Runs a command whose changes are listed: the system calls of its main thread.
 * @param before - the change before which it is killed
 * @returns the changes that stay, and whether it was killed
 */
async function traced(line: string, before?: Moment) {
  const trace = join(temporaryFolder(), 'trace')
  const inject = before && ['-e', `inject=${before.call}:signal=KILL:when=${before.time}`]
  const strace = ['-qq', '-y', '-o', trace, '-e', `trace=${CHANGES}`, ...(inject ?? [])]
  const child = spawn('strace', [...strace, process.execPath, BIN, ...words(line)], {
    stdio: 'ignore',
  })
  const [code, signal] = await once(child, 'close')
  if (before === undefined) expect(code, line).toBe(0)
  const counts = new Map<string, number>()
  const changes: Moment[] = []
  for (const [said, call = ''] of readFileSync(trace, 'utf8').matchAll(/^(\w+)\(.*$/gm)) {
    const time = (counts.get(call) ?? 0) + 1
    counts.set(call, time)
    if (!PASSES.test(said)) changes.push({ call, time })
  }
  return { killed: signal === 'SIGKILL', changes }
}

/** Of each kind of change the one in the middle; where kinds are few, some more up to the last change. */
function momentsOf(changes: readonly Moment[]): Moment[] {
  const middles = [...new Set(changes.map(({ call }) => call))].map((kind) => {
    const all = changes.filter(({ call }) => call === kind)
    return all[Math.floor(all.length / 2)]!
  })
  const shares = middles.length < FEW ? [0.2, 0.8, 1] : []
  const spread = shares.map((share) => changes[Math.floor(share * (changes.length - 1))]!)
  return [...new Set([...middles, ...spread])]
}

describe.each(Object.entries(WRITERS))('%s', (name, writer) => {
  const { command } = writer

  // Kills of publish come below, one upon the other.
  it.skipIf(name === 'publish')(
    'killed before each kind of change leaves what was there, and nothing that only looks whole',
    async () => {
      copy(false)
      const moments = momentsOf((await traced(command)).changes)
      let killed = 0
      for (const [at, moment] of moments.entries()) {
        const { cwd } = copy(false)
        if ((await traced(command, moment)).killed) killed++
        await expectSound(cwd, writer, at % EVERY === 0)
        rmSync(cwd, { recursive: true })
      }
      expect(killed).toBeGreaterThan(moments.length - 2)
    },
  )

  it(`on a disk that fills up, ${DISKS} times, says so and leaves what was there`, async () => {
    let full = 0
    for (let at = 0; at < DISKS; at++) {
      const { cwd, mounted } = copy(true)
      // A disk with so much room; elsewhere no file may be larger than so much.
      const room = 4 * 9 ** at
      if (mounted) spawnSync('mount', ['-o', `remount,size=${usedKib(cwd) + room}k`, cwd])
      const ran = await (mounted ? run(command) : limited(command, room))
      if (mounted) spawnSync('mount', ['-o', 'remount,size=64m', cwd])
      if (ran.code !== 0) {
        full++
        expect(ran.stderr).toMatch(/^foreproof: .*\n(?: {2}.*\n)?$/)
        expect(ran.stderr).not.toContain('fault of foreproof')
        expect(ran.code, ran.stderr).toBe(3)
        expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([])
      }
      await expectSound(cwd, writer, at % EVERY === 0)
      // Lazily: a database that was closed in this process keeps its file open until it is collected.
      if (mounted) spawnSync('umount', ['-l', cwd])
      rmSync(cwd, { recursive: true, force: true })
    }
    expect(full).toBeGreaterThan(0)
  })
})

describe.each([
  ['publish', ''],
  // Checksums and compressed copies may be a build behind; what a client reads may not be wrong.
  ['publish --in-place', '-(?:checksums|encodings|pages-reachable|snapshot|latest-is-newest) '],
])('%s, killed over and over on one site', (command, behind) => {
  const folder = temporaryFolder()
  const [history, out] = [join(folder, 'history.sqlite'), join(folder, 'site')]
  const line = `${command} --history ${history} --out ${out}`
  let hour = Math.floor((performance.timeOrigin + performance.now() - EPOCH) / HOUR) - 2000

  /** New rows, sealed: a checkpoint covers all of them. */
  async function grow(hours: number): Promise<void> {
    addRows(history, hourlyRows(hour, hour + hours, ['alpha', 'beta', 'gamma']))
    hour += hours
    await seal(history)
  }

  /** Failures other than being behind the history. */
  async function broken(): Promise<string[]> {
    const reader = opened(history)
    const { findings } = await checkSite(out, reader)
    return findings
      .map(({ code, file }) => `${code} ${file}`)
      .filter((it) => !/^site-outd/.test(it))
  }

  async function unsound(): Promise<string[]> {
    const { findings } = await checkDeployment(realpathSync(out))
    return findings.map(({ code, file }) => `${code} ${file}`)
  }

  /** What a new mirror has to say of the log: whether it and the rows are in step. */
  async function expectMirrored(): Promise<void> {
    const mirror = join(folder, 'mirror.sqlite')
    rmSync(mirror, { force: true })
    const deployment = folderDeployment(realpathSync(out))
    const { findings, log } = await pullHistory({ deployment, path: mirror, now: 0 })
    expect(log?.entries).toBeGreaterThan(700)
    expect(findings).toEqual([])
  }

  beforeAll(async () => {
    process.chdir(folder)
    alter(history, PRODUCER_DDL)
    await grow(60)
    await expectRun(line)
  })

  // First what writes everything again, while that is little.
  it.each([
    ['all of it anew', 2, ' --full'],
    ['new rows for many pages', 20, ''],
  ])('leaves a whole site, and the next build mends it: %s', async (_what, hours, full) => {
    await grow(hours)
    const moments = momentsOf((await traced(line + full)).changes)
    let killed = 0
    for (const [kill, moment] of moments.entries()) {
      await grow(hours)
      if ((await traced(line + full, moment)).killed) killed++
      if (behind === '') expect(await broken()).toEqual([])
      if (behind === '' && kill % EVERY !== 0) continue
      const faults = (await unsound()).filter((fault) => !RegExp(behind || '^$').test(fault))
      expect(faults).toEqual([])
      await expectMirrored()
    }
    // What a build changes, and so how often, differs a little from that of the one that was listed.
    expect(killed).toBeGreaterThan(moments.length - 3)
    await expectRun(line)
    expect([...(await broken()), ...(await unsound())]).toEqual([])
  })
})
