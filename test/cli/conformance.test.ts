import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { addRows, HOUR, PRODUCER_DDL } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const KEY = 'a-key-for-the-conformance-test'
const folder = temporaryFolder()
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
    'UPDATE forecast_predictions SET q10_usd = predicted_price_usd * 0.9, q50_usd = predicted_price_usd, q90_usd = predicted_price_usd * 1.1',
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
})

/** A web server that gives one answer to everything. */
async function stranger(answer: (response: ServerResponse) => void): Promise<Server> {
  const server = createServer((_request, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

describe('conformance of a service', () => {
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
    const page = readFileSync(join(out, 'service/api/v1/forecasts.json'), 'utf8')
    const headers = { authorization: `Bearer ${KEY}` }
    const answer = await fetch(`${origin}/v1/forecasts?limit=100`, { headers })
    const items = (text: string) =>
      [...text.matchAll(/\{"forecast_id":.*?(?=,"freshness")/g)].map(([item]) => item)
    const published = items(page)
    expect(published.length).toBeGreaterThan(20)
    expect(items(await answer.text()).slice(0, published.length)).toEqual(published)
  })

  it('is not green without a key, unless no more was asked for', async () => {
    const { code, stdout } = await foreproof(['conformance', origin])
    expect(code).toBe(1)
    expect(stdout).toMatch(/without a key, only \d\d of \d\d rules could be judged/)
    expect(stdout).toMatch(/--key-env.*--without-key/)
    expect((await foreproof(['conformance', origin, '--without-key'])).code).toBe(0)
  })

  it('ends with 3 where the key is refused: nothing was judged', async () => {
    const args = ['conformance', origin, '--key-env', 'THE_KEY', '--format', 'json']
    const { code, stdout, stderr } = await foreproof(args, { env: { THE_KEY: 'another-key' } })
    expect(code).toBe(3)
    expect(stdout + stderr).toMatch(/does not accept this key/)
    expect(stdout + stderr).not.toContain('another-key')
  })

  it('leaves out what a proxy keeps to itself, and says so', async () => {
    const args = ['conformance', origin, '--key-env', 'THE_KEY', '--no-probes']
    const { code, stdout } = await foreproof(args, { env: { THE_KEY: KEY } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/n\/a +metrics-count .*left out by --no-probes/)
  })

  it.each(['gzip', 'deflate'])('ends with words, and 3, on a body that is no %s', async (name) => {
    const server = await stranger((response) => {
      response.writeHead(200, { 'content-encoding': name }).end('this is none')
    })
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      for (const variant of ['static', 'dynamic']) {
        const { code, stderr } = await foreproof(['conformance', url, '--variant', variant])
        expect(code).toBe(3)
        expect(stderr).toMatch(/does not decompress/)
      }
    } finally {
      server.close()
    }
  })

  it('gives a verdict on an empty next_url', async () => {
    const out = join(folder, 'emptied')
    expect((await foreproof(['publish', '--history', history, '--out', out])).code).toBe(0)
    const head = join(out, 'service/api/v1/forecasts.json')
    const body = JSON.parse(readFileSync(head, 'utf8'))
    body.pagination.next_url = ''
    writeFileSync(head, JSON.stringify(body))
    const { code, stdout } = await foreproof(['conformance', out])
    expect(code).toBe(1)
    expect(stdout).toMatch(/FAILED +next-url/)
  })
})
