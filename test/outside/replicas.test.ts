import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { ROOT } from '../support/run.js'
import { healthReport, idsOf, makeHistory } from '../support/service/history.js'
import { get, type Sent } from '../support/service/http.js'
import { eventually, KEY, type Served, serve } from '../support/service/serve.js'
import { walk } from '../support/service/walking.js'
import { startHaproxy } from './servers.js'
import { exchange } from './snippets.js'

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
let proxy: Awaited<ReturnType<typeof startHaproxy>>

beforeAll(async () => {
  makeHistory(history)
  writeFileSync(health, healthReport())
  const first = await freePort(NAMES.length)
  replicas = await Promise.all(NAMES.map((name, index) => start(name, first + index)))
  proxy = await startHaproxy((port) => {
    // TLS is tested with the snippet of the guide.
    let config = exchange(CONFIG, ':443 ssl crt /etc/haproxy/forecasts.pem', `127.0.0.1:${port}`)
    for (const [index, replica] of replicas.entries()) {
      config = exchange(config, `10.0.0.1${index + 1}:8080`, `127.0.0.1:${replica.port}`)
    }
    return config
  })
})

const ask = (path: string, sent: Sent = {}) =>
  get(proxy.port, path, { ...sent, headers: { Authorization: `Bearer ${KEY}`, ...sent.headers } })

/** The lines of the audit logs, each of which names the replica that answered. */
const audit = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith('audit-'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as { request_id: string })

it('walks through HAProxy over all replicas as over one', async () => {
  await eventually(async () => (await ask('/v1/health')).status === 200)
  expect(await walk({ get: ask }, '', [3])).toEqual(idsOf(history))
  await eventually(() => readdirSync(folder).filter((name) => /^audit-/.test(name)).length === 4)
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
    const recorded = new Set(audit().map((line) => line.request_id))
    return answered.every((id) => recorded.has(id))
  })
})
