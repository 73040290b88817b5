import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPayload } from '../../src/contract/check-payload.js'
import { hasNoErrors } from '../../src/contract/findings/finding.js'
import type { ForecastResource } from '../../src/contract/types.js'
import { toResource } from '../../src/forecast/resource.js'
import { importResources, openImport } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { openWritable } from '../../src/store/sqlite/writable.js'
import { argsOf } from '../contract/args-of.js'
import { freshPaths } from '../support/folder.js'
import { HISTORY_PAGE, STATIC_PAGE, sample, sampleAttempt, samples } from './samples.js'
import {
  alter,
  EPOCH,
  inBatches,
  OLD_DDL,
  opened,
  PRODUCER_DDL,
  stamp,
  writeProducer,
} from './support.js'

const freshPath = freshPaths()
const options = { now: EPOCH * 1000 }

async function allOf(path: string) {
  const reader = opened(path)
  const rows = await reader.page({ limit: 10_000 })
  return rows.map(toResource)
}

/** A file of a text. */
function put(text: string | Buffer): string {
  const path = freshPath('ndjson')
  writeFileSync(path, text)
  return path
}

type Three<T> = [T, T, T]
const stored = ({ freshness, ...rest }: ForecastResource) => rest

describe('importing resources', () => {
  it('changes nothing the second time, and keeps the first write', async () => {
    const path = freshPath()
    const rows = samples(0, 3).reverse()
    const first = { forecasts: { added: 3, unchanged: 0, conflicts: 0 }, rejected: 0, written: 3 }
    expect(await importResources(path, rows, options)).toMatchObject({ ...first, findings: [] })
    const before = readFileSync(path)
    const again = await importResources(path, rows, { now: 9e15 })
    expect(again.forecasts).toEqual({ added: 0, unchanged: 3, conflicts: 0 })
    const changed = rows.map((row) => ({ ...row, estimate: { price_usd: 49_000, change_pct: -2 } }))
    const report = await importResources(path, changed, options)
    expect(report.forecasts).toEqual({ added: 0, unchanged: 0, conflicts: 3 })
    const differs = ['/estimate/price_usd', '/estimate/change_pct']
    expect(report.findings.map((each) => [each.code, argsOf(each).differs])).toEqual(
      rows.map(() => ['import-conflict', differs]),
    )
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('takes attempts, and a key is taken by whichever came first', async () => {
    const path = freshPath()
    const late = sampleAttempt({ hour: 1 })
    const other = { ...late, reason: 'another' }
    const values = [sample(), sampleAttempt(), late, sample({ hour: 1 }), late, other]
    const report = await importResources(path, values, options)
    expect(report.forecasts).toEqual({ added: 1, unchanged: 0, conflicts: 1 })
    expect(report.attempts).toEqual({ added: 1, unchanged: 1, conflicts: 2 })
    const rows = await inBatches(opened(path).pairingRows())
    expect(rows).toMatchObject([
      { forecast: 50_500.25, attempt: null },
      { forecast: null, attempt: 'failed' },
    ])
  })

  it('keeps provenance of forecasts and attempts', async () => {
    const path = freshPath()
    const provenance = {
      input_available_at: '2026-01-01T01:00:00+01:00',
      selection_data_through: null,
      vintage_id: 'v-1',
    }
    const given = sample()
    const values = [
      { ...given, lineage: { ...given.lineage, provenance } },
      { ...sample({ hour: 1 }), provenance },
      { ...sampleAttempt({ hour: 3 }), provenance },
    ]
    await importResources(path, values, options)
    const columns = { vintageId: 'v-1', vintageSha256: null, selectionDataThrough: null }
    for (const row of await inBatches(opened(path).pairingRows())) {
      expect(row).toMatchObject({ ...columns, inputAvailableAt: stamp(EPOCH) })
    }
    for (const resource of await allOf(path)) {
      expect(resource).not.toHaveProperty('provenance')
      const kept = { input_available_at: stamp(EPOCH), vintage_id: 'v-1' }
      expect(resource.lineage.provenance).toEqual(kept)
    }
    const wrong = { ...sample({ hour: 2 }), provenance: { input_available_at: 'soon' } }
    const { findings } = await importResources(path, [wrong], options)
    expect(findings.map(({ pointer }) => pointer)).toContain('/provenance/input_available_at')
  })

  it('writes nothing at all when one value is rejected, and says where every fault is', async () => {
    const folder = freshPath()
    const path = `${folder}/h.sqlite`
    const bad = { ...sample({ hour: 1 }), horizon_hours: -1 }
    const report = await importResources(path, [sample(), bad, sample({ hour: 2 }), 'x'], options)
    expect(report).toMatchObject({ rejected: 2, written: 0 })
    expect(existsSync(folder)).toBe(false)
    await importResources(path, [sample()], options)
    const before = readFileSync(path)
    await importResources(path, [sample({ hour: 1 }), { ...bad, origin_at: '2026-01-01' }], options)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('leaves whole batches when asked for batches', async () => {
    const path = freshPath()
    const rows = samples(0, 25)
    const inTens = { ...options, batchRows: 10 }
    const report = await importResources(path, [...rows, null, ...rows], inTens)
    expect(report).toMatchObject({ rejected: 1, written: 20 })
    expect(await allOf(path)).toHaveLength(20)
  })
})

describe('what the tables cannot say', () => {
  const variants = fc.record(
    {
      run: fc.record({
        id: fc.constantFrom('run-1', 'run-2', null),
        generated_at: fc.constantFrom(stamp(EPOCH), '2026-01-01T03:00:00.5+01:00', null),
      }),
      model: fc.record({
        name: fc.constantFrom('alpha', 'é'),
        configuration_id: fc.constantFrom('c-1', null),
      }),
      estimate: fc
        .double({ noNaN: true, min: 1e-9, max: 1e9 })
        .map((price) => ({ price_usd: price, change_pct: (price / 50_000 - 1) * 100 })),
      interval: fc.constantFrom(
        { level: 0.8, lower_usd: null, median_usd: null, upper_usd: null },
        { level: 0.9, lower_usd: 1, median_usd: 2, upper_usd: 3 },
        { level: 0.8, lower_usd: 1, median_usd: 1, upper_usd: 3.5, extra: true },
      ),
      confidence: fc.constantFrom(
        { score: 0, label: 'unknown', evidence: { reason: 'not recorded there' } },
        { score: 0, label: 'unknown', evidence: { model_agreement: null, reason: 'not_recorded' } },
        { score: 0.5, label: 'high', evidence: {} },
        { score: 0.5, label: 'model_agreement', evidence: { model_agreement: 0.5, votes: [1, 2] } },
        { score: 1, label: 'model_agreement', evidence: { model_agreement: 1 } },
      ),
      lineage: fc
        .record({
          source: fc.constantFrom(
            { name: 'made', pair: 'BTC/USD', price_usd: 50_000 },
            { name: 'other', pair: 'BTC/USD', price_usd: 50_001.5 },
            { name: 'unknown', pair: 'BTC/USD', price_usd: 50_000 },
          ),
          manifest: fc.constantFrom({ a: 1 }, { a: 1, b: '\u{1f600}"\\' }, null),
          rest: fc.constantFrom(
            { manifest_reason: 'not_recorded' },
            { manifest_reason: 'lost', source_reason: 'not_recorded' },
            { manifest_reason: 'not_recorded', source_reason: 'not_recorded', more: {} },
            { manifest_reason: 'not_recorded', pair_reason: 'not_recorded' },
            { manifest_reason: 'not_recorded', pair_reason: 'lost' },
          ),
          provenance: fc.constantFrom(
            undefined,
            { vintage_id: 'v' },
            { vintage_id: 'v', later: 1 },
          ),
        })
        .map(({ rest, ...lineage }) => ({ ...lineage, ...rest })),
      later: fc.constantFrom(undefined, 'a member of a later version'),
    },
    { requiredKeys: [] },
  )

  it('is kept whole: every accepted resource comes back exactly, freshness apart', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(variants, { minLength: 1, maxLength: 8 }), async (changes) => {
        const rows = changes.map((change, index) => {
          const model = change.model ?? { name: 'alpha', configuration_id: 'c-1' }
          const [hour, horizon] = [Math.floor(index / 3), 1 + (index % 3)]
          const base = sample({ hour, model: model.name, horizon })
          const lineage = { ...base.lineage, ...change.lineage }
          const given = { ...base, ...change, model, lineage }
          // As it comes from a file: JSON knows no negative zero worth keeping.
          return JSON.parse(JSON.stringify(given)) as ForecastResource
        })
        const accepted = rows.filter((row) => hasNoErrors(checkPayload('forecast', row)))
        const path = freshPath()
        const report = await importResources(path, accepted, options)
        expect(report.forecasts.added).toBe(accepted.length)
        const back = new Map((await allOf(path)).map((row) => [row.forecast_id, row]))
        for (const row of accepted) {
          const run = { ...row.run }
          if (run.generated_at?.endsWith('+01:00'))
            run.generated_at = '2026-01-01T02:00:00.500000+00:00'
          expect(back.get(row.forecast_id)).toEqual({ ...stored(row), run })
        }
        const again = await importResources(path, accepted, options)
        expect(again.forecasts.unchanged).toBe(accepted.length)
      }),
      { numRuns: 60 },
    )
  })
})

describe('importing files', () => {
  const priced = (hour: number, price_usd: number) =>
    JSON.stringify({
      ...sample({ hour }),
      estimate: { price_usd, change_pct: (price_usd / 50_000 - 1) * 100 },
    })

  it('counts prices that are hardly prices, and refuses those that are none', async () => {
    const ratios = put([1.01, 0.99, 1.02].map((price, hour) => priced(hour, price)).join('\n'))
    const warned = await importFiles(freshPath(), [ratios], options)
    expect(warned).toMatchObject({ written: 3, withheld: 2 })
    expect(warned.findings).toMatchObject([
      { code: 'price-implausible', severity: 'warning', file: ratios, position: { line: 1 } },
      { code: 'more-findings', severity: 'warning', args: { of: 'price-implausible', count: 2 } },
    ])
    const returns = put([0.002, -0.001].map((price, hour) => priced(hour, price)).join('\n'))
    const refused = await importFiles(freshPath(), [returns], options)
    expect(refused.written).toBe(0)
    const errors = refused.findings.filter(({ severity }) => severity === 'error')
    const negative = { code: 'price-not-positive', file: returns, position: { line: 2 } }
    expect(errors).toMatchObject([negative])
  })

  const rows = [0, 1, 2].map((hour) => sample({ hour })) as Three<ForecastResource>
  const newestFirst = [...rows].reverse()
  const [first, second] = rows.map((row) => JSON.stringify(row)) as Three<string>
  const lines = (values: readonly unknown[]) =>
    values.map((value) => JSON.stringify(value)).join('\n')
  const { freshness } = rows[0]
  const latest = (data: unknown, more = {}) => ({ api_version: 'v1', data, freshness, ...more })
  const snapshot = { snapshot_at: stamp(EPOCH) }
  const bodies = [latest(rows[0]), latest(null, snapshot), latest(rows[1], snapshot), rows[2]]
  const other = { ...rows[0], estimate: { price_usd: 50_000, change_pct: 0 } }
  const cut = lines([rows[0], sampleAttempt({ hour: 9 }), other, rows[1]]).slice(0, -90)
  it.each<[string, string, number?]>([
    ['NDJSON', lines(rows)],
    ['NDJSON with CRLF, blank lines and no end', `\n${lines(rows).replaceAll('\n', '\r\n\r\n')}`],
    ['an array', JSON.stringify(rows)],
    ['an array over many lines', `\n ${JSON.stringify(rows, null, 2)}\n`],
    ['a page of the dynamic API', JSON.stringify(HISTORY_PAGE(newestFirst))],
    ['a page of the static API', JSON.stringify(STATIC_PAGE(newestFirst), null, 2)],
    ['pages, one a line', lines(rows.map((row) => STATIC_PAGE([row])))],
    ['an array of pages', JSON.stringify(rows.map((row) => HISTORY_PAGE([row])))],
    ['latest bodies of both kinds', lines(bodies)],
    ['nothing where a line is cut off', cut, 0],
  ])(
    'reads %s, and the same from standard input in chunks of any size',
    async (_, text, added = 3) => {
      const whole = await importFiles(freshPath(), [put(text)], options)
      expect(whole.written).toBe(added)
      const [bytes, found] = [Buffer.from(text), whole.findings.map(({ file, ...rest }) => rest)]
      expect(found.length > 0).toBe(added === 0)
      for (const size of [1, 7, 1000]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        )
        const stdin = Readable.from(chunks)
        const { findings, ...counts } = await importFiles(freshPath(), ['-'], { ...options, stdin })
        expect(findings.map(({ file, ...rest }) => rest)).toEqual(found)
        expect(whole).toMatchObject(counts)
      }
    },
  )

  const HORIZON = '"horizon_hours":2'
  const error = '{"api_version":"v1","error":{"code":"rate_limited","message":"x"}}'
  it.each([
    ['a line cut off', `${first}\n${second.slice(0, 90)}`, 'json-truncated', 2],
    ['a name twice', first.replace(HORIZON, `${HORIZON},${HORIZON}`), 'json-duplicate-name', 1],
    ['a byte order mark', `\ufeff${first}`, 'document-encoding', 1],
    ['an error body', error, 'import-unknown-value', 1],
    ['something else', '{"a":1}', 'import-unknown-value', 1],
    ['a number', '12', 'import-unknown-value', 1],
  ] as const)('rejects %s at its line', async (_name, text, code, line) => {
    const path = freshPath()
    const { rejected, findings } = await importFiles(path, [put(text)], options)
    expect(rejected).toBeGreaterThan(0)
    const places = findings.map((finding) => [finding.code, finding.position?.line])
    expect(places).toContainEqual([code, line])
    expect(existsSync(path)).toBe(false)
  })

  it('points into the line and into the array', async () => {
    const bad = JSON.stringify({ ...rows[1], horizon_hours: 'two' })
    const column = bad.indexOf('"two"') + 1
    const page = JSON.stringify(HISTORY_PAGE([JSON.parse(bad)]))
    for (const [text, pointer, line, at] of [
      [`${first}\n${bad}\n`, '/horizon_hours', 2, column],
      [`[\n${first},\n  ${bad}]`, '/1/horizon_hours', 3, column + 2],
      [page, '/data/0/horizon_hours', 1, page.indexOf('"two"') + 1],
    ] as const) {
      const { findings } = await importFiles(freshPath(), [put(text)], options)
      expect(findings[0]).toMatchObject({ pointer, position: { line, column: at } })
    }
  })

  it('stops soon where a file is no text', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256))
    const { rejected } = await importFiles(freshPath(), [put(bytes)], options)
    expect(rejected > 0 && rejected < 300).toBe(true)
  })

  it.each([
    ['an array that does not end', () => put(JSON.stringify(rows).slice(0, -1)), /does not end/],
    ['a comma after the last value', () => put(`[${first},\n]`), /no value after the last comma/],
    ['a comma before a value', () => put(`[${first},,${first}]`), /no value before a comma/],
    ['text after the array', () => put(`${JSON.stringify(rows)}x`), /after the end/],
    ['a file that is not there', () => '/no/such/file', /no such file/],
  ])('refuses %s whole', async (_name, file, says) => {
    const path = freshPath()
    await expect(importFiles(path, [put('{}'), file()], options)).rejects.toThrow(says)
    expect(existsSync(path)).toBe(false)
  })
})

describe('histories that are not ours', () => {
  it("adds to a producer's file without touching its tables or version", async () => {
    const path = freshPath()
    writeProducer(path, [{ hour: 0, model: 'alpha', horizon: 2 }], 'PRAGMA user_version = 7;')
    const before = schemaOf(path)
    const values = [sample({ hour: 1 }), sample({ hour: 0, model: 'beta' })]
    expect((await importResources(path, values, options)).forecasts.added).toBe(2)
    const after = schemaOf(path)
    expect(after.filter(([name]) => !String(name).includes('foreproof'))).toEqual(before)
    // Another source price than its origin's row has: kept whole, and given back.
    const beta = (await allOf(path)).find((row) => row.model.name === 'beta')
    expect(beta?.lineage.manifest).toHaveProperty('code')
    const nothing = { ...sample({ hour: 5 }), run: { id: null, generated_at: null } }
    const strict = await importResources(path, [nothing], options)
    expect(strict.findings.map(({ code }) => code)).toEqual(['row-refused'])
    expect(await allOf(path)).toHaveLength(3)
  })

  it('refuses an old layout and odd timestamps, and says the way out', async () => {
    const old = freshPath()
    alter(old, OLD_DDL)
    const before = readFileSync(old)
    const refused = expect(importResources(old, [sample()], options)).rejects
    await refused.toThrow(/the layout is an old one without/)
    expect(readFileSync(old).equals(before)).toBe(true)
    const odd = freshPath()
    writeProducer(odd, [{ hour: 0, model: 'alpha', horizon: 2 }])
    const spelt = "UPDATE forecast_predictions SET origin_at = '2026-01-01T00:00:00Z'"
    alter(odd, `PRAGMA foreign_keys = OFF; ${spelt}`)
    await expect(importResources(odd, [sample()], options)).rejects.toThrow(/stored form/)
  })

  it.each([
    ['forecast_predictions', 'origin_at, model_name, horizon_hours'],
    ['forecast_origins', 'origin_at'],
  ])('refuses %s without its key before anything is written', async (table, key) => {
    const path = freshPath()
    const keyless = PRODUCER_DDL.replace('origin_at TEXT PRIMARY KEY', 'origin_at TEXT')
      .replace(/,\s*PRIMARY KEY \(.*?\)/, '')
      .replace(' REFERENCES forecast_origins(origin_at)', '')
    const other =
      table === 'forecast_origins'
        ? 'forecast_predictions (model_name, horizon_hours, origin_at)'
        : 'forecast_origins (origin_at)'
    // Neither an index over a part of the rows nor one of more columns keeps a key unique.
    const indexes = `
      ALTER TABLE ${table} ADD COLUMN serial INTEGER;
      CREATE UNIQUE INDEX part ON ${table} (${key}) WHERE origin_at > '2020';
      CREATE UNIQUE INDEX more ON ${table} (${key}, serial);
      CREATE UNIQUE INDEX other ON ${other};`
    alter(path, keyless + indexes)
    const before = readFileSync(path)
    await expect(importResources(path, [sample()], options)).rejects.toMatchObject({
      code: 'invalid-input',
      message: `${path}: not a forecast history: table ${table} has no unique key of ${key}`,
    })
    expect(readFileSync(path).equals(before)).toBe(true)
    alter(path, `CREATE UNIQUE INDEX whole ON ${table} (${key})`)
    expect((await importResources(path, [sample()], options)).forecasts.added).toBe(1)
  })
})

/** Tables and indexes in order, and the version that their maker gave them. */
function schemaOf(path: string) {
  const db = openSqlite(path, { readonly: true })
  const rows = db
    .prepare<[], [string, string]>('SELECT name, sql FROM sqlite_master ORDER BY name')
    .raw()
    .all()
  const version = db.pragma('user_version', { simple: true })
  db.close()
  return [...rows, ['user_version', version]]
}

describe('unusual circumstances', () => {
  it('refuses an empty file, and takes an empty array or page', async () => {
    for (const text of ['', '\n \n']) {
      const path = freshPath()
      const report = await importFiles(path, [put(text)], options)
      expect(report.findings.map(({ code }) => code)).toEqual(['document-empty'])
      expect(existsSync(path)).toBe(false)
    }
    for (const text of ['[]', '[ \n ]', JSON.stringify(STATIC_PAGE([]))]) {
      expect((await importFiles(freshPath(), [put(text)], options)).findings).toEqual([])
    }
  })

  it('does not remove what another import has written meanwhile', async () => {
    const path = freshPath()
    const slow = await openImport(path, options)
    await slow.abort()
    const loser = openWritable(path)
    await importResources(path, [sample()], options)
    loser.close()
    expect(await allOf(path)).toHaveLength(1)
  })

  it('says which members of an attempt it has no place for', async () => {
    const value = { ...sampleAttempt(), detail: 1, target_at: '2026-01-01T02:00:00Z' }
    const report = await importResources(freshPath(), [value], options)
    expect(report.attempts.added).toBe(1)
    expect(report.findings).toMatchObject([
      { code: 'import-attempt-member', severity: 'warning', args: { members: ['detail'] } },
    ])
  })
})
