import { writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { healthReport } from '../support/service/history.js'
import { get } from '../support/service/http.js'
import { eventually, KEY, type Served, serve } from '../support/service/serve.js'
import { selfSigned, startCaddy, startHaproxy, startNginx } from './servers.js'
import { exchange, guide } from './snippets.js'

const { snippet } = guide('operating.md')
const { certificate, key, both } = selfSigned('forecasts.example.org')

let served: Served
beforeEach(async () => {
  served = await serve({ flags: ['--trusted-proxy', '127.0.0.1'] })
})

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
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect((await ask('/v1/health')).json.data.status).toBe('degraded')
  await served.stop()
  await eventually(async () => [502, 503].includes((await ask('/v1/health')).status))
}

/** A snippet with the port of the service: last of all, for its digits may be those of another port. */
const here = (text: string) => exchange(text, '127.0.0.1:8080', `127.0.0.1:${served.port}`)

describe('in front of a service', () => {
  it('nginx passes the API on', async () => {
    const { port } = await startNginx((port) => {
      const site = exchange(snippet('nginx'), '443', `127.0.0.1:${port}`)
      const certified = exchange(site, '/etc/ssl/forecasts.pem', certificate)
      return here(exchange(certified, '/etc/ssl/private/forecasts.key', key))
    })
    await expectProxied(asking(port, true))
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
