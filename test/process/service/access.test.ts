import { describe, expect, it } from 'vitest'
import { expectError, expectJson, MEDIA_TYPE } from '../../support/service/expect.js'
import { get } from '../../support/service/http.js'
import { KEY, OTHER_KEY, serve } from '../../support/service/serve.js'

const served = await serve()

// What conformance judges (keys, Accept, the order of the checks, Retry-After) a service is asked for in test/conformance/sound.test.ts;
// every form of both headers is tried in test/service.
describe('headers', () => {
  const by = (path: string, headers: Record<string, string | string[]>) =>
    get(served.port, path, { headers })

  it('may have Accept in several lines', async () => {
    const Accept = ['text/html', MEDIA_TYPE]
    expectJson(await served.get('/v1/health', { headers: { Accept } }), 200)
  })

  it('have one of the keys, in Authorization alone and only once', async () => {
    expectJson(await by('/v1/health', { Authorization: `Bearer ${OTHER_KEY}` }), 200)
    for (const got of [
      await by(`/v1/health?key=${KEY}`, {}),
      await by('/v1/health', { Authorization: [`Bearer ${KEY}`, `Bearer ${KEY}`] }),
    ]) {
      expectError(got, 401, 'invalid_request')
      expect(got.headers.ratelimit).toBeUndefined()
    }
  })
})

describe('the limit', () => {
  it('is asked before the route, and counts every answer but the refused', async () => {
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
})
