import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Metrics } from '../../../src/service/health/metrics.js'
import { NO_CALLER } from '../../../src/service/keys/keys.js'

const NAME = 'forecast_api_request_latency_seconds'

async function sampleOf(metrics: Metrics, name: string): Promise<number> {
  const line = (await metrics.render()).split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

describe('the latency of requests', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is given as the p95 of the last ten minutes, and as sum and count since the start', async () => {
    const metrics = new Metrics()
    const p95 = () => sampleOf(metrics, `${NAME}{quantile="0.95"}`)
    expect(await p95()).toBe(0)
    for (let at = 1; at <= 1000; at++) metrics.observe('/v1/health', 200, at / 1000, NO_CALLER)
    expect(Math.abs((await p95()) / 0.95 - 1)).toBeLessThan(0.01)
    vi.advanceTimersByTime(6 * 60_000)
    expect(Math.abs((await p95()) / 0.95 - 1)).toBeLessThan(0.01)
    vi.advanceTimersByTime(6 * 60_000)
    expect(await p95()).toBe(0)
    expect(await sampleOf(metrics, `${NAME}_count`)).toBe(1000)
    expect(await sampleOf(metrics, `${NAME}_sum`)).toBeCloseTo(500.5)
  })
})

it('latency is counted by route in buckets, with one place for every other path', async () => {
  const metrics = new Metrics()
  const routes = async () => [
    ...new Set(
      [...(await metrics.render()).matchAll(/route="([^"]*)"/g)].map(([, route]) => route),
    ),
  ]
  const known = ['/v1/forecasts', '/v1/forecasts/latest', '/v1/health', 'other']
  expect(await routes()).toEqual(known)
  for (let at = 0; at < 50; at++) metrics.observe(`/v1/${at}`, 400, 0.003, NO_CALLER)
  metrics.observe('/v1/forecasts', 200, 0.2, NO_CALLER)
  expect(await routes()).toEqual(known)
  const bucket = (le: string, route: string) =>
    sampleOf(metrics, `forecast_api_route_latency_seconds_bucket{le="${le}",route="${route}"}`)
  expect([await bucket('0.001', 'other'), await bucket('0.005', 'other')]).toEqual([0, 50])
  expect([await bucket('0.1', '/v1/forecasts'), await bucket('0.5', '/v1/forecasts')]).toEqual([
    0, 1,
  ])
})

describe('the figures of keys', () => {
  const alice = { name: 'alice', sha256: 'a', expiresAt: 5000 }
  const bob = { name: 'bob', sha256: 'b' }
  const by = (key: { name: string; sha256: string }) => ({ accepted: true, fingerprint: 'f', key })

  it('are by name, and forgotten with the key', async () => {
    const metrics = new Metrics()
    metrics.countKeys(() => [alice, bob])
    metrics.nameKeys([alice, bob])
    for (const status of [200, 429]) metrics.observe('/v1/health', status, 0.001, by(alice))
    const figures = () =>
      Promise.all([
        sampleOf(metrics, 'forecast_api_keys'),
        sampleOf(metrics, 'forecast_api_key_requests_total{key="alice"}'),
        sampleOf(metrics, 'forecast_api_key_limited_total{key="alice"}'),
        sampleOf(metrics, 'forecast_api_key_expiry_timestamp_seconds{key="alice"}'),
        sampleOf(metrics, 'forecast_api_key_requests_total{key="bob"}'),
      ])
    expect(await figures()).toEqual([2, 2, 1, 5, 0])
    metrics.nameKeys([bob])
    // An answer that was on its way.
    metrics.observe('/v1/health', 200, 0.001, by(alice))
    metrics.observe('/v1/health', 200, 0.001, by(bob))
    expect(await figures()).toEqual([2, Number.NaN, Number.NaN, Number.NaN, 1])
  })

  it('count as failed what had no accepted key, and no other refusals', async () => {
    const metrics = new Metrics()
    for (const status of [400, 401, 406, 429])
      metrics.observe('/v1/health', status, 0.001, NO_CALLER)
    metrics.observe('/v1/health', 429, 0.001, by(bob))
    expect(await sampleOf(metrics, 'forecast_api_authentication_failures_total')).toBe(2)
  })
})

it.each(['operating.md', 'operating/alerts.yml', 'operating/dashboard.json'])(
  'every figure that docs/%s names is one of the page',
  async (file) => {
    const metrics = new Metrics()
    metrics.withLimiter()
    const page = await metrics.render()
    const known = [...page.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')
    const named = new Set(
      [...text.matchAll(/\b(?:forecast_api|process)_\w+/g)].map(([name]) =>
        name.replace(/_(?:sum|count|bucket)$/, ''),
      ),
    )
    named.delete('forecast_api_reads')
    expect(named.size).toBeGreaterThan(10)
    expect(known).toEqual(expect.arrayContaining([...named]))
  },
)
