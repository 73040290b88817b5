import { expect } from 'vitest'
import type { Got } from './http.js'

/** As the specification writes them; not imported, for a test should notice when they change. */
export const MEDIA_TYPE = 'application/vnd.service.forecast.v1+json'
export const TEXT_TYPE = 'text/plain; charset=utf-8'
const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** What every JSON answer has, and what none has. */
export function expectJson(got: Got, status: number): void {
  expect(got.status, got.text).toBe(status)
  expect(got.headers['content-type']).toBe(MEDIA_TYPE)
  expect(got.headers['cache-control']).toBe('no-store')
  expect(Number(got.headers['content-length'])).toBe(Buffer.byteLength(got.text))
  expect(got.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{8,128}$/)
  expect(got.json.api_version).toBe('v1')
  for (const name of ['etag', 'last-modified', 'server', 'x-powered-by', 'set-cookie']) {
    expect(got.headers[name], name).toBeUndefined()
  }
  // Asked for without Accept-Encoding: as it is, and said where it might have been compressed.
  expect(got.headers['content-encoding']).toBeUndefined()
  expect(got.headers.vary).toBe(got.text.length < 2048 ? undefined : 'Accept-Encoding')
}

export function expectError(got: Got, status: number, code: string): void {
  expectJson(got, status)
  expect(Object.keys(got.json).sort()).toEqual(['api_version', 'error'])
  expect(Object.keys(got.json.error).sort()).toEqual(['code', 'message'])
  expect(got.json.error.code).toBe(code)
  expect(got.json.error.message).toMatch(/^\S.*[.>?]$/)
  // No path of the file system, no stack trace.
  expect(got.text).not.toMatch(/\/tmp|\.sqlite|\.json"|\bat .*:\d+/)
  expect(got.headers['retry-after'] !== undefined, 'Retry-After').toBe(status === 429)
  expect(got.headers['www-authenticate'], 'WWW-Authenticate').toBe(
    status === 401 ? 'Bearer' : undefined,
  )
}

export function expectFreshness(freshness: unknown, at: { origin?: string; status?: string }) {
  expect(freshness).toEqual({
    observed_at: expect.stringMatching(STAMP),
    age_seconds: expect.any(Number),
    status: expect.stringMatching(/^(fresh|stale|unknown)$/),
  })
  const { observed_at, age_seconds, status } = freshness as Record<string, string | number>
  expect(age_seconds).toBeGreaterThanOrEqual(0)
  if (at.origin !== undefined) {
    expect(observed_at).toBe(at.origin)
    const age = (Date.now() - Date.parse(at.origin)) / 1000
    expect(Math.abs(age - Number(age_seconds))).toBeLessThan(30)
  }
  if (at.status !== undefined) expect(status).toBe(at.status)
}

/** Every field of the forecast resource, with its type and the rules that tie fields together. */
// biome-ignore lint/suspicious/noExplicitAny: a body, looked into member by member
export function expectForecast(forecast: any): void {
  const { origin_at, target_at, horizon_hours, model, interval, confidence, lineage } = forecast
  expect(forecast).toEqual({
    forecast_id: `${origin_at}:${model.name}:${horizon_hours}`,
    origin_at: expect.stringMatching(STAMP),
    target_at: expect.stringMatching(STAMP),
    horizon_hours: expect.any(Number),
    model: { name: expect.any(String), configuration_id: 'configuration-1' },
    estimate: { price_usd: expect.any(Number), change_pct: expect.any(Number) },
    interval: {
      level: 0.8,
      lower_usd: interval.lower_usd,
      median_usd: interval.median_usd,
      upper_usd: interval.upper_usd,
    },
    confidence: {
      score: expect.any(Number),
      label: expect.any(String),
      evidence: expect.any(Object),
    },
    run: { id: expect.any(String), generated_at: expect.stringMatching(STAMP) },
    lineage: expect.objectContaining({
      history_key: { origin_at, model_name: model.name, horizon_hours },
      source: { name: 'made', pair: 'BTC/USD', price_usd: expect.any(Number) },
    }),
    freshness: forecast.freshness,
  })
  if (interval.lower_usd === null) {
    expect([interval.median_usd, interval.upper_usd]).toEqual([null, null])
    expect(confidence).toMatchObject({ score: 0, label: 'unknown' })
    expect(Object.keys(confidence.evidence).length).toBeGreaterThan(0)
  } else {
    expect(interval.lower_usd).toBeLessThanOrEqual(interval.median_usd)
    expect(interval.median_usd).toBeLessThanOrEqual(interval.upper_usd)
    expect(confidence).toMatchObject({ score: 0.75, label: 'model_agreement' })
  }
  const { manifest, ...rest } = lineage
  if (manifest === null) expect(Object.values(rest).some((v) => typeof v === 'string')).toBe(true)
  else expect(manifest).toMatchObject({ schema_version: 1 })
  expect(Date.parse(target_at) - Date.parse(origin_at)).toBe(horizon_hours * 3_600_000)
  expectFreshness(forecast.freshness, { origin: origin_at })
}
