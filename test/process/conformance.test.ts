import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import type { RuleName } from '../../src/contract/conformance-rules.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { addRows, HOUR, PRODUCER_DDL } from '../history/support.js'
import { foreproof, ROOT } from './run.js'

const KEY = 'a-key-for-the-conformance-test'
const folder = mkdtempSync(join(tmpdir(), 'foreproof-conformance-'))
const history = join(folder, 'history.sqlite')
let service: ChildProcess
let origin = ''

function makeHistory(): void {
  const db = openSqlite(history)
  db.exec(PRODUCER_DDL)
  const now = Math.floor((performance.timeOrigin + performance.now()) / HOUR) * HOUR
  const newest = (now - Date.UTC(2026, 0, 1)) / HOUR
  const rows = []
  for (let hour = newest - 40; hour <= newest; hour++) {
    for (const model of ['alpha', 'beta']) {
      for (const horizon of [2, 4, 8, 16]) rows.push({ hour, model, horizon, run: `run-${hour}` })
    }
  }
  addRows(db, rows)
  db.exec(
    'UPDATE forecast_predictions SET predicted_change_pct = (predicted_price_usd / 50000.0 - 1) * 100, q10_usd = predicted_price_usd * 0.9, q50_usd = predicted_price_usd, q90_usd = predicted_price_usd * 1.1',
  )
  db.close()
}

beforeAll(async () => {
  makeHistory()
  const health = join(folder, 'health.json')
  const stages = { history: { health: 'healthy', circuit_state: 'closed' } }
  writeFileSync(health, JSON.stringify({ overall_health: 'healthy', stages }))
  service = spawn(process.execPath, [join(ROOT, 'bin/foreproof.js'), 'serve', '--port', '0'], {
    env: {
      ...process.env,
      BTC_FORECAST_API_KEYS: KEY,
      BTC_FORECAST_HISTORY_DB: history,
      BTC_PIPELINE_HEALTH_STATE: health,
      BTC_FORECAST_API_AUDIT_LOG: join(folder, 'audit.jsonl'),
      BTC_FORECAST_API_RATE_LIMIT: '1000000',
    },
  })
  origin = await new Promise<string>((resolve, reject) => {
    let text = ''
    service.on('exit', () => reject(new Error(`serve ended: ${text}`)))
    service.stderr?.on('data', (chunk: Buffer) => {
      text += chunk
      const port = /"port":(\d+)/.exec(text)?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
  })
})

afterAll(async () => {
  if (service !== undefined) {
    const gone = once(service, 'exit')
    service.kill()
    // It writes to its audit log until then.
    await gone
  }
  rmSync(folder, { recursive: true, force: true })
})

interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}

/** What goes wrong between the service and its client: a defect, as the client sees it. */
type Defect = (reply: Reply, request: IncomingMessage, url: URL) => void

async function behind(defect: Defect): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => relay(incoming, outgoing, defect))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return proxy
}

function relay(incoming: IncomingMessage, outgoing: ServerResponse, defect: Defect): void {
  const target = new URL(incoming.url ?? '/', origin)
  const { host: _host, connection: _connection, ...headers } = incoming.headers
  const onward = request(target, { method: incoming.method, headers }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = answer.headers
      const reply: Reply = {
        status: answer.statusCode ?? 0,
        headers: rest as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      }
      defect(reply, incoming, target)
      outgoing.writeHead(reply.status, reply.headers).end(reply.body)
    })
  })
  incoming.resume()
  onward.end()
}

async function failing(defect: Defect): Promise<string[]> {
  const proxy = await behind(defect)
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  try {
    const { verdicts } = await checkDeployment(base, { key: KEY })
    return verdicts.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule)
  } finally {
    proxy.close()
    proxy.closeAllConnections()
  }
}

/** Changes successful bodies of one path. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are broken on purpose
function inBody(path: string, change: (body: any, url: URL) => void): Defect {
  return (reply, _request, url) => {
    if (reply.status !== 200 || url.pathname !== path) return
    const body = JSON.parse(reply.body)
    change(body, url)
    reply.body = JSON.stringify(body)
  }
}

const LATEST = '/v1/forecasts/latest'
const HISTORY = '/v1/forecasts'

/** Serves an error in place of what the service would say. */
function failWith(reply: Reply, status: number, code: string): void {
  reply.status = status
  reply.body = JSON.stringify({ api_version: 'v1', error: { code, message: 'no' } })
}

/** Passes a request on without some of its parameters. */
function ignoring(...names: string[]): Defect {
  return (reply, incoming, url) => {
    const accepted = reply.status === 400 && names.some((name) => url.searchParams.has(name))
    if (accepted && incoming.method === 'GET' && incoming.headers.authorization) {
      reply.status = 200
      reply.body = EMPTY
    }
  }
}

const EMPTY = JSON.stringify({
  api_version: 'v1',
  data: [],
  pagination: { limit: 50, next_cursor: null },
  freshness: { observed_at: '2026-01-01T00:00:00Z', age_seconds: 0, status: 'stale' },
})

describe('conformance of a service', () => {
  it('finds nothing wrong with foreproof serve', async () => {
    expect(await failing(() => {})).toEqual([])
  })

  const defects: readonly (readonly [string, RuleName, Defect])[] = [
    [
      'another Content-Type',
      'media-type',
      (reply) => (reply.headers['content-type'] = 'application/json'),
    ],
    ['a cacheable answer', 'no-store', (reply) => (reply.headers['cache-control'] = 'max-age=5')],
    [
      'errors in another shape',
      'error-envelope',
      (reply) => {
        if (reply.status === 400) reply.body = '{"error":"bad"}'
      },
    ],
    [
      'a code of its own',
      'error-envelope',
      (reply) => {
        reply.body = reply.body.replace('"invalid_request"', '"bad_request"')
      },
    ],
    [
      'a path in a message',
      'error-safe',
      (reply) => {
        if (reply.status === 400)
          reply.body = reply.body.replace(/"message":"/, '"message":"/srv/app/history.sqlite: ')
      },
    ],
    [
      '405 for a method',
      'method-refused',
      (reply, { method }) => {
        if (method !== 'GET') reply.status = 405
      },
    ],
    [
      '404 for a path',
      'path-refused',
      (reply, _request, url) => {
        if (url.pathname === '/v2/forecasts') failWith(reply, 404, 'forecast_not_found')
      },
    ],
    [
      '403 without a key',
      'key-missing',
      (reply, { headers }) => {
        if (!headers.authorization && reply.status === 401) reply.status = 403
      },
    ],
    [
      'any key accepted',
      'key-wrong',
      (reply, { headers }) => {
        if (reply.status === 401 && headers.authorization) reply.status = 200
      },
    ],
    [
      'the key checked first',
      'check-order',
      (reply, { headers }) => {
        if (!headers.authorization && reply.status === 406) failWith(reply, 401, 'invalid_request')
      },
    ],
    [
      'any media type served',
      'accept-refused',
      (reply, { headers }) => {
        if (reply.status === 406 && headers.authorization) reply.status = 200
      },
    ],
    [
      '*/* refused',
      'accept-allowed',
      (reply, { headers }) => {
        if (headers.accept === '*/*' && reply.status === 200) failWith(reply, 406, 'not_acceptable')
      },
    ],
    ['a key echoed', 'error-safe', (reply) => (reply.headers['x-key'] = KEY)],
    [
      'an old latest',
      'latest-newest',
      inBody(LATEST, (body) => {
        const old = '2026-01-01T00:00:00+00:00'
        const data = body.data
        data.origin_at = old
        data.lineage.history_key.origin_at = old
        data.target_at = '2026-01-01T02:00:00+00:00'
        data.forecast_id = `${old}:${data.model.name}:${data.horizon_hours}`
      }),
    ],
    [
      'a latest of another price',
      'same-resource',
      inBody(LATEST, (body) => (body.data.run.id = 'x')),
    ],
    [
      'latest with parameters',
      'latest-parameters',
      (reply, _request, url) => {
        if (url.pathname === LATEST && url.search !== '') reply.status = 200
      },
    ],
    [
      'a default of 20',
      'limit-default',
      inBody(HISTORY, (body, url) => {
        if (url.search !== '') return
        body.pagination.limit = 20
        body.data.splice(20)
      }),
    ],
    ['a limit of 101', 'limit-bounds', ignoring('limit')],
    ['unknown parameters', 'unknown-parameter', ignoring('colour')],
    [
      'repeated parameters',
      'repeated-parameter',
      (reply, _request, url) => {
        if (url.searchParams.getAll('model').length > 1)
          Object.assign(reply, { status: 200, body: EMPTY })
      },
    ],
    [
      'a walk that skips nothing but repeats',
      'cursor-walk',
      (() => {
        let first = ''
        return (reply: Reply, _request: IncomingMessage, url: URL) => {
          if (url.search === '?limit=100') first = reply.body
          if (url.search.startsWith('?limit=100&cursor=')) reply.body = first
        }
      })(),
    ],
    [
      'a last cursor',
      'cursor-walk',
      inBody(HISTORY, (body, url) => {
        if (url.search.startsWith('?limit=100') && body.pagination.next_cursor === null) {
          body.pagination.next_cursor = 'more'
        }
      }),
    ],
    ['made-up cursors', 'cursor-invalid', ignoring('cursor')],
    [
      'cursors for other filters',
      'cursor-filters',
      (reply, _request, url) => {
        const other = url.searchParams.has('model') && url.searchParams.has('cursor')
        if (other) Object.assign(reply, { status: 200, body: EMPTY })
      },
    ],
    [
      'an open upper bound',
      'filter-origin',
      inBody(HISTORY, (body, url) => {
        if (url.searchParams.has('origin_to')) body.data = []
      }),
    ],
    [
      'horizons mixed',
      'filter-horizon',
      inBody(HISTORY, (body, url) => {
        if (url.searchParams.has('horizon_hours')) body.data = []
      }),
    ],
    [
      'runs mixed',
      'filter-run',
      inBody(HISTORY, (body, url) => {
        if (url.searchParams.has('run_id')) for (const row of body.data) row.run.id = 'another'
      }),
    ],
    [
      '404 for no match',
      'filter-nothing',
      (reply, _request, url) => {
        if (url.searchParams.get('model')?.startsWith('conformance'))
          failWith(reply, 404, 'forecast_not_found')
      },
    ],
    ['local times accepted', 'filter-malformed', ignoring('origin_from')],
    [
      'an unknown health',
      'health-body',
      inBody('/v1/health', (body) => (body.data.status = 'fine')),
    ],
    [
      'a probe with other words',
      'livez',
      (reply, _request, url) => {
        if (url.pathname === '/livez') reply.body = 'OK'
      },
    ],
    [
      'ready while degraded',
      'readyz',
      inBody('/v1/health', (body) => (body.data.status = 'degraded')),
    ],
    [
      'metrics as JSON',
      'metrics',
      (reply, _request, url) => {
        if (url.pathname === '/metrics') reply.headers['content-type'] = 'application/json'
      },
    ],
    [
      'a 429 without Retry-After',
      'rate-limited',
      (() => {
        let limited = false
        return (reply: Reply, _request: IncomingMessage, url: URL) => {
          if (limited || url.pathname !== '/v1/health') return
          limited = true
          failWith(reply, 429, 'rate_limited')
          reply.headers['retry-after'] = '0'
        }
      })(),
    ],
    ['rows out of order', 'page-order', inBody(HISTORY, (body) => body.data.reverse())],
    ['a version of its own', 'api-version', inBody(HISTORY, (body) => (body.api_version = 'v1.1'))],
  ]
  it.each(defects)('fails with %s: %s', async (_name, rule, defect) => {
    expect(await failing(defect)).toContain(rule)
  })

  it('says as a command what holds, in every format, and shows no key', async () => {
    for (const format of ['text', 'json', 'sarif', 'junit', 'github']) {
      const args = ['conformance', origin, '--key-env', 'THE_KEY', '--format', format]
      const { code, stdout, stderr } = await foreproof(args, { env: { THE_KEY: KEY } })
      expect(`${code}${stderr}`).toBe('0')
      expect(stdout).not.toContain(KEY)
    }
  })

  it('gives the same forecast as the static site, byte for byte but for its freshness', async () => {
    const out = join(folder, 'site')
    expect((await foreproof(['publish', '--history', history, '--out', out])).code).toBe(0)
    expect((await foreproof(['conformance', out])).code).toBe(0)
    const { readFileSync } = await import('node:fs')
    const page = readFileSync(join(out, 'service/api/v1/forecasts.json'), 'utf8')
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await fetch(`${origin}${HISTORY}?limit=100`, { headers })
    const items = (text: string) =>
      [...text.matchAll(/\{"forecast_id":.*?(?=,"freshness")/g)].map(([item]) => item)
    const published = items(page)
    expect(published.length).toBeGreaterThan(20)
    expect(items(await answer.text()).slice(0, published.length)).toEqual(published)
  })
})
