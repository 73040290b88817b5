import fc from 'fast-check'
import { formatStored, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { HistoryRow, OriginRow, ProvenanceRow, RawValue } from '../../src/forecast/row.js'

export const HOUR = 1_767_225_600_000_000
const one = <T>(...values: T[]) => fc.constantFrom(...values)
const price = fc.double({ min: 1, max: 1e6, noNaN: true })
/** What SQLite may hold where a number belongs, now and then. */
const odd = fc.oneof(
  one<RawValue>(null, 'text', '1', 'x\uffff', 'x\ud83f\udffe', '\ud800', new Uint8Array([1])),
  one<RawValue>(Number.POSITIVE_INFINITY, -0, 1e-7, -5),
  one<RawValue>(Number.MAX_SAFE_INTEGER, -(2 ** 53), 1e20, 1e21),
)
const mostly = (usual: fc.Arbitrary<RawValue>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })

/** Values of JSON as a producer may spell them, good and bad (RFC 7493, sections 2.1 to 2.3). */
const spelled = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    one('0', '-1.5', 'null', '9007199254740991', '1.0', '1e300', '1e-7'),
    one('"é\\n"', '"\\ud83d\\ude00"'),
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

/** Rows of origins, with what no forecast can say now and then. */
export const originRow: fc.Arbitrary<OriginRow> = fc.record({
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

/** Rows of an origin that the tables say all of. */
export const rowOf = (origin: OriginRow): fc.Arbitrary<HistoryRow> =>
  fc
    .record({
      model: mostly(one<RawValue>('ridge', 'kernel "ü"', 'm\\n', 'модель ١ 模型 🚀\u2028')),
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
