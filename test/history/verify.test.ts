import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Finding, formatMessage } from '../../src/contract/findings/finding.js'
import { toResource } from '../../src/forecast/resource.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { verifyHistory } from '../../src/history/verify.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { argsOf, codeOf } from '../contract/args-of.js'
import { freshPaths } from '../support/folder.js'
import { sample, sampleAttempt } from './samples.js'
import {
  allOf,
  alter,
  EPOCH,
  historyOf,
  hourlyRows,
  ORDERING_INDEX_DDL,
  opened,
  PRODUCER_DDL,
  writeProducer,
} from './support.js'

const freshPath = freshPaths()

/** The producers' tables without the constraints that keep bad values out. */
const LAX_DDL = PRODUCER_DDL.replaceAll(/ NOT NULL| REFERENCES [^,]+| CHECK \([^)]*\)/g, '')

const ORIGIN = `INSERT INTO forecast_origins (origin_at, generated_at, source_name, pair, source_price_usd)
  VALUES ('2026-01-01T00:00:00+00:00', '2026-01-01T00:01:00+00:00', 'made', 'BTC/USD', 50000);`

const ROW = {
  origin: '2026-01-01T00:00:00+00:00',
  model: 'a',
  horizon: 2,
  target: '2026-01-01T02:00:00+00:00',
  price: 50_500,
  change: 1,
  q: [null, null, null] as unknown[],
  agreement: null,
}
type Row = { [Name in keyof typeof ROW]?: Name extends 'q' ? unknown[] : unknown }

async function verified(rows: Row[], sql = ''): Promise<readonly Finding[]> {
  const path = freshPath()
  const db = openSqlite(path)
  db.exec(LAX_DDL + ORDERING_INDEX_DDL)
  db.exec(ORIGIN)
  const add = db.prepare('INSERT INTO forecast_predictions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const row of rows) {
    add.run(...Object.values({ ...ROW, ...row }).flat())
  }
  db.exec(sql)
  db.close()
  const { findings } = await verifyHistory(path)
  for (const each of findings) expect(formatMessage(each).text).not.toMatch(/undefined|\[object/)
  return findings
}

const shown = (findings: readonly Finding[]) =>
  findings.map((each) => [each.severity, named(each), argsOf(each).row, argsOf(each).column])

/** Its code, and the rule that a row breaks. */
const named = (each: Finding) =>
  each.code === 'history-rule' ? `history-rule ${argsOf(each).rule}` : codeOf(each)

const DAY = '2026-01-01'
const RULE = 'error history-rule'
const VALUE = 'error history-value'
const PRICE = 'predicted_price_usd'
const CHANGE = 'predicted_change_pct'
const ORPHAN = `${VALUE} orphan origin_at`
const NO_TIME = `${VALUE} timestamp origin_at`
const FORM = `${VALUE} timestamp-form origin_at`
const THREE = `${DAY}T03:00:00+00:00`
const MISMATCH = `${RULE} target-mismatch target_at`
const SPELLING = `${VALUE} timestamp-form target_at`
const IMPLAUSIBLE = `warning history-rule price-implausible ${PRICE}`
const BOUNDS = 'q10_usd, q50_usd, q90_usd'

describe('verify', () => {
  // What is found: its severity, code, rule and column, each with the row where that is another one.
  it.each<[string, Row, ...string[]]>([
    ['nothing in a good row', {}],
    ['a target that is not origin plus horizon', { target: THREE }, MISMATCH],
    ['a horizon beyond all timestamps', { horizon: 9e15 }, MISMATCH],
    ['no timestamp', { target: '2026-02-30T00:00:00+00:00' }, `${VALUE} timestamp target_at`],
    ['another spelling', { target: `${DAY}T02:00:00Z` }, SPELLING],
    ['a fraction of zero', { target: `${DAY}T02:00:00.000000+00:00` }, SPELLING],
    ['text where a number belongs', { price: 'high' }, `${VALUE} number ${PRICE}`],
    ['an infinite number', { change: Infinity }, `${VALUE} number ${CHANGE}`],
    ['NaN, which SQLite stores as null', { price: Number.NaN }, `${VALUE} number ${PRICE}`],
    ['a price of zero', { price: 0, change: -100 }, `${RULE} price-not-positive ${PRICE}`],
    [
      'a change of another price',
      { price: 50_000, change: 50 },
      `${RULE} change-mismatch ${CHANGE}`,
    ],
    ['a price in another unit', { price: 0.75, change: -99.9985 }, IMPLAUSIBLE],
    ['crossing quantiles', { q: [3, 2, 4] }, `${RULE} interval-disordered ${BOUNDS}`],
    ['a missing quantile', { q: [1, null, 3] }, `${RULE} interval-partly-null ${BOUNDS}`],
    ['equal quantiles, which do not cross', { q: [2, 2, 2] }],
    ['agreement outside 0 to 1', { agreement: 1.5 }, `${VALUE} agreement model_agreement`],
    ['a horizon of zero', { horizon: 0 }, `${VALUE} horizon horizon_hours`],
    ['an empty name, which is a name', { model: '' }],
    ['a horizon of text', { horizon: 'two' }, `${VALUE} horizon horizon_hours`],
    ['one that no number holds', { horizon: 2n ** 53n + 1n }, `${VALUE} horizon horizon_hours`],
    ['a row without its origin', { origin: `${DAY}T01:00:00+00:00`, target: THREE }, ORPHAN],
    ['an origin in another form', { origin: `${DAY}T01:00:00+01:00` }, FORM, ORPHAN],
    ['an origin that is no timestamp', { origin: 'noon' }, NO_TIME, ORPHAN],
  ])('finds %s', async (_name, row, ...expected) => {
    const { origin, model, horizon } = { ...ROW, ...row }
    const found = await verified([row])
    const said = shown(found).map(([severity, code, , column]) => `${severity} ${code} ${column}`)
    expect(said).toEqual(expected)
    for (const each of found) expect(argsOf(each).row).toBe(`${origin}, ${model}, ${horizon} h`)
  })

  it('finds faults of origins, once for each', async () => {
    const sql = `UPDATE forecast_origins SET source_price_usd = 'x', pair = 'ETH/USD',
      experiment_manifest_json = '[1]', generated_at = '2026-01-01 00:00', source_name = x'00'`
    const origin = 'origin 2026-01-01T00:00:00+00:00'
    expect(shown(await verified([{}, { model: 'b' }], sql))).toEqual([
      ['error', 'history-value timestamp', origin, 'generated_at'],
      ['error', 'history-value number', origin, 'source_price_usd'],
      ['error', 'history-value text', origin, 'source_name'],
      ['error', 'history-value pair', origin, 'pair'],
      ['warning', 'history-manifest', '2026-01-01T00:00:00+00:00', undefined],
    ])
  })

  it('finds what does not fit in the tables of foreproof', async () => {
    const attempt = { ...sampleAttempt({ hour: 2 }), provenance: { vintage_id: 'v' } }
    const path = await historyOf([{ ...sample(), later: 1 }, sample({ hour: 1 }), attempt])
    const sound = { findings: [], forecasts: 2, attempts: 1, origins: 2 }
    expect(await verifyHistory(path)).toMatchObject(sound)
    alter(
      path,
      `
      UPDATE foreproof_resources SET resource_json = replace(resource_json, '50500.25', '50501');
      INSERT INTO foreproof_attempts VALUES ('2026-01-01T01:00:00+00:00', 'alpha', 2, 'abstained', 'why', 'then');
      INSERT INTO foreproof_provenance VALUES ('2026-01-01T09:00:00+00:00', 'alpha', 2, NULL, NULL, NULL, NULL);
      UPDATE foreproof_provenance SET input_available_at = 'x' WHERE vintage_id = 'v'`,
    )
    expect((await verifyHistory(path)).findings.map(codeOf)).toEqual([
      'history-resource',
      'history-value timestamp',
      'history-value timestamp',
      'history-attempt-and-forecast',
      'history-own-orphan',
      'log-row-without-entry',
      'log-entry-unsealed',
    ])
  })

  it.each(['{}', '[]', '{', '{"origin_at":1,"model":null}', '{"model":{"name":1}}'])(
    'goes on beyond a resource that says nothing of a forecast: %s',
    async (json) => {
      const path = await historyOf([{ ...sample(), later: 1 }, sample({ hour: 1 })])
      alter(
        path,
        `UPDATE foreproof_resources SET resource_json = '${json}';
        UPDATE forecast_predictions SET q10_usd = 9e9 WHERE origin_at LIKE '%T01%'`,
      )
      const { findings } = await verifyHistory(path)
      expect(findings.map(named)).toEqual([
        'history-resource',
        'history-rule interval-disordered',
        'log-entry-unsealed',
      ])
    },
  )

  it('says what the index in reading order would change, as a note', async () => {
    const path = freshPath()
    writeProducer(path, hourlyRows(0, 1, ['a', 'b', 'c'], [2]))
    const before = readFileSync(path)
    const { findings, ordering_index } = await verifyHistory(path)
    expect(ordering_index).toBe(false)
    const missing = { code: 'history-index-missing', severity: 'note', args: { rows: 3 } }
    expect(findings).toMatchObject([missing])
    expect(readFileSync(path).equals(before)).toBe(true)
    alter(path, String(argsOf(findings[0]).sql))
    expect((await verifyHistory(path)).findings).toEqual([])
  })

  it('passes on what SQLite itself finds', async () => {
    const path = freshPath()
    writeProducer(path, [{ hour: 0, model: 'a', horizon: 2 }], ORDERING_INDEX_DDL)
    alter(path, "CREATE TABLE t (a TEXT UNIQUE); INSERT INTO t VALUES ('needle')")
    const bytes = readFileSync(path)
    bytes.write('beetle', bytes.indexOf('needle'))
    writeFileSync(path, bytes)
    const codes = (await verifyHistory(path)).findings.map(({ code }) => code)
    expect(codes).toContain('history-integrity')
  })

  it('lists ten thousand findings and counts the rest', async () => {
    const path = freshPath()
    writeProducer(path, hourlyRows(0, 5001, ['a'], [2, 4]))
    alter(path, "UPDATE forecast_predictions SET target_at = 'x'")
    expect(await verifyHistory(path)).toMatchObject({ withheld: 3 })
  })
})

// RFC 7493: what a history holds is shown so that every reader of I-JSON takes it.
const options = { now: EPOCH * 1000 }
const deep = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

/** A history of one producer's row, after some SQL. */
function altered(sql: string, ...values: unknown[]): string {
  const path = freshPath()
  writeProducer(path, [{ hour: 0, model: 'a', horizon: 2 }])
  alter(path, sql, ...values)
  return path
}

async function shownManifest(path: string) {
  const reader = opened(path)
  const row = await reader.latest()
  const { manifest, manifest_reason } = toResource(row as NonNullable<typeof row>).lineage
  return { manifest, manifest_reason }
}

/** What is said of the rows themselves: that a changed one no longer fits the log is a matter of others. */
const faultsIn = async (path: string) =>
  (await verifyHistory(path)).findings
    .filter(({ severity, code }) => severity !== 'note' && code !== 'log-entry-unsealed')
    .map((each) => [each.severity, codeOf(each), argsOf(each).column])

describe('a stored manifest', () => {
  const set = 'UPDATE forecast_origins SET experiment_manifest_json = ?'
  it.each<[string, unknown]>([
    ['an integer beyond 2^53', '{"seed":1767225600000000001}'],
    ['a number that becomes zero, in digits', `{"seed":0.${'0'.repeat(240)}1e-99}`],
    ['two members of one name, deep inside', '{"a":[{"b":1 ,"b" :2}]}'],
    ['a lone surrogate in a name', '{"\\udfff":1}'],
    ['a noncharacter beyond the basic plane', '{"name":"\u{1fffe}"}'],
    ['levels that a page has no room for', deep(61)],
    ['a text that closes what it is in', '{}],[{}'],
    ['no object', '[{}]'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('with %s is unreadable, and verify warns of it', async (_name, json) => {
    const path = altered(set, json)
    expect(await shownManifest(path)).toEqual({ manifest: null, manifest_reason: 'unreadable' })
    expect(await faultsIn(path)).toEqual([['warning', 'history-manifest', undefined]])
  })

  it.each<[string, unknown, unknown]>([
    ['a number that goes out with an exponent', '{"a":1e300,"b":1e21,"c":1e-300}', undefined],
    [
      'an integer beyond 2^53 that loses no digit',
      '{"a":100000000000000000000,"b":1e20}',
      undefined,
    ],
    ['names that look alike', '{"a":{"a":1},"b":"\\"a\\":"}', undefined],
    ['as many levels as a page has room for', deep(60), undefined],
    ['the same text in bytes', Buffer.from('{"é":1}'), { é: 1 }],
  ])('with %s is shown', async (_name, json, expected) => {
    const path = altered(set, json)
    const manifest = expected ?? JSON.parse(String(json))
    expect(await shownManifest(path)).toEqual({ manifest, manifest_reason: undefined })
    expect(await faultsIn(path)).toEqual([])
  })
})

describe('verify and export', () => {
  it.each([
    ['predicted_price_usd', 'forecast_predictions', 2e100, 'number'],
    ['predicted_change_pct', 'forecast_predictions', 2e100, 'number'],
    ['q90_usd', 'forecast_predictions', 2e100, 'number'],
    ['model_agreement', 'forecast_predictions', 2e100, 'number'],
    ['source_price_usd', 'forecast_origins', 2e100, 'number'],
    ['model_name', 'forecast_predictions', 'x\uffff', 'text'],
    ['source_name', 'forecast_origins', 'x\uffff', 'text'],
    ['experiment_run_id', 'forecast_origins', 'x\uffff', 'text'],
    ['configuration_id', 'forecast_origins', 'x\uffff', 'text'],
  ])(
    'name %s of %s where it is %s, in words that all read',
    async (column, table, value, fault) => {
      const path = altered(`UPDATE ${table} SET ${column} = ?`, value)
      expect(await faultsIn(path)).toEqual([['error', `history-value ${fault}`, column]])
      expect(JSON.stringify((await verifyHistory(path)).findings)).not.toMatch(/\p{NChar}/u)
      const says = /^row 2026-01-01T00:00:00\+00:00, (a|x\\uffff), 2 h/
      await expect(allOf(exportLines(path))).rejects.toThrow(says)
    },
  )

  it.each([['reason'], ['model_name']])('name a recorded attempt by its %s', async (column) => {
    const path = await historyOf([sampleAttempt(), sampleAttempt({ hour: 1 })])
    alter(path, `UPDATE foreproof_attempts SET ${column} = ? WHERE rowid = 1`, 'no\u{10ffff}')
    expect(await faultsIn(path)).toEqual([['error', 'history-value attempt', column]])
    const says = /the attempt 2026-01-01T00:00:00\+00:00, .* cannot/
    await expect(allOf(exportLines(path))).rejects.toThrow(says)
    const left: unknown[] = []
    const onFaultyRow = (row: { horizonHours: unknown }) => left.push(row.horizonHours)
    const lines = await allOf(exportLines(path, { onFaultyRow }))
    expect([lines.length, left]).toEqual([1, [2]])
  })

  it.each([
    "foreproof_provenance SET vintage_id = 'w'",
    ...['predicted_price_usd', 'predicted_change_pct', 'q10_usd', 'q50_usd', 'q90_usd'].map(
      (column) => `forecast_predictions SET ${column} = ${column} + 0.001`,
    ),
    "foreproof_resources SET resource_json = replace(resource_json, '00:00+00:00', '00:00Z')",
    `foreproof_resources SET resource_json = replace(resource_json, '"horizon_hours":2', '"horizon_hours":4')`,
  ])('name a forecast kept whole that differs from its row: UPDATE %s', async (change) => {
    const path = await historyOf([{ ...sample(), later: 1, provenance: { vintage_id: 'v' } }])
    alter(path, `UPDATE ${change}`)
    expect(await faultsIn(path)).toContainEqual(['error', 'history-resource', 'resource_json'])
  })

  it('name a forecast kept whole that no reader would take', async () => {
    const path = await historyOf([{ ...sample(), later: 12 }])
    const later = `replace(resource_json, '"later":12', '"later":9007199254740993')`
    alter(path, `UPDATE foreproof_resources SET resource_json = ${later}`)
    expect(await faultsIn(path)).toEqual([['error', 'history-resource', 'resource_json']])
    await expect(allOf(exportLines(path))).rejects.toThrow(/cannot be shown/)
  })
})

describe('import refuses what could not be shown afterwards', () => {
  const forecast = sample()
  const text = JSON.stringify(forecast)
  it.each<[string, string, string, string?]>([
    ['a price of 1e20', '"price_usd":50500.25', '"price_usd":1e20', 'change-mismatch'],
    ['a quantile of 2e100', '"upper_usd":51800', '"upper_usd":2e100'],
    ['a seed', '"manifest_version":1', '"manifest_version":9007199254740993'],
    ['what becomes zero', '"manifest_version":1', '"manifest_version":1e-400'],
    ['a manifest too deep', '{"deep":null}', deep(61), 'json-depth'],
  ])('%s', async (_name, from, to, code = 'json-number-range') => {
    expect(text).toContain(from)
    const file = freshPath('ndjson')
    writeFileSync(file, `${JSON.stringify(sample({ hour: 5 }))}\n${text.replace(from, to)}\n`)
    const report = await importFiles(freshPath(), [file], options)
    expect(report).toMatchObject({ rejected: 1, written: 0 })
    const found = report.findings.find((each) => each.code === code)
    expect(found).toMatchObject({ file, position: { line: 2 } })
  })

  it.each<[string, unknown]>([
    ['a noncharacter', sample({ model: 'x\uffff' })],
    ['a lone surrogate', { ...sampleAttempt(), reason: '\ud800' }],
    ['a number', { ...forecast, later: [Number.POSITIVE_INFINITY] }],
    ['a price', { ...forecast, estimate: { price_usd: 1e22, change_pct: 1 } }],
  ])('%s among values that no reader has read', async (_name, value) => {
    const path = freshPath()
    expect(await importResources(path, [value], options)).toMatchObject({ rejected: 1, written: 0 })
  })

  it('and nothing that can be shown', async () => {
    const path = freshPath()
    const lineage = { ...forecast.lineage, manifest: { n: 1e300, m: Number.MAX_SAFE_INTEGER } }
    const value = { ...forecast, lineage, later: '\u{1f600}\ufffd' }
    expect((await importResources(path, [value], options)).findings).toEqual([])
    const copy = await historyOf((await allOf(exportLines(path))).map((line) => JSON.parse(line)))
    expect(await allOf(exportLines(copy))).toEqual(await allOf(exportLines(path)))
    expect(await faultsIn(path)).toEqual([])
  })
})
