import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { canonicalize } from '../../src/document/canonical.js'
import { resourceOf, type StoredResource } from '../../src/forecast/resource.js'
import type { HistoryRow } from '../../src/forecast/row.js'
import { entryWriter } from '../../src/history/leaf.js'
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

describe('the entry of a row', () => {
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
