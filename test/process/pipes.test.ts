import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { makeWorld, type World } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN } from '../support/run.js'

/** Long enough for a busy machine; what waits for a pipe waits for ever. */
const PATIENCE_MS = 50_000
const PAIR = 'pair --protocol protocols/made-1.json --outcomes vintage --history'

/** Where a pipe lies, and a command that comes upon it. */
const CASES: readonly (readonly [pipe: string, command: string])[] = [
  ['h.sqlite', 'history stats --history h.sqlite'],
  ['h.sqlite', 'history import raw/forecasts.ndjson --history h.sqlite'],
  ['history.sqlite-journal', 'history stats --history history.sqlite'],
  ['history.sqlite-journal', `${PAIR} history.sqlite`],
  ['history.sqlite-journal', 'history import raw/forecasts.ndjson --history history.sqlite'],
  ['history.sqlite-wal', 'history verify --history history.sqlite'],
  ['history.sqlite-shm', 'history export --history history.sqlite'],
  ['history.sqlite-wal', 'publish --history history.sqlite --out site'],
  ['history.sqlite-journal', 'audit evidence'],
  ['pipe.json', 'pair --protocol pipe.json --outcomes vintage --history history.sqlite'],
  ['pipe.json', 'validate pipe.json'],
  ['pipe.json', 'register pipe.json --protocol protocols/made-1.json --out second.json'],
  ['pipe.json', 'freeze pipe.json'],
  [
    'pipe.json',
    'score --registration pipe.json --history history.sqlite --outcomes vintage --out e',
  ],
  ['pipe.ndjson', 'history import raw/forecasts.ndjson pipe.ndjson --history new.sqlite'],
  ['pipe.csv', 'outcomes import pipe.csv'],
  ['vintage/closes.csv', `${PAIR} history.sqlite`],
  ['site/service/api/v1/forecasts.json', 'conformance site'],
  ['site/service/api/v1/forecasts.json', 'history pull site --history new.sqlite'],
]

let world: World
beforeAll(async () => {
  world = await makeWorld({ replicates: 200 })
  const score = 'score --registration registration.json --history history.sqlite --outcomes vintage'
  expect((await ended(world.folder, `${score} --out evidence`)).code).toBe(0)
})

/** Runs to the end, or is killed when it has taken too long. */
async function ended(cwd: string, command: string) {
  const child = spawn(process.execPath, [BIN, ...command.split(' ')], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const [code, signal] = await once(child, 'close')
  return { code: code as number | null, signal, said }
}

it.concurrent.each(CASES)('a pipe as %s is refused: %s', async (pipe, command) => {
  const cwd = temporaryFolder()
  cpSync(world.folder, cwd, { recursive: true })
  if (pipe.includes('/')) mkdirSync(join(cwd, pipe, '..'), { recursive: true })
  rmSync(join(cwd, pipe), { force: true })
  expect(spawnSync('mkfifo', [join(cwd, pipe)]).status).toBe(0)
  const { code, signal, said } = await ended(cwd, command)
  expect([code, signal]).not.toEqual([0, null])
  expect([signal, said]).toEqual([null, expect.stringMatching(/is a named pipe/)])
})

it('what a shell hands over is read', () => {
  const node = `'${process.execPath}' '${BIN}'`
  for (const script of [
    `${node} validate <(cat protocols/made-1.json)`,
    `cat protocols/made-1.json | ${node} validate /dev/stdin`,
    `${node} history import <(head -3 raw/forecasts.ndjson) --history few.sqlite`,
  ]) {
    const ran = spawnSync('bash', ['-c', script], { cwd: world.folder, encoding: 'utf8' })
    expect(ran.status, script + ran.stdout + ran.stderr).toBe(0)
  }
})

it.concurrent.each([
  'history export --history history.sqlite',
  'history export --history history.sqlite --format csv',
  `${PAIR} history.sqlite --out -`,
  'export evidence losses',
  'history stats --history history.sqlite --format json',
  'schema openapi',
  'canonicalize registration.json',
  'score --help',
])('that `head` has seen enough is no error: %s', async (line) => {
  const script = `set -o pipefail; '${process.execPath}' '${BIN}' ${line} | head -c 1`
  const child = spawn('bash', ['-c', script], { cwd: world.folder, timeout: PATIENCE_MS })
  const said = [once(child, 'close'), text(child.stderr), text(child.stdout)] as const
  const [[code], stderr, stdout] = await Promise.all(said)
  expect([code, stderr, stdout.length]).toEqual([0, '', 1])
})
