import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Metrics } from '../../../src/service/health/metrics.js'

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

  it('is told as the p95 of the last ten minutes, and as sum and count since the start', async () => {
    const metrics = new Metrics()
    const p95 = () => sampleOf(metrics, `${NAME}{quantile="0.95"}`)
    expect(await p95()).toBe(0)
    for (let at = 1; at <= 1000; at++) metrics.observe(200, at / 1000)
    expect(Math.abs((await p95()) / 0.95 - 1)).toBeLessThan(0.01)
    vi.advanceTimersByTime(6 * 60_000)
    expect(Math.abs((await p95()) / 0.95 - 1)).toBeLessThan(0.01)
    vi.advanceTimersByTime(6 * 60_000)
    expect(await p95()).toBe(0)
    expect(await sampleOf(metrics, `${NAME}_count`)).toBe(1000)
    expect(await sampleOf(metrics, `${NAME}_sum`)).toBeCloseTo(500.5)
  })
})

it('responses are counted by status', async () => {
  const metrics = new Metrics()
  for (const status of [200, 200, 503]) metrics.observe(status, 0.001)
  expect(await sampleOf(metrics, 'forecast_api_requests_total')).toBe(3)
  expect(await sampleOf(metrics, 'forecast_api_responses_total{status="200"}')).toBe(2)
  expect(await sampleOf(metrics, 'forecast_api_responses_total{status="503"}')).toBe(1)
})
