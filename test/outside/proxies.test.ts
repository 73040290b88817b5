import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { ROOT } from '../support/run.js'
import { healthReport, idsOf, makeHistory } from '../support/service/history.js'
import { get, type Sent } from '../support/service/http.js'
import { eventually, KEY, type Served, serve } from '../support/service/serve.js'
import { walk } from '../support/service/walking.js'
import { selfSigned, startCaddy, startHaproxy, startNginx } from './servers.js'
import { exchange, guide } from './snippets.js'

const { snippet } = guide('operating.md')
const { certificate, key, both } = selfSigned('forecasts.example.org')

let served: Served

/** Asks a proxy, from an address of its own. */
const asking =
  (port: number, tls: boolean) =>
  (path: string, headers: Record<string, string> = {}) =>
    get(port, path, {
      ...{ tls, from: '127.0.0.2' },
      headers: { Authorization: `Bearer ${KEY}`, ...headers },
    })
type Ask = ReturnType<typeof asking>

/** The API is there, the probes are not, and no client can invent an address or two requests with one id. */
async function expectProxied(ask: Ask): Promise<void> {
  await eventually(async () => (await ask('/v1/health')).status === 200)
  const headers = { 'X-Forwarded-For': '192.0.2.1', 'X-Request-Id': 'chosen-by-the-client' }
  const page = await ask('/v1/forecasts?limit=2&model=alpha', headers)
  expect(page.json.data).toHaveLength(2)
  const id = page.headers['x-request-id']
  expect(id).not.toBe('chosen-by-the-client')
  await eventually(() => {
    const line = served.audit().find(({ request_id }) => request_id === id)
    return line?.remote_address === '127.0.0.2'
  })
  for (const path of ['/metrics', '/livez', '/readyz', '/']) {
    expect((await ask(path)).status, path).toBe(404)
  }
  expect((await ask('/v1/forecasts', { Authorization: 'Bearer x' })).status).toBe(401)
}

/** Readers get what a service says that is not ready; where it is gone, the proxy answers for it. */
async function expectLooksAtLife(ask: Ask): Promise<void> {
  writeFileSync(served.healthPath, healthReport('degraded'))
  await eventually(async () => (await get(served.port, '/readyz')).status === 503)
  // Longer than the proxies take to notice.
  await pause(6_000)
  expect((await ask('/v1/health')).json.data.status).toBe('degraded')
  await served.stop()
  await eventually(async () => [502, 503].includes((await ask('/v1/health')).status))
}

/** A snippet with the port of the service: last of all, for its digits may be those of another port. */
const here = (text: string) => exchange(text, '127.0.0.1:8080', `127.0.0.1:${served.port}`)

describe('in front of a service', () => {
  beforeEach(async () => {
    served = await serve({ flags: ['--trusted-proxy', '127.0.0.1'] })
  })

  it('nginx passes the API on', async () => {
    const { port } = await startNginx((port) => {
      const site = exchange(snippet('nginx'), '443', `127.0.0.1:${port}`)
      const certified = exchange(site, '/etc/ssl/forecasts.pem', certificate)
      return here(exchange(certified, '/etc/ssl/private/forecasts.key', key))
    })
    await expectProxied(asking(port, true))
  })

  it('nginx lets a page of another origin read, as the page on the WSGI service says', async () => {
    const location = guide('coming-from-wsgi.md').snippet('nginx')
    const { port } = await startNginx(
      (port) => `server { listen 127.0.0.1:${port}; ${here(location)} }`,
    )
    const ask = asking(port, false)
    await eventually(async () => (await ask('/v1/health')).status === 200)
    const allowed = { 'access-control-allow-origin': 'https://pages.example.org', vary: 'Origin' }
    expect((await ask('/v1/forecasts?limit=1')).headers).toMatchObject(allowed)
    const refused = await ask('/v1/forecasts?limit=0')
    expect([refused.status, refused.headers]).toMatchObject([400, allowed])
    const preflight = await get(port, '/v1/forecasts', { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://pages.example.org',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Accept, Authorization',
    })
  })

  it('HAProxy passes the API on, ready or not', async () => {
    const { port } = await startHaproxy((port) => {
      const text = exchange(snippet('haproxy'), ':443', `127.0.0.1:${port}`)
      return here(exchange(text, '/etc/haproxy/forecasts.pem', both))
    })
    const ask = asking(port, true)
    await expectProxied(ask)
    await expectLooksAtLife(ask)
  })

  it('Caddy passes the API on, ready or not', async () => {
    const { port } = await startCaddy(here(snippet('caddyfile')))
    const ask = asking(port, false)
    await expectProxied(ask)
    await expectLooksAtLife(ask)
  })
})

describe('HAProxy in front of four replicas', () => {
  const NAMES = ['one', 'two', 'three', 'four'] as const
  const CONFIG = readFileSync(join(ROOT, 'docs/operating/haproxy.cfg'), 'utf8')
  const folder = temporaryFolder()
  const history = join(folder, 'history.sqlite')
  const health = join(folder, 'health.json')

  const [, drain = ''] = /--drain-seconds (\d+)/.exec(CONFIG) ?? []

  /** A replica on its port, with its audit log. */
  const start = async (name: string, port: number) => {
    const flags = ['--port', `${port}`, '--drain-seconds', drain]
    const env = {
      BTC_FORECAST_HISTORY_DB: history,
      BTC_PIPELINE_HEALTH_STATE: health,
      BTC_FORECAST_API_AUDIT_LOG: join(folder, `audit-${name}.jsonl`),
      BTC_FORECAST_API_AUDIT_MAX_BYTES: '1000000000',
    }
    const served = await serve({ flags, env })
    await eventually(async () => (await get(port, '/readyz')).status === 200)
    return served
  }

  let replicas: Served[]
  let port: number

  beforeAll(async () => {
    makeHistory(history)
    writeFileSync(health, healthReport())
    const first = await freePort(NAMES.length)
    replicas = await Promise.all(NAMES.map((name, index) => start(name, first + index)))
    const proxy = await startHaproxy((port) => {
      // TLS is tested with the snippet of the guide.
      let config = exchange(CONFIG, ':443 ssl crt /etc/haproxy/forecasts.pem', `127.0.0.1:${port}`)
      for (const [index, replica] of replicas.entries()) {
        config = exchange(config, `10.0.0.1${index + 1}:8080`, `127.0.0.1:${replica.port}`)
      }
      return config
    })
    port = proxy.port
  })

  const ask = (path: string, sent: Sent = {}) =>
    get(port, path, { ...sent, headers: { Authorization: `Bearer ${KEY}`, ...sent.headers } })

  /** The audit logs, of each replica one. */
  const audits = () => readdirSync(folder).filter((name) => name.startsWith('audit-'))
  const lines = () =>
    audits().flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))

  it('walks through HAProxy over all replicas as over one', async () => {
    await eventually(async () => (await ask('/v1/health')).status === 200)
    expect(await walk({ get: ask }, '', [3])).toEqual(idsOf(history))
    await eventually(() => audits().length === 4)
    expect((await ask('/readyz')).status).toBe(404)
  })

  it('hands on what the service says where the data make no replica ready', async () => {
    writeFileSync(health, healthReport('degraded'))
    await eventually(async () => (await get(replicas[0]!.port, '/readyz')).status === 503)
    await pause(3000)
    const got = await ask('/v1/health')
    expect([got.status, got.json?.data?.status]).toEqual([200, 'degraded'])
    expect((await ask('/v1/forecasts/latest')).status).toBe(200)
    writeFileSync(health, healthReport())
  })

  // Last of all: what is started in a test ends with it.
  it('loses no request while the replicas are restarted one by one under load', async () => {
    let ended = false
    const answered: string[] = []
    const client = async (_: unknown, turn: number) => {
      // Half of the clients come on a new connection each time. A request without an answer throws.
      const headers = turn % 2 === 0 ? { Connection: 'close' } : {}
      while (!ended) {
        const got = await ask('/v1/forecasts?limit=10', { headers })
        expect(got.status, got.text).toBe(200)
        answered.push(got.headers['x-request-id'] ?? '')
      }
    }
    const clients = Promise.all(Array.from({ length: 8 }, client))
    for (const [index, replica] of replicas.entries()) {
      expect(await replica.stop(), replica.log).toBe(0)
      await start(NAMES[index]!, replica.port)
      // Until HAProxy has looked at it.
      await pause(1500)
    }
    ended = true
    await clients
    expect(answered.length).toBeGreaterThan(200)
    expect(new Set(answered).size).toBe(answered.length)
    await eventually(() => {
      const recorded = new Set(lines().map((line) => line && JSON.parse(line).request_id))
      return answered.every((id) => recorded.has(id))
    })
  })
})
