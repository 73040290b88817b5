import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterUse } from '../at-end.js'
import { temporaryFolder } from '../folder.js'
import { BIN } from '../run.js'
import { unprivileged } from '../unprivileged.js'
import { healthReport, type Made, makeHistory } from './history.js'
import { type Got, get, type Sent } from './http.js'

export const KEY = 'contract-test-key-7f3a9c'
export const OTHER_KEY = 'another-test-key-51be2d'

/**
 * Where the rows of a made history are served from: its own file, unless tests of another store, which run
 * these ones too, move them there. The file stays for what tests expect.
 */
export const store = { moved: async (_path: string): Promise<string> => 'data/history.sqlite' }

export interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly flags?: readonly string[]
  readonly made?: Made
  /** Runs before the process: to break what it will find. */
  readonly prepare?: (folder: string) => void
  /** No file of the process may grow beyond so many blocks of 512 bytes. */
  readonly fileBlocks?: number
  /** A program, with its arguments, that runs the process. */
  readonly through?: readonly string[]
  /** Whether it runs without root's right to pass over the modes of files. */
  readonly unprivileged?: boolean
}

/** A service in a process of its own, on a history of its own. */
export class Served {
  log = ''
  readonly exited: Promise<number | null>

  constructor(
    readonly folder: string,
    readonly child: ChildProcess,
    readonly port: number,
  ) {
    // Not 'exit': its last words may still be on their way then.
    this.exited = new Promise((resolve) => {
      child.once('close', resolve)
    })
  }

  get historyPath(): string {
    return join(this.folder, 'data', 'history.sqlite')
  }
  get healthPath(): string {
    return join(this.folder, 'health.json')
  }
  get auditPath(): string {
    return join(this.folder, 'audit', 'reads.jsonl')
  }

  get(path: string, sent: Sent = {}): Promise<Got> {
    const headers = { Authorization: `Bearer ${KEY}`, ...sent.headers }
    return get(this.port, path, { ...sent, headers })
  }

  /** The audit's lines, oldest first, over all its files. */
  audit(): Record<string, unknown>[] {
    return this.auditText()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  auditText(): string {
    const folder = join(this.folder, 'audit')
    if (!existsSync(folder)) return ''
    const files = readdirSync(folder).sort().reverse()
    return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('')
  }

  /** The lines of its log, or those of one event. */
  events(named?: string): { event: string; [field: string]: unknown }[] {
    const lines = this.log.split('\n').filter((line) => line.startsWith('{'))
    const events = lines.map((line) => JSON.parse(line))
    return events.filter(({ event }) => named === undefined || event === named)
  }

  /** Until its log has an event. */
  async logged(event: string): Promise<void> {
    await eventually(() => this.events(event).length > 0)
  }

  /** A figure of its metrics, by what follows `forecast_api_`. */
  async figure(name: string): Promise<number> {
    const { text } = await get(this.port, '/metrics')
    const line = text.split('\n').find((each) => each.startsWith(`forecast_api_${name} `))
    return Number(line?.split(' ').at(-1))
  }

  /** Stops it as an operator does. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal)
    return await this.exited
  }

  /** Stops it at once and removes what it left; a test that wants this earlier than its own end. */
  async remove(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Starts a service, which ends with the test that starts it, or with the file. */
export async function serve(options: Options = {}): Promise<Served> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'data'))
  makeHistory(join(folder, 'data', 'history.sqlite'), options.made)
  writeFileSync(join(folder, 'health.json'), healthReport())
  const history = await store.moved(join(folder, 'data', 'history.sqlite'))
  options.prepare?.(folder)
  const node = [process.execPath, BIN, 'serve', ...(options.flags ?? [])]
  const limited = ['sh', '-c', `ulimit -f ${options.fileBlocks}; exec "$@"`, 'sh', ...node]
  const line = options.fileBlocks === undefined ? [...(options.through ?? []), ...node] : limited
  const [command = '', ...args] = options.unprivileged ? unprivileged(line) : line
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      BTC_FORECAST_API_PORT: '0',
      BTC_FORECAST_API_KEYS: `${KEY},${OTHER_KEY}`,
      BTC_FORECAST_HISTORY_DB: history,
      BTC_PIPELINE_HEALTH_STATE: 'health.json',
      BTC_FORECAST_API_AUDIT_LOG: 'audit/reads.jsonl',
      BTC_FORECAST_API_RATE_LIMIT: '1000000',
      BTC_FORECAST_API_DRAIN_SECONDS: '0',
      ...options.env,
    },
  })
  let log = ''
  let served: Served | undefined
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text
    if (served !== undefined) served.log = log
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = /"event":"listening".*"port":(\d+)/.exec(log)
      if (found) resolve(Number(found[1]))
    })
    child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${log}`)))
    child.once('error', reject)
  })
  served = new Served(folder, child, port)
  served.log = log
  afterUse(() => served?.remove())
  return served
}

/** Runs `foreproof keys …` on the keys file of a folder; what it prints. */
export function keysCommand(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const line = [BIN, 'keys', ...args, '--keys', join(folder, 'keys.json')]
  return execFileSync(process.execPath, line, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

/** Tries until it holds; what is asynchronous by promise (an audit line) needs a moment. */
export async function eventually(holds: () => boolean | Promise<boolean>, ms = 50_000) {
  const until = Date.now() + ms
  for (;;) {
    let reason: unknown = 'it did not hold'
    try {
      if (await holds()) return
    } catch (error) {
      // A file that is being rotated or written may look odd for a moment.
      reason = error
    }
    if (Date.now() > until) throw new Error('never came true', { cause: reason })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
