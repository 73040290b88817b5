import { describe, expect, it } from 'vitest'
import { expectError, expectJson, MEDIA_TYPE } from '../../support/service/expect.js'
import { get } from '../../support/service/http.js'
import { KEY, OTHER_KEY, serve } from '../../support/service/serve.js'

const served = await serve()

const ROUTES = ['/v1/forecasts/latest', '/v1/forecasts?limit=1', '/v1/health']

// Every form of the header is tried in test/service/http/negotiate.test.ts.
describe('Accept', () => {
  it.each(ROUTES)('decides on %s', async (route) => {
    const by = (Accept: string | string[]) => served.get(route, { headers: { Accept } })
    expectJson(await served.get(route), 200)
    // It may come in several lines.
    for (const accept of [`text/html, ${MEDIA_TYPE}`, ['text/html', MEDIA_TYPE]]) {
      expectJson(await by(accept), 200)
    }
    for (const accept of ['text/html', 'application/json', `${MEDIA_TYPE};q=0`]) {
      expectError(await by(accept), 406, 'not_acceptable')
    }
  })
})

// Every form of the header is tried in test/service/keys/keys.test.ts.
describe('the API key', () => {
  it.each(ROUTES)('opens %s', async (route) => {
    const by = (Authorization: string) => served.get(route, { headers: { Authorization } })
    for (const key of [KEY, OTHER_KEY]) expectJson(await by(`Bearer ${key}`), 200)
    for (const other of ['', KEY, `Bearer ${KEY}x`, `Bearer ${'x'.repeat(5000)}`]) {
      const got = await by(other)
      expectError(got, 401, 'invalid_request')
      expect(got.headers.ratelimit).toBeUndefined()
    }
  })

  it('counts only in its header, and only once', async () => {
    const keyless = (path: string, headers = {}) => get(served.port, path, { headers })
    for (const got of [
      await keyless(`/v1/health?key=${KEY}`),
      await keyless('/v1/health', { 'X-Api-Key': KEY }),
      await keyless('/v1/health', { Authorization: [`Bearer ${KEY}`, `Bearer ${KEY}`] }),
    ]) {
      expectError(got, 401, 'invalid_request')
    }
  })
})

describe('the order of the checks', () => {
  const bad = { Authorization: 'Bearer wrong', Accept: 'text/html' }
  it('is method, media type, key, limit, route', async () => {
    const by = (headers: Record<string, string>, method = 'GET') =>
      get(served.port, '/nowhere?x', { method, headers })
    expectError(await by(bad, 'POST'), 400, 'invalid_request')
    expectError(await by(bad), 406, 'not_acceptable')
    expectError(await by({ Authorization: 'Bearer wrong' }), 401, 'invalid_request')
    expectError(await served.get('/nowhere?x'), 400, 'invalid_request')
  })

  it('asks the limit before the route, and counts every answer but the refused', async () => {
    const limited = await serve({ env: { BTC_FORECAST_API_RATE_LIMIT: '3' } })
    expectError(await get(limited.port, '/v1/health'), 401, 'invalid_request')
    expectError(await limited.get('/v1/health', { method: 'PUT' }), 400, 'invalid_request')
    const other = { headers: { Accept: 'a/b' } }
    expectError(await limited.get('/v1/health', other), 406, 'not_acceptable')
    // None of those counted; these do, with any answer.
    expectJson(await limited.get('/v1/health'), 200)
    expectError(await limited.get('/nowhere'), 400, 'invalid_request')
    expectError(await limited.get('/v1/forecasts?limit=0'), 400, 'invalid_request')
    expectError(await limited.get('/nowhere'), 429, 'rate_limited')
    expectError(await limited.get('/v1/health'), 429, 'rate_limited')
    // Another key has a window of its own.
    const headers = { Authorization: `Bearer ${OTHER_KEY}` }
    expectJson(await limited.get('/v1/health', { headers }), 200)
    // Probes are not limited.
    for (let turn = 0; turn < 5; turn++) {
      expect((await get(limited.port, '/livez')).status).toBe(200)
    }
  })
})

describe('the rate limit', () => {
  it('is 60 a minute by default and shown in every answer', async () => {
    const plain = await serve({ env: { BTC_FORECAST_API_RATE_LIMIT: '' } })
    const began = performance.now()
    for (let left = 59; left >= 0; left--) {
      const got = await plain.get('/v1/health')
      expectJson(got, 200)
      expect(got.headers['ratelimit-policy']).toBe('"default";q=60;w=60')
      expect(got.headers.ratelimit).toMatch(new RegExp(`^"default";r=${left};t=(60|[1-5]?[0-9])$`))
    }
    const refused = await plain.get('/v1/health')
    expectError(refused, 429, 'rate_limited')
    // The first request leaves the window a minute after it came.
    const passed = (performance.now() - began) / 1000
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(60 - passed)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.headers.ratelimit).toBe(`"default";r=0;t=${refused.headers['retry-after']}`)
  })

  it('slides: waiting for Retry-After is enough, and a second less is not', async () => {
    const env = { BTC_FORECAST_API_RATE_LIMIT: '2', BTC_FORECAST_API_RATE_WINDOW_SECONDS: '3' }
    const limited = await serve({ env })
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    // Of each request the two instants between which it came, in seconds: no machine is always on time.
    const ask = async () => {
      const sent = performance.now() / 1000
      const got = await limited.get('/v1/health')
      return { got, sent, answered: performance.now() / 1000 }
    }
    const first = await ask()
    expectJson(first.got, 200)
    await wait(1500)
    const second = await ask()
    expectJson(second.got, 200)
    let asked = await ask()
    for (let enough = Number.POSITIVE_INFINITY; asked.got.status === 429; asked = await ask()) {
      expectError(asked.got, 429, 'rate_limited')
      const seconds = Number(asked.got.headers['retry-after'])
      // The first request leaves the window 3 s after it came: a second less is too early.
      expect(seconds).toBeGreaterThanOrEqual(Math.ceil(first.sent + 2.99 - asked.answered))
      expect(seconds).toBeLessThanOrEqual(Math.ceil(first.answered + 3 - asked.sent))
      expect(asked.sent).toBeLessThan(enough)
      enough = Math.min(enough, asked.answered + seconds)
      await wait(50)
    }
    expectJson(asked.got, 200)
    expect(asked.answered - first.sent).toBeGreaterThan(2.99)
    // Refused requests did not count, the second one still does until it leaves the window.
    const last = await ask()
    if (last.answered - second.sent < 3) expectError(last.got, 429, 'rate_limited')
  })
})
