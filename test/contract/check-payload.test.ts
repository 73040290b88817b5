import { describe, expect, it } from 'vitest'
import { checkPayload } from '../../src/contract/check-payload.js'
import type { Finding } from '../../src/contract/findings/finding.js'
import { sample } from '../history/samples.js'
import { changedIn } from '../protocol/sample.js'

const brief = (findings: readonly Finding[]) =>
  findings.map(({ code, pointer }) => `${code} ${pointer}`)

const freshness = sample().freshness
const SNAPSHOT = '2026-01-02T04:00:00+00:00'

/** Three forecasts in reading order. */
const rows = () => [sample(), sample({ model: 'beta' }), sample({ horizon: 4 })]

const history = () => ({
  api_version: 'v1',
  data: rows(),
  pagination: { limit: 50, next_cursor: null },
  freshness,
})
const staticPage = () => ({
  api_version: 'v1',
  snapshot_at: SNAPSHOT,
  data: rows(),
  pagination: { page_size: 100, next_url: null },
  freshness,
})

describe('a forecast', () => {
  const interval = (low: number | null, median: number | null, high: number | null) => {
    return { level: 0.8, lower_usd: low, median_usd: median, upper_usd: high }
  }
  const unknown = (evidence: object, score = 0) => ({ score, label: 'unknown', evidence })
  const { lineage } = sample()

  it.each([
    ['an unknown member, which version 1 allows', '/model/extra', 1],
    ['a run without a time', '/run/generated_at', null],
    ['equal bounds', '/interval', interval(1, 1, 1)],
    ['no quantiles', '/interval', interval(null, null, null)],
    ['unknown agreement, explained', '/confidence', unknown({ reason: 'not recorded' })],
    ['no manifest with a reason', '/lineage', { ...lineage, manifest: null, manifest_reason: 'x' }],
  ])('accepts %s', (_name, pointer, value) => {
    expect(checkPayload('forecast', sample())).toEqual([])
    expect(checkPayload('forecast', changedIn(sample(), { [pointer]: value }))).toEqual([])
  })

  it('accepts an offset other than UTC', () => {
    const origin_at = '2026-01-01T01:00:00+01:00'
    const shifted = { ...sample(), origin_at, forecast_id: `${origin_at}:alpha:2` }
    expect(checkPayload('forecast', shifted)).toEqual([])
  })

  it.each([
    ['an id that is not its parts', '/forecast_id', 'x', 'forecast-id-mismatch'],
    ['a timestamp without offset', '/target_at', '2026-01-01T02:00:00', 'invalid-timestamp'],
    ['a day that is none', '/run/generated_at', '2026-02-30T07:00:00Z', 'invalid-timestamp'],
    ['a run time that is a number', '/run/generated_at', 5, 'wrong-type'],
    ['a target elsewhere', '/target_at', '2026-01-02T08:00:00+00:00', 'target-mismatch'],
    ['crossing bounds', '/interval', interval(49_000, 60_000, 52_000), 'interval-disordered'],
    ['one bound missing', '/interval', interval(null, 50_400, 52_000), 'interval-partly-null'],
    ['a level of 1', '/interval/level', 1, 'out-of-bounds'],
    ['a level of 0', '/interval/level', 0, 'out-of-bounds'],
    ['a price that is not a number', '/estimate/price_usd', Number.NaN, 'wrong-type'],
    ['an infinite change', '/estimate/change_pct', Number.POSITIVE_INFINITY, 'wrong-type'],
    ['a score above 1', '/confidence/score', 1.01, 'out-of-bounds'],
    ['no manifest and no reason', '/lineage/manifest', null, 'manifest-absence-unexplained'],
    ['another pair', '/lineage/source/pair', 'ETH/USD', 'wrong-value'],
    ['a horizon of 0', '/horizon_hours', 0, 'out-of-bounds'],
    ['a negative age', '/freshness/age_seconds', -1, 'out-of-bounds'],
    ['an unheard-of freshness', '/freshness/status', 'new', 'value-not-allowed'],
  ])('finds %s where it is', (_name, pointer, value, code) => {
    const findings = checkPayload('forecast', changedIn(sample(), { [pointer]: value }))
    expect(brief(findings)).toEqual([`${code} ${pointer}`])
  })

  it.each([
    ['an origin in another spelling', '/origin_at', '2026-01-01T00:00:00Z', ['forecast_id']],
    ['unknown agreement with a score', '/confidence', unknown({ x: 1 }, 0.5), ['confidence/score']],
    ['unknown agreement, unexplained', '/confidence', unknown({}), ['confidence/evidence']],
    [
      'a key of another row',
      '/lineage/history_key',
      { origin_at: '2026-01-02T04:00:00Z', model_name: 'b', horizon_hours: 5 },
      ['origin_at', 'model_name', 'horizon_hours'].map((name) => `lineage/history_key/${name}`),
    ],
  ])('finds %s at the member that is wrong', (_name, pointer, value, places) => {
    const findings = checkPayload('forecast', changedIn(sample(), { [pointer]: value }))
    expect(brief(findings)).toEqual(
      places.map((place) => expect.stringMatching(new RegExp(`-(mismatch|unknown) /${place}$`))),
    )
  })

  it.each([
    [1, ['price-implausible']],
    [67_000, []],
    [82_000, []],
    [83_000, ['price-implausible']],
  ])('warns of %d as a price where the source price is 50,000: %j', (price, codes) => {
    const estimate = { price_usd: price, change_pct: (price / 50_000 - 1) * 100 }
    const findings = checkPayload('forecast', { ...sample(), estimate })
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual(
      codes.map((code) => [code, 'warning']),
    )
  })

  it.each(Object.keys(sample()))('needs %s', (key) => {
    const { [key as 'model']: _gone, ...rest } = sample()
    expect(checkPayload('forecast', rest)).toMatchObject([
      { code: 'missing-key', args: { keys: [key] } },
    ])
  })
})

describe.each([
  ['history', history],
  ['static-page', staticPage],
] as const)('the page %s', (name, page) => {
  const checkPage = (value: unknown) => checkPayload(name, value)

  it('accepts a page, an empty one too', () => {
    expect(checkPage(page())).toEqual([])
    expect(checkPage({ ...page(), data: [] })).toEqual([])
  })

  it('finds rows out of order and rows twice', () => {
    const [a, b, c] = rows()
    expect(brief(checkPage({ ...page(), data: [b, a, c] }))).toEqual([
      'forecasts-out-of-order /data/1',
    ])
    expect(brief(checkPage({ ...page(), data: [a, a, c] }))).toEqual(['forecast-repeated /data/1'])
  })

  it('finds a page longer than it says', () => {
    const pagination = { limit: 2, page_size: 2, next_cursor: null, next_url: null }
    expect(brief(checkPage({ ...page(), pagination }))).toEqual(['page-too-long /data'])
  })

  it('applies the rules to every sound row beside a faulty one', () => {
    const [a, b, c] = rows()
    const data = [{ ...a, model: 5 }, { ...b, forecast_id: 'x' }, c]
    expect(brief(checkPage({ ...page(), data }))).toEqual([
      'wrong-type /data/0/model',
      'forecast-id-mismatch /data/1/forecast_id',
    ])
  })

  it('finds another version and a missing pagination', () => {
    const { pagination: _gone, ...rest } = page()
    expect(brief(checkPage({ ...rest, api_version: 'v2' })).sort()).toEqual([
      'missing-key ',
      'wrong-value /api_version',
    ])
  })
})

describe('the other bodies', () => {
  it('latest: needs a forecast, the static one may have none', () => {
    expect(checkPayload('latest', { api_version: 'v1', data: sample(), freshness })).toEqual([])
    expect(brief(checkPayload('latest', { api_version: 'v1', data: null, freshness }))).toEqual([
      'wrong-type /data',
    ])
    const empty = { api_version: 'v1', snapshot_at: SNAPSHOT, data: null, freshness }
    expect(checkPayload('static-latest', empty)).toEqual([])
    expect(
      brief(checkPayload('static-latest', { ...empty, data: { ...sample(), model: 1 } })),
    ).toEqual(['wrong-type /data/model'])
    expect(checkPayload('static-latest', { ...empty, data: 7 })).toMatchObject([
      { code: 'wrong-type', pointer: '/data', args: { expected: ['object', 'null'], found: '7' } },
    ])
  })

  const stages = { history: { health: 'healthy', circuit_state: 'closed' } }
  const data = { checked_at: SNAPSHOT, status: 'degraded', freshness, stages }
  const attempt = { origin_at: SNAPSHOT, model_name: 'a', horizon_hours: 2, reason: 'timeout' }
  const event = {
    ...{ timestamp: SNAPSHOT, method: 'GET', path: '/v1/forecasts', remote_address: '127.0.0.1' },
    ...{ status: 200, latency_seconds: 0.002, forecast_ids: [], key_fingerprint: null },
  }

  it.each([
    [
      'error',
      { api_version: 'v1', error: { code: 'rate_limited', message: 'no' } },
      { '/error/code': 'unauthorized' },
      ['value-not-allowed /error/code'],
    ],
    [
      'health',
      { api_version: 'v1', data },
      { '/data/stages/history/health': 'open' },
      ['value-not-allowed /data/stages/history/health'],
    ],
    [
      'attempt',
      { ...attempt, status: 'failed' },
      { '/status': 'missing', '/reason': '' },
      ['empty-text /reason', 'value-not-allowed /status'],
    ],
    ['audit-event', event, { '/status': 99 }, ['out-of-bounds /status']],
  ] as const)('%s: what its members may be', (name, body, changes, expected) => {
    expect(checkPayload(name, body)).toEqual([])
    expect(brief(checkPayload(name, changedIn(body, changes))).sort()).toEqual(expected)
  })
})
