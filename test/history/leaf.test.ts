import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { type StoredResource, toResource } from '../../src/forecast/resource.js'
import type { HistoryRow } from '../../src/forecast/row.js'
import { copyHistory } from '../../src/history/copy.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { createEntryWriter, forecastEntry } from '../../src/history/leaf.js'
import { createEntryProof } from '../../src/history/prove.js'
import { sealHistory } from '../../src/history/seal.js'
import { verifyProof } from '../../src/log/check-proof.js'
import { leafHash } from '../../src/log/merkle.js'
import { originRow, rowOf } from '../forecast/rows.js'
import { temporaryFolder } from '../support/folder.js'
import { sample } from './samples.js'
import { allOf, historyOf, inBatches, opened } from './support.js'

const folder = temporaryFolder()
const fresh = (name: string) => join(folder, `${name}.sqlite`)
const linesOf = (path: string) => allOf(exportLines(path))
const leavesOf = async (path: string) =>
  (await inBatches(opened(path).logEntries(0, 100))).map(({ leaf }) =>
    Buffer.from(leaf).toString('hex'),
  )
const saltsOf = async (path: string) =>
  (await linesOf(path)).map((line) => JSON.parse(line).lineage.salt as string | undefined)

/** A forecast with a salt that its producer made. */
function salted(salt: string, hour = 0) {
  const one = sample({ hour })
  return { ...one, lineage: { ...one.lineage, salt } }
}

describe('a salt', () => {
  it('is given to each forecast, and only once', async () => {
    const path = fresh('given')
    const rows = [sample({ hour: 0 }), sample({ hour: 0, horizon: 4 }), sample({ hour: 1 })]
    expect((await importResources(path, rows, { now: 0, salt: true })).findings).toEqual([])
    const salts = await saltsOf(path)
    expect(new Set(salts).size).toBe(3)
    // 16 bytes are 22 letters of base64url.
    for (const salt of salts) expect(salt).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const again = await importResources(path, rows, { now: 0, salt: true })
    expect(again.forecasts).toEqual({ added: 0, unchanged: 3, conflicts: 0 })
    expect(await saltsOf(path)).toEqual(salts)
    expect(await leavesOf(path)).toHaveLength(3)
  })

  it('is a part of the leaf; rows without keep theirs', async () => {
    const given = salted('AAAAAAAAAAAAAAAAAAAAAA')
    const [plain, withSalt] = [await historyOf([sample()]), await historyOf([given])]
    const { freshness: _, ...entry } = given
    // Canonical form by hand: only `salt` is new, between provenance's place and source.
    const [before] = await leavesOf(plain)
    const text = forecastEntry(sample())
    expect(before).toBe(sha256Hex(Buffer.concat([Buffer.of(0), Buffer.from(text)])))
    const expected = text.replace('"source":{', '"salt":"AAAAAAAAAAAAAAAAAAAAAA","source":{')
    expect(forecastEntry(entry)).toBe(expected)
    expect(await leavesOf(withSalt)).toEqual([Buffer.from(leafHash(expected)).toString('hex')])
  })

  it('goes along: exported, imported again, copied, and proved', async () => {
    const path = fresh('along')
    const table = join(folder, 'along.csv')
    const head = 'origin_at,model,horizon_hours,price_usd,source_price_usd'
    writeFileSync(table, `${head}\n2026-01-01T00:00:00Z,seer,2,50500,50000\n`)
    const made = await importFiles(path, [table], { now: 0, stdin: process.stdin, salt: true })
    expect(made.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    await importResources(path, [sample({ hour: 5 })], { now: 0, salt: true })
    expect((await saltsOf(path)).every((salt) => salt?.length === 22)).toBe(true)
    const [again, copy] = [fresh('again'), fresh('copy')]
    const lines = (await linesOf(path)).map((line) => JSON.parse(line))
    // Those that have one keep it.
    await importResources(again, lines, { now: 0, salt: true })
    await copyHistory(path, copy, { now: 0 })
    const leaves = (await leavesOf(path)).sort()
    for (const other of [again, copy]) {
      expect(await linesOf(other)).toEqual(await linesOf(path))
      expect((await leavesOf(other)).sort()).toEqual(leaves)
    }
    await sealHistory(copy, { log: 'example.org/salted' })
    const proof = await createEntryProof(opened(copy), '2026-01-01T00:00:00Z:seer:2')
    const bytes = Buffer.from(JSON.stringify({ ...proof, anchors: [] }))
    const checked = await verifyProof(bytes, { file: 'proof.json', now: 1_767_225_600 })
    expect(JSON.parse(checked.entry ?? '').lineage.salt).toHaveLength(22)
  })

  it.each([
    ['of 15 bytes', randomBytes(15).toString('base64url'), false],
    ['of 65 bytes', randomBytes(65).toString('base64url'), false],
    ['with padding', `${'A'.repeat(22)}==`, false],
    ['of 16 bytes', randomBytes(16).toString('base64url'), true],
    ['of 64 bytes', randomBytes(64).toString('base64url'), true],
  ])('is of 16 to 64 bytes: %s', async (name, salt, isSound) => {
    const { findings } = await importResources(fresh(name), [salted(salt)], { now: 0 })
    expect(findings.map(({ pointer }) => pointer)).toEqual(isSound ? [] : ['/lineage/salt'])
  })
})

/** What a row says; undefined where no resource can say it. */
function said(row: HistoryRow): StoredResource | undefined {
  try {
    return toResource(row)
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
      const entryOf = createEntryWriter()
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
