import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { atEnd } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { eventually } from '../support/service/serve.js'
import { exchange } from './snippets.js'

// PostgreSQL, Redis, proxies and web servers for the tests of one file: each on a free port of 127.0.0.1, in a
// temporary folder, gone at the end of the file and also where the tests are killed.

/** The role of the tests, which owns their databases; nothing foreproof writes may show its password. */
export const ROLE = 'foreproof'
export const PASSWORD = 'pg-Secret@7/%:x'

/** Debian's daemons are where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
const isRoot = process.getuid?.() === 0

/** A server's process, which can be stopped and started again on the port and the folder it has. */
class Server {
  /** What it wrote since the first start. */
  said = ''
  private child: ChildProcess | undefined

  constructor(
    readonly folder: string,
    readonly port: number,
    /** Options of `setpriv`, then the program with its arguments. */
    private readonly line: readonly string[],
    private readonly answers: () => boolean | Promise<boolean>,
  ) {}

  get pid(): number {
    return this.child?.pid ?? 0
  }

  async start(): Promise<void> {
    // The system ends it with the process of the tests, however that ends.
    if (this.child === undefined) atEnd(() => this.stop())
    const child = spawn('setpriv', ['--pdeathsig', 'INT', ...this.line], {
      cwd: this.folder,
      // Caddy keeps files in the home folder.
      env: { PATH, HOME: this.folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.said += chunk
      })
    }
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    await eventually(() => hasEnded() || this.answers(), 100_000)
    if (hasEnded()) throw new Error(`${this.line.join(' ')} ended: ${this.said}`)
  }

  /** @param signal - of PostgreSQL: SIGINT ends connections (fast), SIGQUIT is a crash (immediate). */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const child = this.child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    this.signalAll('SIGCONT')
    child.kill(signal)
    await ended
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Freezes it with its connections open, until `resume`: a machine that hangs. */
  pause(): void {
    this.signalAll('SIGSTOP')
  }
  resume(): void {
    this.signalAll('SIGCONT')
  }

  private signalAll(signal: NodeJS.Signals): void {
    // First of all the process itself: one that is frozen has no further child.
    process.kill(this.pid, signal)
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8')
    for (const pid of children.split(' ').filter(Boolean).map(Number)) {
      try {
        process.kill(pid, signal)
      } catch {
        // A child that has ended meanwhile.
      }
    }
  }
}

/** Runs a program to its end; what it printed. */
function run(program: string, ...args: string[]): string {
  const ran = spawnSync(program, args, { encoding: 'utf8', env: { PATH } })
  if (ran.error) throw ran.error
  if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stderr}${ran.stdout}`)
  return ran.stdout.trim()
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false))
  })
}

/** PostgreSQL does not run as root: as Debian's user for it then, or as nobody. The numbers of the user and its group. */
function postgresUser(): [user: string, group: string] | undefined {
  if (!isRoot) return undefined
  const user = spawnSync('id', ['postgres']).status === 0 ? 'postgres' : 'nobody'
  return [run('id', '-u', user), run('id', '-g', user)]
}

/** What `setpriv` needs to run a program as that user. */
function asPostgres(): string[] {
  const [user, group] = postgresUser() ?? []
  return user && group ? ['--reuid', user, '--regid', group, '--clear-groups'] : []
}

/** Debian keeps the programs of each version in a folder of their own: the newest one's. */
function postgresProgram(name: string): string {
  const versions = readdirSync('/usr/lib/postgresql').map(Number)
  return `/usr/lib/postgresql/${Math.max(...versions)}/bin/${name}`
}

/** One PostgreSQL: its databases sort by a language by default, as most do. */
export class Postgres extends Server {
  private databases = 0
  private constructor(
    folder: string,
    port: number,
    private readonly settings: Settings,
  ) {
    const given = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      // What a test writes has to outlive a crash of the server, but not one of the machine.
      fsync: 'off',
      shared_buffers: '32MB',
      ...settings,
    }
    const set = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const program = [postgresProgram('postgres'), '-D', join(folder, 'data')]
    const line = [...asPostgres(), '--', ...program, ...set]
    const ready = ['-q', '-h', folder, '-p', `${port}`]
    super(folder, port, line, () => spawnSync(postgresProgram('pg_isready'), ready).status === 0)
  }

  static async begin(settings: Settings, fill: (data: string) => string[]): Promise<Postgres> {
    const folder = temporaryFolder()
    const [user, group] = postgresUser() ?? []
    if (user && group) chownSync(folder, Number(user), Number(group))
    run('setpriv', ...asPostgres(), '--inh-caps=-all', '--', ...fill(join(folder, 'data')))
    const server = new Postgres(folder, await freePort(), settings)
    await server.start()
    return server
  }

  /** Runs SQL as its superuser; the rows, with `|` between columns. */
  sql(text: string, database = 'postgres'): string {
    const to = ['-h', this.folder, '-p', `${this.port}`, '-U', 'admin', '-d', database]
    const how = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1']
    return run(postgresProgram('psql'), ...to, ...how, '-c', text)
  }

  /** A database of its own that is empty, of `ROLE`. @returns its URL. */
  database(): string {
    const name = `test_${++this.databases}`
    this.sql(`CREATE DATABASE ${name} OWNER ${ROLE}`)
    return this.url(name)
  }

  /** @param hosts - `host:port` of others, where it should not lead here. */
  url(database: string, hosts = `127.0.0.1:${this.port}`): string {
    return `postgres://${ROLE}:${encodeURIComponent(PASSWORD)}@${hosts}/${database}`
  }

  /** A second server that follows this one, read-only until it is promoted. */
  replica(): Promise<Postgres> {
    const from = ['-h', this.folder, '-p', `${this.port}`, '-U', 'admin']
    return Postgres.begin(this.settings, (data) => [
      ...[postgresProgram('pg_basebackup'), ...from, '-D', data],
      ...['--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
    ])
  }

  promote(): void {
    this.sql('SELECT pg_promote()')
  }
}

export type Settings = Readonly<Record<string, string | number>>

/** @param settings - of postgresql.conf, such as `max_connections`. */
export async function startPostgres(settings: Settings = {}): Promise<Postgres> {
  const server = await Postgres.begin(settings, (data) => [
    ...[postgresProgram('initdb'), '-D', data, '-U', 'admin', '--no-sync', '--encoding=UTF8'],
    ...['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'],
    ...['--auth-local=trust', '--auth-host=scram-sha-256'],
  ])
  server.sql(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`)
  return server
}

/** Redis, without a file. */
class Redis extends Server {
  /** What redis-cli prints. */
  cli(...args: string[]): string {
    return run('redis-cli', '-p', `${this.port}`, ...args)
  }
}

/** @param args - of redis-server, such as `--requirepass SECRET`. */
export async function startRedis(...args: string[]): Promise<Redis> {
  const [folder, port] = [temporaryFolder(), await freePort()]
  const own = ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no']
  const line = ['--', 'redis-server', ...own, '--dir', folder, ...args]
  const server = new Redis(folder, port, line, () => isListening(port))
  await server.start()
  return server
}

/** A proxy or web server, whose own check has to take its configuration without a warning. */
async function startChecked(folder: string, port: number, check: string[], line: string[]) {
  const [program = '', ...args] = check
  const env = { PATH, HOME: folder }
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env })
  const said = `${stdout}${stderr}`
  if (status !== 0 || /\[warn|WARNING|"level":"warn"|emerg|ALERT/i.test(said)) {
    throw new Error(`${check.join(' ')}: ${said}`)
  }
  const server = new Server(folder, port, ['--', ...line], () => isListening(port))
  await server.start()
  return server
}

/**
 * @param config - the text of haproxy.cfg, which has to listen on this port of 127.0.0.1.
 * @param ports - how many in a row are free from that one on.
 */
export async function startHaproxy(config: (port: number) => string, ports = 1): Promise<Server> {
  const [folder, port] = [temporaryFolder(), await freePort(ports)]
  const path = join(folder, 'haproxy.cfg')
  writeFileSync(path, config(port))
  return startChecked(folder, port, ['haproxy', '-c', '-f', path], ['haproxy', '-db', '-f', path])
}

/** @param site - the text of a site, which has to listen on this port of 127.0.0.1. */
export async function startNginx(site: (port: number) => string): Promise<Server> {
  const [folder, port] = [temporaryFolder(), await freePort()]
  const path = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx-${name};`,
  )
  writeFileSync(
    path,
    `${isRoot ? 'user root;' : ''} pid ${folder}/nginx.pid; error_log stderr; daemon off; events {}
     http { include /etc/nginx/mime.types; access_log off; ${temporary.join(' ')} ${site(port)} }`,
  )
  const line = ['nginx', '-p', folder, '-c', path]
  return startChecked(folder, port, [...line, '-t'], line)
}

/**
 * @param site - a Caddyfile for forecasts.example.org. A certificate for a public name cannot be had here: it is
 * checked as it is, and served over plain HTTP, without a port for Caddy's own API.
 */
export async function startCaddy(site: string): Promise<Server> {
  const [folder, port] = [temporaryFolder(), await freePort()]
  const [asItIs, path] = [join(folder, 'Checked'), join(folder, 'Caddyfile')]
  const own = exchange(site, 'forecasts.example.org', `http://127.0.0.1:${port}`)
  writeFileSync(asItIs, site)
  writeFileSync(path, `{\n\tadmin off\n\tauto_https off\n}\n${own}`)
  const from = (file: string) => ['--adapter', 'caddyfile', '--config', file]
  const check = ['caddy', 'validate', ...from(asItIs)]
  return startChecked(folder, port, check, ['caddy', 'run', ...from(path)])
}

/** A certificate for a host, signed with its own key: the file with it, with its key, and with both, as HAProxy wants them. */
export function selfSigned(host: string) {
  const folder = temporaryFolder()
  const file = (name: string) => join(folder, name)
  const [certificate, key, both] = [file('certificate'), file('key'), file('both')]
  run(
    'openssl',
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' '),
    ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
    ...['-keyout', key, '-out', certificate],
  )
  writeFileSync(both, readFileSync(certificate) + String(readFileSync(key)))
  return { certificate, key, both }
}
