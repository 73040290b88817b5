import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContractBreach } from '../../src/contract/breach.js'
import { checkPayload } from '../../src/contract/check-payload.js'
import { LARGEST_VALUE } from '../../src/contract/limits.js'
import { isUnsendable } from '../../src/contract/row-rules.js'
import { readDocument } from '../../src/document/read.js'
import { asciiJson } from '../../src/forecast/ascii.js'
import { toResource } from '../../src/forecast/resource.js'
import type { HistoryRow, OriginRow, RawValue } from '../../src/forecast/row.js'
import { forecastSerializer, type SerializedForecast } from '../../src/forecast/serialize.js'
import { forecast } from '../store/store-rows.js'
import { originRow, rowOf } from './rows.js'

/** A row by itself. */
const serialized = (row: HistoryRow) => forecastSerializer()(row)

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
    const forecast = attempt(() => serialized(row))
    fc.pre(forecast !== 'breach')
    check(forecast as SerializedForecast, row)
  })
  fc.assert(property, { numRuns })
}

describe('a serialized forecast', () => {
  it('is the resource in ASCII, in the order of its members, which the contract accepts with its freshness', () => {
    forEveryForecast(500, ({ head, id }, row) => {
      expect(head).toMatch(/^[\x20-\x7e]*$/)
      const freshness = { observed_at: '2026-01-01T00:00:00Z', age_seconds: 1.5, status: 'stale' }
      const text = `${head}${JSON.stringify(freshness)}}`
      expect(text).toBe(asciiJson({ ...toResource(row), freshness }))
      const resource = JSON.parse(text)
      expect(isUnsendable(checkPayload('forecast', resource))).toBe(false)
      expect(id).toBe(resource.forecast_id)
      const { lineage } = resource
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
        expect(attempt(() => serialize(row))).toEqual(attempt(() => serialized(row)))
      }
    })
    fc.assert(property, { numRuns: 400 })
  })

  it.each<[string, Partial<HistoryRow> | { origin: Partial<OriginRow> }]>([
    ['a price of 2e100', { priceUsd: 2e100 }],
    ['a change of -2e100', { changePct: -2e100 }],
    ['a quantile of 2e100', { q10Usd: 1, q50Usd: 2, q90Usd: 2e100 }],
    ['a noncharacter in the model', { model: 'ridge\uffff' }],
    ['a lone surrogate in the model', { model: '\udc00' }],
    ['a source price of 2e100', { origin: { sourcePriceUsd: 2e100 } }],
    ['a noncharacter in the source', { origin: { sourceName: '\ufdef' } }],
    ['a noncharacter in the run', { origin: { runId: '\ud83f\udffe' } }],
    ['a lone surrogate in the configuration', { origin: { configurationId: 'a\ud800b' } }],
  ])('refuses %s, and lets the row beside it pass', (_name, change) => {
    const quantiles = { q10Usd: null, q50Usd: null, q90Usd: null }
    // The largest value there is, which is no price but may be sent.
    const row = forecast(0, 'ridge', 2, { priceUsd: LARGEST_VALUE, ...quantiles })
    expect(attempt(() => serialized(row))).not.toBe('breach')
    const changed: HistoryRow = { ...row, ...change, origin: { ...row.origin, ...change.origin } }
    expect(attempt(() => serialized(changed))).toBe('breach')
    expect(() => toResource(changed)).toThrow(/cannot be shown as a forecast/)
  })
})
