import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resourceOf } from '../../src/forecast/resource.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { verifyHistory } from '../../src/history/verify.js'
import { argsOf, codeOf } from '../contract/args-of.js'
import { freshPaths } from '../support/folder.js'
import { sample, sampleAttempt } from './samples.js'
import { allOf, alter, EPOCH, historyOf, opened, writeProducer } from './support.js'

const freshPath = freshPaths()
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
  const { manifest, manifest_reason } = resourceOf(row as NonNullable<typeof row>).lineage
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
    ['an integer that is 2^53', '{"seed":-9007199254740992}'],
    ['such an integer with an exponent', '{"seed":1e20}'],
    ['such an integer with a fraction', '{"seed":9007199254740993.0}'],
    ['a number that overflows', '{"seed":1e400}'],
    ['a number that becomes zero', '{"seed":1e-400}'],
    ['the same in digits', `{"seed":0.${'0'.repeat(330)}1}`],
    ['both at once', `{"seed":0.${'0'.repeat(240)}1e-99}`],
    ['two members of one name', '{"seed":1,"seed":1}'],
    ['two such members, one escaped', '{"seed":1,"s\\u0065ed":1}'],
    ['such members deep inside', '{"a":[{"b":1 ,"b" :2}]}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['a lone surrogate in a name', '{"\\udfff":1}'],
    ['an escaped noncharacter', '{"name":"\\uFFFF"}'],
    ['a noncharacter', '{"name":"\ufdd0"}'],
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
    ['the largest integers', '{"a":9007199254740991,"b":-9007199254740991}', undefined],
    ['a number that goes out with an exponent', '{"a":1e300,"b":1e21,"c":1e-300}', undefined],
    ['a whole character in two escapes', '{"a":"\\ud83d\\ude00"}', undefined],
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
    ['predicted_price_usd', 'forecast_predictions', 1e20, 'number'],
    ['predicted_change_pct', 'forecast_predictions', 1e20, 'number'],
    ['q90_usd', 'forecast_predictions', 1e20, 'number'],
    ['model_agreement', 'forecast_predictions', 1e20, 'number'],
    ['source_price_usd', 'forecast_origins', 1e20, 'number'],
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
      await expect(allOf(exportLines(path))).rejects.toThrow(
        /^row 2026-01-01T00:00:00\+00:00, (a|x\\uffff), 2 h/,
      )
    },
  )

  it.each([['reason'], ['model_name']])('name a recorded attempt by its %s', async (column) => {
    const path = await historyOf([sampleAttempt(), sampleAttempt({ hour: 1 })])
    alter(path, `UPDATE foreproof_attempts SET ${column} = ? WHERE rowid = 1`, 'no\u{10ffff}')
    expect(await faultsIn(path)).toEqual([['error', 'history-value attempt', column]])
    await expect(allOf(exportLines(path))).rejects.toThrow(
      /the attempt 2026-01-01T00:00:00\+00:00, .* cannot/,
    )
    const left: unknown[] = []
    const lines = await allOf(
      exportLines(path, { onFaultyRow: (row) => left.push(row.horizonHours) }),
    )
    expect([lines.length, left]).toEqual([1, [2]])
  })

  it('name a forecast kept whole that no reader would take', async () => {
    const path = await historyOf([{ ...sample(), later: 12 }])
    alter(
      path,
      `UPDATE foreproof_resources
      SET resource_json = replace(resource_json, '"later":12', '"later":1e20')`,
    )
    expect(await faultsIn(path)).toEqual([['error', 'history-resource', 'resource_json']])
    await expect(allOf(exportLines(path))).rejects.toThrow(/cannot be shown/)
  })
})

describe('import refuses what could not be shown afterwards', () => {
  const forecast = sample()
  const text = JSON.stringify(forecast)
  it.each<[string, string, string, string]>([
    ['a price of 1e20', '"price_usd":50500.25', '"price_usd":1e20', 'json-number-range'],
    ['a price of 1e22', '"price_usd":50500.25', '"price_usd":1e22', 'change-mismatch'],
    ['a change of -1e16', '"change_pct":1.0005', '"change_pct":-1e16', 'json-number-range'],
    [
      'a quantile of 2^53',
      '"upper_usd":51800',
      '"upper_usd":9007199254740992.0',
      'json-number-range',
    ],
    ['a source price', '"price_usd":50000}', '"price_usd":2e17}', 'json-number-range'],
    ['a seed', '"manifest_version":1', '"manifest_version":1e20', 'json-number-range'],
    ['what becomes zero', '"manifest_version":1', '"manifest_version":1e-400', 'json-number-range'],
    ['a manifest too deep', '{"deep":null}', deep(61), 'json-depth'],
  ])('%s', async (_name, from, to, code) => {
    expect(text).toContain(from)
    const file = freshPath('ndjson')
    writeFileSync(file, `${JSON.stringify(sample({ hour: 5 }))}\n${text.replace(from, to)}\n`)
    return importFiles(freshPath(), [file], options).then((report) => {
      expect(report).toMatchObject({ rejected: 1, written: 0 })
      const found = report.findings.find((each) => each.code === code)
      expect(found).toMatchObject({ file, position: { line: 2 } })
    })
  })

  it.each<[string, unknown]>([
    ['a noncharacter', sample({ model: 'x\uffff' })],
    ['a lone surrogate', { ...sampleAttempt(), reason: '\ud800' }],
    ['a number', { ...forecast, later: [Number.POSITIVE_INFINITY] }],
    ['an integer', { ...forecast, later: { n: 2 ** 60 } }],
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
