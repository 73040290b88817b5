import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { canonicalize } from '../../src/document/canonical.js'
import { resourceOf, type StoredResource } from '../../src/forecast/resource.js'
import type { HistoryRow } from '../../src/forecast/row.js'
import { entryWriter, forecastEntry } from '../../src/history/leaf.js'
import { originRow, rowOf } from '../forecast/rows.js'
import { sample } from '../history/samples.js'

/** What a row says; undefined where no resource can say it. */
function said(row: HistoryRow): StoredResource | undefined {
  try {
    return resourceOf(row)
  } catch (error) {
    if (error instanceof ForeproofError) return undefined
    throw error
  }
}

const ORIGIN = '2026-01-01T00:00:00+00:00'

describe('the entry of a row', () => {
  it('is a forecast in canonical form without its freshness', () => {
    const entry =
      '{"confidence":{"evidence":{"model_agreement":0.75},"label":"model_agreement","score":0.75},' +
      '"estimate":{"change_pct":1.0005,"price_usd":50500.25},' +
      `"forecast_id":"${ORIGIN}:alpha:2","horizon_hours":2,` +
      '"interval":{"level":0.8,"lower_usd":49000,"median_usd":50400.5,"upper_usd":51800},' +
      `"lineage":{"history_key":{"horizon_hours":2,"model_name":"alpha","origin_at":"${ORIGIN}"},` +
      '"manifest":{"code":{"commit":"abc"},"manifest_version":1,"window":[1,2,{"deep":null}]},' +
      '"source":{"name":"made","pair":"BTC/USD","price_usd":50000}},' +
      '"model":{"configuration_id":"c-1","name":"alpha"},' +
      `"origin_at":"${ORIGIN}",` +
      '"run":{"generated_at":"2026-01-01T00:01:30+00:00","id":"run-1"},' +
      '"target_at":"2026-01-01T02:00:00+00:00"}'
    expect(forecastEntry(sample())).toBe(entry)
    const { freshness, ...stored } = sample()
    expect(forecastEntry(stored)).toBe(entry)
  })

  it('is that of the general way, with any rows before it', () => {
    const { freshness, ...stored } = sample()
    const more = { ...stored, later: { b: [1e-7, -0], a: 'ü' } }
    const whole = fc.constantFrom(null, null, null, null, more, { ...more, freshness })
    const origins = fc.array(originRow, { minLength: 1, maxLength: 4 })
    const rows = origins.chain((all) =>
      fc.array(
        fc
          .tuple(fc.constantFrom(...all).chain(rowOf), whole)
          .map(([row, kept]) => ({ ...row, whole: kept && JSON.stringify(kept) })),
        { maxLength: 8 },
      ),
    )
    const met = { mapped: 0, whole: 0 }
    const property = fc.property(rows, (made) => {
      const entryOf = entryWriter()
      for (const row of made) {
        const resource = said(row)
        if (resource === undefined) continue
        met[row.whole === null ? 'mapped' : 'whole']++
        expect(entryOf(row, resource)).toBe(canonicalize(resource))
      }
    })
    fc.assert(property, { numRuns: 1500 })
    expect(met.mapped).toBeGreaterThan(1000)
    expect(met.whole).toBeGreaterThan(500)
  })
})
