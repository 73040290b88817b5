import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContractBreach } from '../../src/contract/breach.js'
import { checkForecast } from '../../src/contract/check-payload.js'
import { holds } from '../../src/contract/findings/finding.js'
import { formatStored, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { readDocument } from '../../src/document/read.js'
import { writeLean } from '../../src/forecast/lean.js'
import { type Part, partOf, partTheLongWay } from '../../src/forecast/part.js'
import { resourceOf } from '../../src/forecast/resource.js'
import type { HistoryRow, OriginRow, RawValue } from '../../src/forecast/row.js'
import { Sheet } from '../../src/forecast/sheet.js'

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

const hoursOf = (horizon: RawValue) => (horizon === 4 || horizon === 8 ? horizon : 2)

const rowOf = (origin: OriginRow, at = HOUR): fc.Arbitrary<HistoryRow> =>
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
      targetAt: formatStored(at + hoursOf(row.horizonHours) * MICROS_PER_HOUR + shift),
      q10Usd: quantiles[0] ?? null,
      q50Usd: quantiles[1] ?? null,
      q90Usd: quantiles[2] ?? null,
      origin,
      provenance: undefined,
      whole: null,
    }))

/** Origins as they follow one another in a walk: mostly, only times, run and price differ. */
const walk: fc.Arbitrary<HistoryRow[]> = originRow.chain((first) =>
  fc
    .array(
      fc.tuple(
        fc.integer({ min: -2_100_000, max: 2_100_000 }),
        fc.record({
          generatedAt: fc.oneof(
            { weight: 6, arbitrary: one<RawValue>(null, formatStored(HOUR + 7)) },
            { weight: 1, arbitrary: one<RawValue>('2026-01-01T00:00:00Z', '2026-02-30', 5) },
          ),
          sourcePriceUsd: mostly(price),
          runId: mostly(one<RawValue>('run-2', 'a"b', null)),
        }),
        fc.oneof(
          { weight: 6, arbitrary: fc.constant({}) },
          {
            weight: 1,
            arbitrary: one<Partial<OriginRow>>(
              { sourceName: 'another' },
              { manifestJson: '{"a":2}' },
              { manifestJson: null },
              { configurationId: 'b' },
              { pair: null },
              { originAt: 7 },
              { originAt: '2026-01-01T00:00:00Z' },
            ),
          },
        ),
      ),
      { minLength: 2, maxLength: 6 },
    )
    .chain((changes) =>
      fc.tuple(
        ...changes.map(([hours, change, other]) => {
          const at = HOUR + hours * MICROS_PER_HOUR
          const origin = { ...first, ...change, originAt: formatStored(at), ...other }
          return fc.array(rowOf(origin, at), { minLength: 1, maxLength: 4 })
        }),
      ),
    )
    .map((rows) => rows.flat()),
)

const attempt = (make: () => unknown): unknown => {
  try {
    return make()
  } catch (error) {
    if (error instanceof ContractBreach) return 'breach'
    throw error
  }
}

/** Checks the parts of made rows, of those that a part can be made of. */
function forEveryPart(numRuns: number, check: (part: Part, row: HistoryRow) => void): void {
  const rows = originRow.chain((origin) => rowOf(origin))
  const property = fc.property(rows, (row) => {
    const part = attempt(() => partOf(row))
    fc.pre(part !== 'breach')
    check(part as Part, row)
  })
  fc.assert(property, { numRuns })
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

  it('come to the same from origin to origin as well', () => {
    let begun = 0
    fc.assert(
      fc.property(walk, (rows) => {
        let before: OriginRow | undefined
        for (const row of rows) {
          const isFirst = row.origin !== before
          if (isFirst && writeLean(row, new Sheet()) !== undefined) begun++
          before = row.origin
          expect(attempt(() => partOf(row))).toEqual(attempt(() => partTheLongWay(row)))
        }
      }),
      { numRuns: 600 },
    )
    expect(begun).toBeGreaterThan(200)
  })

  it('give JSON in ASCII that the contract accepts once its freshness is there', () => {
    forEveryPart(100, ({ head, id }) => {
      expect(head).toMatch(/^[\x20-\x7e]*$/)
      const freshness = '{"observed_at":"2026-01-01T00:00:00Z","age_seconds":1.5,"status":"stale"}'
      const resource = JSON.parse(`${head}${freshness}}`)
      expect(holds(checkForecast(resource))).toBe(true)
      expect(JSON.parse(id)).toBe(resource.forecast_id)
    })
  })

  it('go out so that a strict reader of the page reads what is stored', () => {
    const bytes = (text: string) => Buffer.from(text)
    const manifests = { shown: 0, unreadable: 0 }
    forEveryPart(1000, ({ head }, row) => {
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
  ])('refuse %s, and let the row beside it pass', (_name, change) => {
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
    expect(attempt(() => partOf(row))).not.toBe('breach')
    const changed = { ...row, ...change, origin: { ...origin, ...change.origin } } as HistoryRow
    expect(attempt(() => partOf(changed))).toBe('breach')
    // By the short way as well, where the origin is known.
    if (change.origin === undefined) {
      expect(attempt(() => partOf({ ...changed, origin }))).toBe('breach')
    }
    expect(() => resourceOf(changed)).toThrow(/cannot be shown as a forecast/)
  })
})
