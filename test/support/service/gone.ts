import { expect } from 'vitest'
import { expectError, expectJson } from './expect.js'
import { get } from './http.js'
import { type Options, type Served, serve } from './serve.js'

export const serveUnprivileged = (options: Options = {}) =>
  serve({ ...options, unprivileged: true })

export const FORECASTS = [
  '/v1/forecasts/latest',
  '/v1/forecasts',
  '/v1/forecasts?model=nobody',
] as const

/** The statuses of a service that has lost its history, or its health report. */
export async function expectGone(served: Served, lost: 'history' | 'report'): Promise<void> {
  for (const route of FORECASTS) {
    expectError(await served.get(route), 503, 'history_unavailable')
  }
  const health = await served.get('/v1/health')
  if (lost === 'report') expectError(health, 503, 'history_unavailable')
  else {
    expectJson(health, 200)
    expect(health.json.data.status).toBe('unavailable')
    expect(health.json.data.freshness.status).toBe('unknown')
  }
  expect((await get(served.port, '/readyz')).status).toBe(503)
  expect((await get(served.port, '/livez')).status).toBe(200)
  // What is wrong with a request is said all the same.
  expectError(await served.get('/v1/forecasts?limit=0'), 400, 'invalid_request')
}

export async function expectWell(served: Served): Promise<void> {
  for (const route of FORECASTS) expectJson(await served.get(route), 200)
  const health = await served.get('/v1/health')
  expect(health.json?.data?.status).toBe('healthy')
  expect((await get(served.port, '/readyz')).status).toBe(200)
}
