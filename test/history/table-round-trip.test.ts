import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasNoErrors } from '../../src/contract/findings/finding.js'
import { formatStored } from '../../src/contract/instant.js'
import type { Attempt, ForecastResource, Provenance } from '../../src/contract/types.js'
import { confidenceOf } from '../../src/forecast/resource.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { freshPaths } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { EPOCH } from './support.js'

const fresh = freshPaths()
const now = EPOCH * 1000

/** Texts that trip writers and readers of tables; none that means an empty cell. */
const text = fc.oneof(
  fc.constantFrom(
    'plain',
    ' a space before and after ',
    '"quoted", with a comma',
    'two\nlines',
    'carriage\r\nreturn\r',
    "=1+1'",
    'tab\there',
    'Größe ñandú',
    '預測模型',
    'نموذج ١',
    'модель',
    '🔮é',
    '0012',
    '1e5',
    'true',
    '-',
    ';',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((some) => `m${some}m`),
)
/** An import takes no name of two lines. */
const name = text.filter((some) => !/[\n\r]/.test(some))
const number = fc.oneof(
  fc.constantFrom(
    5e-324,
    1e-300,
    2.2250738585072014e-308,
    0.1,
    1 / 3,
    123456.789,
    9007199254740991,
    1e15,
  ),
  fc.double({ min: 1e-12, max: 1e15, noNaN: true }),
)
/** In percent; a price that is the source price changes by either zero. */
const changeOf = ({ price, sourcePrice }: { price: number; sourcePrice: number }) =>
  price === sourcePrice ? -0 : (price / sourcePrice - 1) * 100
const micros = fc.integer({ min: 0, max: 999_999 })
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })

const provenance: fc.Arbitrary<Provenance | undefined> = fc.option(
  fc.record(
    {
      input_available_at: micros.map((some) => formatStored(now + some)),
      selection_data_through: micros.map((some) => formatStored(now - 3_600_000_000 + some)),
      vintage_id: text,
      vintage_sha256: fc.constant('ab'.repeat(32)),
    },
    { requiredKeys: ['vintage_id'] },
  ),
  { nil: undefined },
)

const forecast = fc
  .record({
    at: micros,
    hours: fc.integer({ min: 1, max: 720 }),
    name,
    configuration: orNull(name),
    price: number,
    quantiles: orNull(fc.tuple(number, number, number)),
    agreement: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
    run: orNull(name),
    generated: orNull(micros),
    source: orNull(name),
    sourcePrice: number,
    provenance,
  })
  .filter((made) => Math.abs(changeOf(made)) <= Number.MAX_SAFE_INTEGER)
  .map((made): ForecastResource => {
    const origin = formatStored(now + made.at)
    const [low, middle, high] = [...(made.quantiles ?? [])].sort((a, b) => a - b)
    return {
      forecast_id: `${origin}:${made.name}:${made.hours}`,
      origin_at: origin,
      target_at: formatStored(now + made.at + made.hours * 3_600_000_000),
      horizon_hours: made.hours,
      model: { name: made.name, configuration_id: made.configuration },
      estimate: { price_usd: made.price, change_pct: changeOf(made) },
      interval: {
        level: 0.8,
        lower_usd: low ?? null,
        median_usd: middle ?? null,
        upper_usd: high ?? null,
      },
      confidence: confidenceOf(made.agreement),
      run: {
        id: made.run,
        generated_at: made.generated === null ? null : formatStored(now + made.generated),
      },
      lineage: {
        history_key: { origin_at: origin, model_name: made.name, horizon_hours: made.hours },
        source: { name: made.source ?? 'unknown', pair: 'BTC/USD', price_usd: made.sourcePrice },
        manifest: null,
        manifest_reason: 'not_recorded',
        ...(made.source === null && { source_reason: 'not_recorded' }),
        pair_reason: 'not_recorded',
        ...(made.provenance && { provenance: made.provenance }),
      },
      freshness: { observed_at: origin, age_seconds: 0, status: 'unknown' },
    }
  })

const attempt = fc
  .record({
    at: micros,
    hours: fc.integer({ min: 1, max: 720 }),
    name,
    status: fc.constantFrom('failed' as const, 'abstained' as const),
    reason: text,
    recorded: orNull(micros),
    provenance,
  })
  .map(
    (made): Attempt => ({
      origin_at: formatStored(now + made.at),
      model_name: made.name,
      horizon_hours: made.hours,
      status: made.status,
      reason: made.reason,
      ...(made.recorded !== null && { recorded_at: formatStored(now + made.recorded) }),
      ...(made.provenance && { provenance: made.provenance }),
    }),
  )

async function exported(history: string, format: string) {
  const out = fresh(format)
  const run = await inProcess(['history', 'export', '--history', history, '--out', out])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return { out, bytes: readFileSync(out) }
}

describe.each(['csv', 'parquet'])('export, import, export as %s', (format) => {
  it('gives the same bytes, and the same history', async () => {
    const rows = fc.array(fc.oneof({ weight: 3, arbitrary: forecast }, attempt), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(rows, async (resources) => {
        const first = fresh('sqlite')
        await importResources(first, resources, { now })
        const table = await exported(first, format)
        const second = fresh('sqlite')
        const imported = await importFiles(second, [table.out], { now })
        expect(hasNoErrors(imported.findings)).toBe(true)
        expect((await exported(second, format)).bytes.equals(table.bytes)).toBe(true)
        const whole = await exported(first, 'ndjson')
        expect((await exported(second, 'ndjson')).bytes.toString()).toBe(whole.bytes.toString())
      }),
      { numRuns: 16, seed: 20_261_122 },
    )
  })
})
