import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { makeWorld, type World } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN } from '../support/run.js'
import { serveHttp } from '../support/servers.js'

/** Hours of forecasts in a history that no command is through with before it hears a signal. */
const HOURS = 60_000

let world: World
let long = ''
let silent = ''
let forecasts: Buffer
/** The first part of each path that was asked for. */
const asked = new Set<string | undefined>()

beforeAll(async () => {
  world = await makeWorld({ replicates: 200 })
  forecasts = readFileSync(join(world.folder, 'raw/forecasts.ndjson'))
  // Read where it is: too large to be copied for each command.
  long = join(temporaryFolder(), 'long.sqlite')
  cpSync(world.paths.history, long)
  const db = openSqlite(long)
  const hour = "strftime('%Y-%m-%dT%H:00:00+00:00', '2010-01-01', n || ' hours')"
  const target = hour.replace("n || '", "(n + 2) || '")
  const hours = `WITH RECURSIVE h(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM h WHERE n < ${HOURS})`
  db.exec(`${hours} INSERT INTO forecast_origins SELECT ${hour}, ${hour}, 'made', 'BTC/USD', 1, NULL,
      '{}', ${hour}, ${hour}, NULL, NULL, NULL FROM h;
    ${hours} INSERT INTO forecast_predictions SELECT ${hour}, 'seer', 2, ${target}, 1, 0, NULL, NULL,
      NULL, NULL FROM h;`)
  db.close()
  // Takes every request and answers none.
  silent = await serveHttp(({ url }) => asked.add(url?.split('/')[1]))
})

/** With the evidence of the world, made once for the pipes. */
beforeAll(async () => {
  const score = 'score --registration registration.json --history history.sqlite --outcomes vintage'
  expect((await ended(world.folder, `${score} --out evidence`)).code).toBe(0)
})

const files = (cwd: string) => readdirSync(cwd, { recursive: true }).map(String).sort()

/**
 * A new file shows that a command is at work; a pull, that it has asked. So many bytes of forecasts are put into its standard
 * input, which then stays open: a command that waits for more hears a signal all the same.
 */
const CASES = [
  { command: 'history import - --history new.sqlite', bytes: 0 },
  { command: 'history import - --history new.sqlite', bytes: 100_000 },
  { command: 'history pull SILENT --history new.sqlite', bytes: 0 },
  { command: 'history export --history LONG --out lines.ndjson', bytes: 0 },
  {
    command: 'pair --protocol protocols/made-1.json --outcomes vintage --history LONG --out pairs',
    bytes: 0,
  },
  { command: 'publish --history LONG --out pages', bytes: 0 },
]

/** One handler hears both signals: a command that reads, and one that writes, get the second one too. */
const SIGNALLED = [
  ...CASES.map((one) => ({ signal: 'SIGINT' as const, ...one })),
  ...[CASES[1]!, CASES[3]!].map((one) => ({ signal: 'SIGTERM' as const, ...one })),
]

it.concurrent.each(SIGNALLED)(
  '$signal ends $command with one line and nothing new',
  async ({ signal, command, bytes }) => {
    const cwd = temporaryFolder()
    // Beside others that look out for a moment to be ended at, and may not be kept from it.
    await cp(world.folder, cwd, { recursive: true })
    const before = files(cwd)
    const names = readdirSync(cwd).length
    const own = basename(cwd)
    const words = command.replace('SILENT', `${silent}/${own}`).replace('LONG', long).split(' ')
    const child = spawn(process.execPath, [BIN, ...words], { cwd, env: { ...process.env } })
    child.stdin.write(forecasts.subarray(0, bytes))
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    const atWork = command.includes('SILENT')
      ? () => asked.has(own)
      : () => readdirSync(cwd).length > names
    while (child.exitCode === null && !atWork()) await setTimeout(5)
    child.kill(signal)
    const [stdout, stderr] = await said
    expect([child.exitCode, child.signalCode, stdout]).toEqual([3, null, ''])
    expect(stderr).toMatch(/^foreproof: the run was stopped before it was complete\n {2}[^\n]+\n$/)
    expect(files(cwd)).toEqual(before)
  },
)

/** Long enough for a busy machine; what waits for a pipe waits for ever. */
const PATIENCE_MS = 50_000
const PAIR = 'pair --protocol protocols/made-1.json --outcomes vintage --history'

/** Where a pipe lies, and a command that comes upon it. */
const PIPES: readonly (readonly [pipe: string, command: string])[] = [
  ['h.sqlite', 'history stats --history h.sqlite'],
  ['h.sqlite', 'history import raw/forecasts.ndjson --history h.sqlite'],
  ['history.sqlite-journal', 'history stats --history history.sqlite'],
  ['history.sqlite-journal', 'history import raw/forecasts.ndjson --history history.sqlite'],
  ['history.sqlite-wal', 'history verify --history history.sqlite'],
  ['history.sqlite-shm', 'history export --history history.sqlite'],
  ['history.sqlite-journal', 'audit evidence'],
  ['pipe.json', 'validate pipe.json'],
  ['pipe.json', 'register pipe.json --protocol protocols/made-1.json --out second.json'],
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

/** Runs to the end, or is killed when it has taken too long. */
async function ended(cwd: string, command: string) {
  const child = spawn(process.execPath, [BIN, ...command.split(' ')], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
  const [code, signal] = await once(child, 'close')
  return { code: code as number | null, signal, said }
}

it.concurrent.each(PIPES)('a pipe as %s is refused: %s', async (pipe, command) => {
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
  `${PAIR} history.sqlite --out -`,
  'export evidence losses',
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
