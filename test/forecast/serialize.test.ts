import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContractBreach } from '../../src/contract/breach.js'
import { checkForecast } from '../../src/contract/check-payload.js'
import { hasNoErrors } from '../../src/contract/findings/finding.js'
import { formatStored, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { readDocument } from '../../src/document/read.js'
import { asciiJson } from '../../src/forecast/ascii.js'
import { resourceOf } from '../../src/forecast/resource.js'
import type { HistoryRow, OriginRow, ProvenanceRow, RawValue } from '../../src/forecast/row.js'
import {
  forecastSerializer,
  type SerializedForecast,
  serializeForecast,
} from '../../src/forecast/serialize.js'

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
  Number.MAX_SAFE_INTEGER,
  -(2 ** 53),
  1e20,
  'x\uffff',
  'x\ud83f\udffe',
  '\ud800',
  1e21,
  -5,
  new Uint8Array([1]),
)
const mostly = (usual: fc.Arbitrary<RawValue>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })

/** Values of JSON as a producer may spell them, good and bad (RFC 7493, sections 2.1 to 2.3). */
const spelled = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    one(
      '0',
      '-1.5',
      'null',
      '9007199254740991',
      '1.0',
      '1e300',
      '1e-7',
      '"é\\n"',
      '"\\ud83d\\ude00"',
    ),
    one('1e-400', '1e400', '-1e999', '9007199254740992', '1767225600000000001', '1e20', '1e21'),
    one('"\\ud800"', '"\\uFFFF"', '"\ufdd0"', '"\ud83f\udfff"', '"\\ud83f\\udfff"', 'NaN', '01'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.integer({ min: 50, max: 70 }).map((deep) => '['.repeat(deep) + ']'.repeat(deep)),
  ),
  object: fc
    .array(fc.tuple(one('a', 'b', 'c', '\\u0061', '__proto__', 'd\uffff'), tie('value')), {
      maxLength: 3,
    })
    .map((members) => `{${members.map(([name, value]) => `"${name}": ${value}`).join(',')}}`),
}))

const originRow: fc.Arbitrary<OriginRow> = fc.record({
  originAt: fc.constant(formatStored(HOUR)),
  generatedAt: mostly(one<RawValue>(null, formatStored(HOUR + 5), '2026-01-01T00:01:00Z')),
  sourceName: mostly(one<RawValue>('coinbase', 'börse "x"', null)),
  pair: mostly(one<RawValue>('BTC/USD', null)),
  sourcePriceUsd: mostly(price),
  runId: mostly(one<RawValue>('run-1', null, 'ラン')),
  configurationId: mostly(one<RawValue>('configuration', null, 'a"b\\c\u2028')),
  manifestJson: fc.oneof(
    one<RawValue>('{"a":1,"é":[null]}', null, '{broken', '[]', Buffer.from('{"a":1}')),
    spelled.object,
  ),
})

const provenanceRow: fc.Arbitrary<ProvenanceRow> = fc.record({
  inputAvailableAt: one<RawValue>(null, formatStored(HOUR - 5)),
  selectionDataThrough: one<RawValue>(null, formatStored(HOUR - 10)),
  vintageId: one<RawValue>(null, 'v "1" é'),
  vintageSha256: one<RawValue>(null, 'a'.repeat(64)),
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
      provenance: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, provenanceRow),
    })
    .map(({ shift, quantiles, ...row }) => ({
      ...row,
      originAt: origin.originAt,
      targetAt: formatStored(HOUR + hoursOf(row.horizonHours) * MICROS_PER_HOUR + shift),
      q10Usd: quantiles[0] ?? null,
      q50Usd: quantiles[1] ?? null,
      q90Usd: quantiles[2] ?? null,
      origin,
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

/** Checks what is made of made rows, of those that a resource can say. */
function forEveryForecast(
  numRuns: number,
  check: (forecast: SerializedForecast, row: HistoryRow) => void,
): void {
  const rows = originRow.chain((origin) => rowOf(origin))
  const property = fc.property(rows, (row) => {
    const forecast = attempt(() => serializeForecast(row))
    fc.pre(forecast !== 'breach')
    check(forecast as SerializedForecast, row)
  })
  fc.assert(property, { numRuns })
}

describe('a serialized forecast', () => {
  it('is JSON in ASCII that the contract accepts once its freshness is there', () => {
    forEveryForecast(100, ({ head, id }) => {
      expect(head).toMatch(/^[\x20-\x7e]*$/)
      const freshness = '{"observed_at":"2026-01-01T00:00:00Z","age_seconds":1.5,"status":"stale"}'
      const resource = JSON.parse(`${head}${freshness}}`)
      expect(hasNoErrors(checkForecast(resource))).toBe(true)
      expect(id).toBe(resource.forecast_id)
    })
  })

  it('says what the resource says, in the order of its members', () => {
    forEveryForecast(300, ({ head }, row) => {
      const freshness = { observed_at: '2026-01-01T00:00:00Z', age_seconds: 1.5, status: 'stale' }
      const resource = { ...resourceOf(row), freshness }
      expect(`${head}${JSON.stringify(freshness)}}`).toBe(asciiJson(resource))
    })
  })

  it('gives a reason for a pair and a source that were not recorded, and for no other', () => {
    forEveryForecast(300, ({ head }, row) => {
      const { lineage } = JSON.parse(`${head}null}`)
      expect(lineage.source.pair).toBe('BTC/USD')
      const reason = (value: RawValue | undefined) => (value === null ? 'not_recorded' : undefined)
      expect(lineage.pair_reason).toBe(reason(row.origin?.pair))
      expect(lineage.source_reason).toBe(reason(row.origin?.sourceName))
    })
  })

  it('goes out so that a strict reader of the page reads what is stored', () => {
    const bytes = (text: string) => Buffer.from(text)
    const manifests = { shown: 0, unreadable: 0 }
    forEveryForecast(1000, ({ head }, row) => {
      const read = readDocument(bytes(`{"data":[${head}null}]}`), 'page')
      if (!read.ok) throw new Error(JSON.stringify(read.findings))
      const [sent] = (read.value as { data: { lineage: Record<string, unknown> }[] }).data
      const stored = row.origin?.manifestJson ?? null
      if (stored === null) return
      const own = readDocument(bytes(String(stored)), 'manifest')
      if (sent?.lineage.manifest === null) {
        manifests.unreadable++
        expect(sent.lineage.manifest_reason).toBe('unreadable')
        return
      }
      manifests.shown++
      // What the strict reader makes of the stored text, and nothing else.
      expect(sent?.lineage.manifest).toEqual(own.ok ? own.value : 'refused')
    })
    expect(manifests.shown).toBeGreaterThan(50)
    expect(manifests.unreadable).toBeGreaterThan(50)
  })

  it('does not depend on the rows before it', () => {
    const origins = fc.array(originRow, { minLength: 1, maxLength: 4 })
    const rows = origins.chain((all) =>
      fc.tuple(...all.map((origin) => fc.array(rowOf(origin), { maxLength: 4 }))),
    )
    const property = fc.property(rows, (all) => {
      const serialize = forecastSerializer()
      for (const row of all.flat()) {
        expect(attempt(() => serialize(row))).toEqual(attempt(() => serializeForecast(row)))
      }
    })
    fc.assert(property, { numRuns: 400 })
  })

  it.each<[string, Partial<HistoryRow> | { origin: Partial<OriginRow> }]>([
    ['a price of 1e20', { priceUsd: 1e20 }],
    ['a change of -(2^53)', { changePct: -(2 ** 53) }],
    ['a quantile of 2^53', { q10Usd: 1, q50Usd: 2, q90Usd: 2 ** 53 }],
    ['a noncharacter in the model', { model: 'ridge\uffff' }],
    ['a lone surrogate in the model', { model: '\udc00' }],
    ['a source price of 1e20', { origin: { sourcePriceUsd: 1e20 } }],
    ['a noncharacter in the source', { origin: { sourceName: '\ufdef' } }],
    ['a noncharacter in the run', { origin: { runId: '\ud83f\udffe' } }],
    ['a lone surrogate in the configuration', { origin: { configurationId: 'a\ud800b' } }],
  ])('refuses %s, and lets the row beside it pass', (_name, change) => {
    const origin: OriginRow = {
      originAt: formatStored(HOUR),
      generatedAt: null,
      sourceName: 'coinbase',
      pair: 'BTC/USD',
      sourcePriceUsd: 50_000,
      runId: 'run',
      configurationId: null,
      manifestJson: null,
    }
    const row: HistoryRow = {
      originAt: origin.originAt,
      model: 'ridge',
      horizonHours: 2,
      targetAt: formatStored(HOUR + 2 * MICROS_PER_HOUR),
      // The largest integer that RFC 7493 has, which is no price but may be sent.
      priceUsd: Number.MAX_SAFE_INTEGER,
      changePct: 1,
      q10Usd: null,
      q50Usd: null,
      q90Usd: null,
      modelAgreement: null,
      origin,
      provenance: undefined,
      whole: null,
    }
    expect(attempt(() => serializeForecast(row))).not.toBe('breach')
    const changed = { ...row, ...change, origin: { ...origin, ...change.origin } } as HistoryRow
    expect(attempt(() => serializeForecast(changed))).toBe('breach')
    expect(() => resourceOf(changed)).toThrow(/cannot be shown as a forecast/)
  })
})
