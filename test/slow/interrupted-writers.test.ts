import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, plan, type World } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { BIN, foreproof } from '../support/run.js'

const RUNS = 25
const LANES = 4
/** So often the same command is run again afterwards. */
const EVERY = 5
const SCORE = ['--registration', 'registration.json', '--history', 'history.sqlite']
const LEDGER = 'protocols/ledger.jsonl'

/** Commands that write, by what they write, with the command that shows that it is whole. */
const WRITERS: readonly (readonly [
  name: string,
  command: string,
  result: string,
  whole: string,
])[] = [
  [
    'import',
    'history import raw/forecasts.ndjson --history small.sqlite',
    'small.sqlite',
    'history verify --history',
  ],
  [
    'import of a new one',
    'history import raw/forecasts.ndjson --history new.sqlite',
    'new.sqlite',
    'history verify --history',
  ],
  [
    'seal',
    'history seal --history small.sqlite --log example.org/f',
    'small.sqlite',
    'history verify --history',
  ],
  ['publish', 'publish --history history.sqlite --out site --full', 'site', 'conformance'],
  ['freeze', 'freeze draft.json', LEDGER, 'verify'],
  [
    'register',
    'register plan.json --protocol P --outcomes vintage --out second.json',
    LEDGER,
    'verify',
  ],
  [
    'score',
    `score ${SCORE.join(' ')} --outcomes vintage --out evidence --workers 1`,
    'evidence',
    '',
  ],
]

let world: World
let before: Map<string, Buffer>
let protocol = ''
const places: string[] = []

const words = (line: string) => line.split(' ').map((word) => (word === 'P' ? protocol : word))
/** Node keeps what it compiled from one run to the next: most of a short run is compiling. */
const CACHE = temporaryFolder()
const ENV = { NODE_COMPILE_CACHE: CACHE }
const run = (cwd: string, line: string) => foreproof(words(line), { cwd, env: ENV })

beforeAll(async () => {
  world = await makeWorld({ replicates: 5000 })
  const { folder } = world
  const name = readdirSync(join(folder, 'protocols')).find((file) => file.endsWith('.json'))
  protocol = `protocols/${name}`
  const frozen = JSON.parse(readFileSync(join(folder, protocol), 'utf8'))
  const draft = { ...frozen, protocol_version: 'second' }
  writeFileSync(join(folder, 'draft.json'), JSON.stringify(draft))
  const second = { ...plan({ mode: 'retrospective' }), name: 'second' }
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(second))
  const rows = readFileSync(join(folder, 'raw/forecasts.ndjson'), 'utf8').split('\n')
  writeFileSync(join(folder, 'raw/forecasts.ndjson'), rows.slice(0, 600).join('\n'))
  writeFileSync(join(folder, 'few.ndjson'), rows.slice(0, 200).join('\n'))
  await run(folder, 'history import few.ndjson --history small.sqlite')
  await run(folder, 'publish --history small.sqlite --out site')
  // So that publishing has a log to write too.
  await run(folder, 'history seal --history history.sqlite --log example.org/h')
  before = contents(folder)
})

afterAll(() => {
  world.remove()
  for (const place of places) {
    spawnSync('umount', ['-l', place], { stdio: 'ignore' })
    rmSync(place, { recursive: true, force: true })
  }
})

/** A copy of the world in a folder of its own; on a small file system where that is allowed. */
function copy(small: boolean): { cwd: string; mounted: boolean } {
  const cwd = temporaryFolder()
  places.push(cwd)
  const mounted =
    small && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', cwd]).status === 0
  cpSync(world.folder, cwd, { recursive: true, verbatimSymlinks: true })
  return { cwd, mounted }
}

/** Files that are there, with their bytes; not what a run keeps for itself while it works. */
function contents(cwd: string): Map<string, Buffer> {
  const found = readdirSync(cwd, { recursive: true }).map(String)
  const own = /\.tmp(?:\/|$)|\.builds|\.lock$|-journal$/
  const files = found.filter((path) => !own.test(path) && statSync(join(cwd, path)).isFile())
  return new Map(files.map((path) => [path, readFileSync(join(cwd, path))]))
}

type Writer = (typeof WRITERS)[number]

async function expectSound(cwd: string, [, command, result, whole]: Writer, runNext: boolean) {
  let next = runNext
  const after = contents(cwd)
  for (const [path, bytes] of before) {
    if (path === result || path.startsWith(`${result}/`)) continue
    expect(after.get(path)?.equals(bytes), `${path} is as it was`).toBe(true)
  }
  // A killed import may leave an empty file of a new history: nobody takes that for one.
  const something = existsSync(join(cwd, result)) && statSync(join(cwd, result)).size > 0
  if (something && whole !== '') {
    const { code, stdout, stderr } = await inProcess([...whole.split(' '), join(cwd, result)])
    // SQLite's journal of a killed writer: no reader takes it for whole, and the next writer undoes it.
    const unfinished = existsSync(join(cwd, `${result}-journal`))
    expect(unfinished ? [0, 3] : [0], `${whole}: ${stdout}${stderr}`).toContain(code)
    if (code === 3) next = true
  }
  if (result === 'evidence' && existsSync(join(cwd, result))) {
    expect(readdirSync(join(cwd, result))).toEqual(expect.arrayContaining(['result.json']))
  }
  if (!next || (result === 'evidence' && existsSync(join(cwd, result)))) return
  const again = await run(cwd, command)
  const done = /already exists/.test(`${again.stdout}${again.stderr}`)
  expect(again.code === 0 || done, `${again.stdout}${again.stderr}`).toBe(true)
}

/** What a file system of its own holds, in KiB. */
function usedKib(folder: string): number {
  const { blocks, bfree, bsize } = statfsSync(folder)
  return ((blocks - bfree) * bsize) / 1024
}

/** Runs where no file may grow larger than so many KiB. */
async function limited(cwd: string, line: string, room: number) {
  const command = [process.execPath, BIN, ...words(line)].map((word) => `'${word}'`).join(' ')
  const options = { cwd, env: { ...process.env, ...ENV } }
  const child = spawn('bash', ['-c', `ulimit -f ${room}; ${command}`], options)
  const [code, stderr] = await Promise.all([
    new Promise<number | null>((resolve) => child.on('close', resolve)),
    text(child.stderr),
  ])
  return { code, stderr }
}

/** Does something so many times, some at a time. */
async function often(work: (run: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < RUNS) await work(next++)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

describe.each(WRITERS)('%s', (...writer) => {
  const [name, command] = writer

  // Kills of these two are in history-kill.test.ts and publish-kill.test.ts.
  const killed = ['import of a new one', 'publish'].includes(name) ? [] : [RUNS]

  it.each(killed)(
    'killed %i times leaves what was there, and nothing that only looks whole',
    async () => {
      const first = copy(false).cwd
      const began = performance.now()
      const { code, stdout, stderr } = await run(first, command)
      expect(code, `${stdout}${stderr}`).toBe(0)
      const whole = (performance.now() - began) * 1.5
      await often(async (at) => {
        const { cwd } = copy(false)
        await new Promise((resolve) => {
          const child = spawn(process.execPath, [BIN, ...words(command)], {
            cwd,
            env: { ...process.env, ...ENV },
            stdio: 'ignore',
          })
          const timer = setTimeout(() => child.kill('SIGKILL'), (whole * (at + 1)) / RUNS)
          child.on('close', () => resolve(clearTimeout(timer)))
        })
        await expectSound(cwd, writer, at % EVERY === 0)
        rmSync(cwd, { recursive: true })
      })
    },
  )

  it(`on a disk that fills up, ${RUNS} times, says so and leaves what was there`, async () => {
    let full = 0
    await often(async (at) => {
      const { cwd, mounted } = copy(true)
      // A disk with so much room; elsewhere no file may be larger than so much.
      const room = 4 * Math.ceil(1.37 ** at)
      if (mounted) spawnSync('mount', ['-o', `remount,size=${usedKib(cwd) + room}k`, cwd])
      const ran = await (mounted ? run(cwd, command) : limited(cwd, command, room))
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
    })
    expect(full).toBeGreaterThan(0)
  })
})
