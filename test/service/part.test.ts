import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkForecast } from '../../src/contract/check-payload.js'
import { holds } from '../../src/contract/finding.js'
import { formatStored, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { HistoryRow, OriginRow, RawValue } from '../../src/history/types.js'
import { ContractBreach } from '../../src/service/bodies.js'
import { writeLean } from '../../src/service/lean.js'
import { partOf, partTheLongWay } from '../../src/service/part.js'
import { Sheet } from '../../src/service/sheet.js'

const HOUR = 1_767_225_600_000_000
const one = <T>(...values: T[]) => fc.constantFrom(...values)
const price = fc.double({ min: 1, max: 1e6, noNaN: true })
/** What SQLite may hold where a number belongs, now and then. */
const odd = one<RawValue>(
  null,
  'text',
  '1',
  Number.POSITIVE_INFINITY,
  -0,
  1e-7,
  1e21,
  -5,
  new Uint8Array([1]),
)
const mostly = (usual: fc.Arbitrary<RawValue>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })

const originRow: fc.Arbitrary<OriginRow> = fc.record({
  originAt: fc.constant(formatStored(HOUR)),
  generatedAt: mostly(one<RawValue>(null, formatStored(HOUR + 5), '2026-01-01T00:01:00Z')),
  sourceName: mostly(one<RawValue>('coinbase', 'börse "x"', null)),
  pair: mostly(one<RawValue>('BTC/USD', null)),
  sourcePriceUsd: mostly(price),
  runId: mostly(one<RawValue>('run-1', null, 'ラン')),
  configurationId: mostly(one<RawValue>('configuration', null, 'a"b\\c\u2028')),
  manifestJson: one<RawValue>('{"a":1,"é":[null]}', null, '{broken', '[]'),
})

const hoursOf = (horizon: RawValue) => (horizon === 4 || horizon === 8 ? horizon : 2)

const rowOf = (origin: OriginRow): fc.Arbitrary<HistoryRow> =>
  fc
    .record({
      model: mostly(one<RawValue>('ridge', 'kernel "ü"', 'm\\n')),
      horizonHours: mostly(one<RawValue>(2, 4, 8, 8_000_000_000_000_000)),
      shift: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 9 })),
      priceUsd: mostly(price),
      changePct: mostly(fc.double({ min: -50, max: 50, noNaN: true })),
      quantiles: fc.oneof(
        {
          weight: 8,
          arbitrary: fc.tuple(price, price, price).map((all) => all.sort((a, b) => a - b)),
        },
        { weight: 2, arbitrary: fc.constant<RawValue[]>([null, null, null]) },
        { weight: 1, arbitrary: fc.tuple(mostly(price), mostly(price), mostly(price)) },
      ),
      modelAgreement: mostly(
        fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(null)),
      ),
    })
    .map(({ shift, quantiles, ...row }) => ({
      ...row,
      originAt: origin.originAt,
      targetAt: formatStored(HOUR + hoursOf(row.horizonHours) * MICROS_PER_HOUR + shift),
      q10Usd: quantiles[0] ?? null,
      q50Usd: quantiles[1] ?? null,
      q90Usd: quantiles[2] ?? null,
      origin,
      provenance: undefined,
      whole: null,
    }))

const attempt = (make: () => unknown): unknown => {
  try {
    return make()
  } catch (error) {
    if (error instanceof ContractBreach) return 'breach'
    throw error
  }
}

describe('the short way and the long way', () => {
  it('come to the same text, or to the same refusal, whatever a row holds', () => {
    let short = 0
    fc.assert(
      fc.property(
        originRow.chain((origin) => fc.array(rowOf(origin), { minLength: 1, maxLength: 20 })),
        (rows) => {
          for (const row of rows) {
            // What rows before it left behind must not change what becomes of a row.
            if (writeLean(row, new Sheet()) !== undefined) short++
            expect(attempt(() => partOf(row))).toEqual(attempt(() => partTheLongWay(row)))
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(short).toBeGreaterThan(500)
  })

  it('give JSON in ASCII that the contract accepts once its freshness is there', () => {
    fc.assert(
      fc.property(
        originRow.chain((origin) => rowOf(origin)),
        (row) => {
          const part = attempt(() => partOf(row))
          fc.pre(part !== 'breach')
          const { head, id } = part as { head: string; id: string }
          expect(head).toMatch(/^[\x20-\x7e]*$/)
          const freshness =
            '{"observed_at":"2026-01-01T00:00:00Z","age_seconds":1.5,"status":"stale"}'
          const resource = JSON.parse(`${head}${freshness}}`)
          expect(holds(checkForecast(resource))).toBe(true)
          expect(JSON.parse(id)).toBe(resource.forecast_id)
        },
      ),
    )
  })
})
