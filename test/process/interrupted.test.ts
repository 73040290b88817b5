import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
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
