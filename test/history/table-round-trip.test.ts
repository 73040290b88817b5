import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasNoErrors } from '../../src/contract/findings/finding.js'
import { checkedInstant, formatStored, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { attemptOf, readManifest, shownAs, unjudged } from '../../src/forecast/resource.js'
import type { ProvenanceRow } from '../../src/forecast/row.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { freshPaths } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { anyText, oneLine } from '../table/made.js'
import { EPOCH } from './support.js'

const fresh = freshPaths()
const now = EPOCH * 1000

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
const changeOf = (price: number, before: number) =>
  price === before ? -0 : (price / before - 1) * 100
const micros = fc.integer({ min: 0, max: 999_999 })
const later = micros.map((some) => formatStored(now + some))
const earlier = micros.map((some) => formatStored(now - MICROS_PER_HOUR + some))
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })

const provenance: fc.Arbitrary<ProvenanceRow | undefined> = fc.option(
  fc.record({
    inputAvailableAt: orNull(later),
    selectionDataThrough: orNull(earlier),
    vintageId: anyText,
    vintageSha256: orNull(fc.constant('ab'.repeat(32))),
  }),
  { nil: undefined },
)
const key = { originAt: later, horizonHours: fc.integer({ min: 1, max: 720 }), model: oneLine }

const forecast = fc
  .record({
    ...key,
    priceUsd: number,
    quantiles: orNull(fc.tuple(number, number, number)),
    modelAgreement: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
    origin: fc.record({
      generatedAt: orNull(later),
      sourceName: orNull(oneLine),
      pair: fc.constant(null),
      sourcePriceUsd: number,
      runId: orNull(oneLine),
      configurationId: orNull(oneLine),
      manifestJson: fc.constant(null),
    }),
    provenance,
  })
  .map(({ quantiles, ...made }) => {
    const { originAt, horizonHours, priceUsd, origin } = made
    const [q10Usd = null, q50Usd = null, q90Usd = null] = [...(quantiles ?? [])].sort(
      (a, b) => a - b,
    )
    return {
      ...made,
      targetAt: formatStored(checkedInstant(originAt) + horizonHours * MICROS_PER_HOUR),
      changePct: changeOf(priceUsd, origin.sourcePriceUsd),
      ...{ q10Usd, q50Usd, q90Usd, whole: null, origin: { originAt, ...origin } },
    }
  })
  .filter(({ changePct }) => Math.abs(changePct) <= Number.MAX_SAFE_INTEGER)
  .map((row) => unjudged(shownAs(row, readManifest(null))))

const attempt = fc
  .record({
    ...key,
    status: fc.constantFrom('failed', 'abstained'),
    reason: anyText,
    recordedAt: orNull(later),
    provenance,
  })
  .map(attemptOf)

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
        expect(table.bytes.toString('latin1', 0, 4) === 'PAR1').toBe(format === 'parquet')
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
