import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as plain, type RequestOptions } from 'node:http'
import { request as secure } from 'node:https'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.js'
import { healthReport } from '../support/service/history.js'
import { get } from '../support/service/http.js'
import { eventually, KEY, type Served, serve } from '../support/service/serve.js'
import { exchange, guide } from './snippets.js'

const { snippet } = guide('operating.md')

let served: Served
let proxy: ChildProcess | undefined
let port = 0
let said = ''

beforeEach(async () => {
  served = await serve({ flags: ['--trusted-proxy', '127.0.0.1'] })
  port = await freePort()
})
afterEach(async () => {
  if (proxy !== undefined && proxy.exitCode === null) {
    const ended = new Promise((resolve) => proxy?.once('exit', resolve))
    proxy.kill('SIGTERM')
    await ended
  }
  proxy = undefined
  await served.remove()
})

/** Debian's daemons are where only root looks. */
const env = () => ({
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
  HOME: served.folder,
  XDG_DATA_HOME: served.folder,
  XDG_CONFIG_HOME: served.folder,
})

const file = (name: string) => join(served.folder, name)

/** A certificate of its own, and a file with its key too, as HAProxy wants it. */
function certificate(): void {
  const made = spawnSync('openssl', [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' '),
    ...['-subj', '/CN=forecasts.example.org', '-keyout', file('key'), '-out', file('pem')],
  ])
  expect(made.status, String(made.stderr)).toBe(0)
  writeFileSync(file('both'), readFileSync(file('pem')) + String(readFileSync(file('key'))))
}

/** Runs the program's own check of its configuration. */
function check(program: string, ...args: string[]): void {
  const ran = spawnSync(program, args, { encoding: 'utf8', env: env(), cwd: served.folder })
  if (ran.error) throw ran.error
  const output = ran.stdout + ran.stderr
  expect(ran.status, output).toBe(0)
  expect(output).not.toMatch(/\[warn|WARNING|"level":"warn"|emerg|ALERT/i)
}

function run(program: string, ...args: string[]): void {
  said = ''
  proxy = spawn(program, args, {
    env: env(),
    cwd: served.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [proxy.stdout, proxy.stderr]) {
    stream?.on('data', (chunk) => {
      said += chunk
    })
  }
}

interface Got {
  readonly status: number | undefined
  readonly body: string
  readonly requestId: unknown
}

/** Asks the proxy, from an address of its own. */
function ask(path: string, options: { https: boolean; headers?: Record<string, string> }) {
  const sent: RequestOptions & { rejectUnauthorized: boolean } = {
    host: '127.0.0.1',
    port,
    path,
    localAddress: '127.0.0.2',
    rejectUnauthorized: false,
    headers: { Authorization: `Bearer ${KEY}`, ...options.headers },
  }
  return new Promise<Got>((resolve, reject) => {
    const asked = (options.https ? secure : plain)(sent, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => {
        resolve({ status: response.statusCode, body, requestId: response.headers['x-request-id'] })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** The API is there, the probes are not, and no client can invent an address or two requests with one id. */
async function expectProxied(https: boolean): Promise<void> {
  await eventually(async () => (await ask('/v1/health', { https })).status === 200).catch(
    (cause) => {
      throw new Error(said, { cause })
    },
  )
  const headers = { 'X-Forwarded-For': '192.0.2.1', 'X-Request-Id': 'chosen-by-the-client' }
  const page = await ask('/v1/forecasts?limit=2&model=alpha', { https, headers })
  expect(JSON.parse(page.body).data).toHaveLength(2)
  expect(page.requestId).not.toBe('chosen-by-the-client')
  await eventually(() => {
    const line = served.audit().find((each) => each.request_id === page.requestId)
    return line?.remote_address === '127.0.0.2'
  })
  for (const path of ['/metrics', '/livez', '/readyz', '/']) {
    expect((await ask(path, { https })).status, path).toBe(404)
  }
  const unknown = await ask('/v1/forecasts', { https, headers: { Authorization: 'Bearer x' } })
  expect(unknown.status).toBe(401)
}

/** Readers get what a service says that is not ready; where it is gone, the proxy answers for it. */
async function expectLooksAtLife(https: boolean): Promise<void> {
  const health = () => ask('/v1/health', { https })
  writeFileSync(served.healthPath, healthReport('degraded'))
  await eventually(async () => (await get(served.port, '/readyz')).status === 503)
  // Longer than the proxies take to notice.
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect(JSON.parse((await health()).body).data.status).toBe('degraded')
  await served.stop()
  await eventually(async () => [502, 503].includes((await health()).status ?? 0))
}

/** A snippet with the port of the service: last of all, for its digits may be those of another port. */
const here = (text: string) => exchange(text, '127.0.0.1:8080', `127.0.0.1:${served.port}`)

describe('in front of a service', () => {
  it('nginx passes the API on', async () => {
    certificate()
    let site = here(exchange(snippet('nginx'), '443', `127.0.0.1:${port}`))
    site = exchange(site, '/etc/ssl/forecasts.pem', file('pem'))
    site = exchange(site, '/etc/ssl/private/forecasts.key', file('key'))
    writeFileSync(file('site.conf'), site)
    mkdirSync(file('tmp'))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${file('tmp')}/${name};`)
      .join('\n')
    const own = `pid ${file('nginx.pid')}; daemon off; error_log stderr; events {}
      http { access_log off; ${temporary} include ${file('site.conf')}; }`
    writeFileSync(file('nginx.conf'), own)
    const args = ['-p', served.folder, '-c', file('nginx.conf')]
    check('nginx', '-t', ...args)
    run('nginx', ...args)
    await expectProxied(true)
  })

  it('HAProxy passes the API on, ready or not', async () => {
    certificate()
    let text = here(exchange(snippet('haproxy'), ':443', `127.0.0.1:${port}`))
    text = exchange(text, '/etc/haproxy/forecasts.pem', file('both'))
    writeFileSync(file('haproxy.cfg'), text)
    check('haproxy', '-c', '-f', file('haproxy.cfg'))
    run('haproxy', '-db', '-f', file('haproxy.cfg'))
    await expectProxied(true)
    await expectLooksAtLife(true)
  })

  it('Caddy passes the API on, ready or not', async () => {
    const site = here(snippet('caddyfile'))
    writeFileSync(file('Caddyfile'), site)
    check('caddy', 'validate', '--adapter', 'caddyfile', '--config', file('Caddyfile'))
    // A certificate for a public name cannot be had here: plain HTTP, and no port for its own API.
    const own = exchange(site, 'forecasts.example.org', `http://127.0.0.1:${port}`)
    writeFileSync(file('Caddyfile'), `{\n\tadmin off\n}\n${own}`)
    run('caddy', 'run', '--adapter', 'caddyfile', '--config', file('Caddyfile'))
    await expectProxied(false)
    await expectLooksAtLife(false)
  })
})
