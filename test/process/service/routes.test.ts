import { describe, expect, it } from 'vitest'
import {
  expectError,
  expectForecast,
  expectFreshness,
  expectJson,
  TEXT_TYPE,
} from '../../support/service/expect.js'
import { idsOf, stamp, thisHour } from '../../support/service/history.js'
import { get } from '../../support/service/http.js'
import { serve } from '../../support/service/serve.js'

const served = await serve()

const PROBES = ['/livez', '/readyz', '/metrics']
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE']

describe('GET /v1/forecasts/latest', () => {
  it('gives the first forecast of the greatest origin', async () => {
    const got = await served.get('/v1/forecasts/latest')
    expectJson(got, 200)
    expect(Object.keys(got.json).sort()).toEqual(['api_version', 'data', 'freshness'])
    expect(got.json.data.forecast_id).toBe(`${stamp(thisHour())}:alpha:2`)
    expectForecast(got.json.data)
    expectFreshness(got.json.freshness, { origin: got.json.data.origin_at, status: 'fresh' })
  })

  it('takes no parameter, not even one of the history; a query without one is none', async () => {
    for (const query of ['cursor=x', 'x']) {
      expectError(await served.get(`/v1/forecasts/latest?${query}`), 400, 'invalid_request')
    }
    expectJson(await served.get('/v1/forecasts/latest?'), 200)
  })
})

it('GET /v1/forecasts gives fifty forecasts in order, with a cursor, and freshness at both levels', async () => {
  const got = await served.get('/v1/forecasts')
  expectJson(got, 200)
  expect(Object.keys(got.json).sort()).toEqual(['api_version', 'data', 'freshness', 'pagination'])
  const ids = got.json.data.map((forecast: { forecast_id: string }) => forecast.forecast_id)
  expect(ids).toEqual(idsOf(served.historyPath).slice(0, 50))
  for (const forecast of got.json.data) expectForecast(forecast)
  expect(got.json.pagination).toEqual({ limit: 50, next_cursor: expect.any(String) })
  expectFreshness(got.json.freshness, { origin: stamp(thisHour()), status: 'fresh' })
  const old = got.json.data.at(-1)
  expectFreshness(old.freshness, { origin: old.origin_at, status: 'stale' })
})

describe('methods and paths', () => {
  it.each(PROBES)('refuses every method but GET and HEAD on %s', async (route) => {
    for (const method of METHODS) {
      expectError(await get(served.port, route, { method }), 400, 'invalid_request')
    }
  })

  it('matches paths exactly', async () => {
    const wrong = `/ /v1 /v1/ /v2/forecasts /V1/forecasts /v1/forecasts/ /v1//forecasts
      /v1%2Fforecasts /v1/%66orecasts /v1/forecasts/latest/ /v1/forecasts/latest.json
      /v1/forecasts/2026 /v1/./forecasts /v1/forecasts;x=1 /v1/health/ /livez/ /favicon.ico
      /service/api/v1/forecasts.json`.split(/\s+/)
    for (const path of wrong) expectError(await served.get(path), 400, 'invalid_request')
  })
})

describe('probes', () => {
  it('answer HEAD as GET, without the body', async () => {
    for (const probe of PROBES) {
      const got = await get(served.port, probe)
      const head = await get(served.port, probe, { method: 'HEAD' })
      expect([head.status, head.text], probe).toEqual([200, ''])
      expect(head.headers['content-type']).toBe(got.headers['content-type'])
      if (probe !== '/metrics') {
        expect(head.headers['content-length']).toBe(got.headers['content-length'])
      }
    }
  })

  it('do not negotiate, and take any query, also one that no other route could read', async () => {
    const headers = { Accept: 'text/html' }
    for (const query of ['?', '?verbose', '?a=1&a=2', '?timeout=5s&x=%zz', '?%ff']) {
      const ask = (probe: string) => get(served.port, probe + query, { headers })
      const answers = [await ask('/livez'), await ask('/readyz')]
      expect(answers.map(({ text }) => text)).toEqual(['ok\n', 'ready\n'])
      for (const { headers } of answers) {
        expect([headers['content-type'], headers.ratelimit]).toEqual([TEXT_TYPE, undefined])
      }
      expect((await ask('/metrics')).status).toBe(200)
    }
  })

  it('counts requests and answers by status in the exposition format', async () => {
    const { headers } = await get(served.port, '/metrics')
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const statuses = [200, 400, 401].map((status) => `responses_total{status="${status}"}`)
    const others = ['requests_total', 'request_latency_seconds_count']
    const names = [...statuses, ...others, 'history_read_failures_total']
    // One that was not counted yet is not there.
    const figures = () => Promise.all(names.map(async (name) => (await served.figure(name)) || 0))
    const before = await figures()
    await served.get('/v1/health')
    await served.get('/v1/health?x=1')
    await get(served.port, '/v1/health')
    const grown = (await figures()).map((figure, at) => figure - before[at]!)
    expect(grown).toEqual([1, 1, 1, 3, 3, 0])
    expect(await served.figure('request_latency_seconds{quantile="0.95"}')).toBeGreaterThan(0)
  })

  it('say how old the newest origin is', async () => {
    const before = (Date.now() - thisHour()) / 1000
    const shown = await served.figure('newest_origin_age_seconds')
    expect(shown).toBeGreaterThanOrEqual(before)
    expect(shown).toBeLessThanOrEqual((Date.now() - thisHour()) / 1000)
  })
})
