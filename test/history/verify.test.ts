import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Finding, messageOf } from '../../src/contract/findings/finding.js'
import { verifyHistory } from '../../src/history/verify.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { argsOf, codeOf } from '../contract/args-of.js'
import { freshPaths } from '../support/folder.js'
import { sample, sampleAttempt } from './samples.js'
import {
  alter,
  historyOf,
  hourlyRows,
  ORDERING_INDEX_DDL,
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
  for (const each of findings) expect(messageOf(each).text).not.toMatch(/undefined|\[object/)
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
    ['an infinite number', { change: Infinity }, `${VALUE} number predicted_change_pct`],
    ['NaN, which SQLite stores as null', { price: Number.NaN }, `${VALUE} number ${PRICE}`],
    ['a price of zero', { price: 0, change: -100 }, `${RULE} price-not-positive ${PRICE}`],
    [
      'a change that is not that of the price',
      { price: 50_000, change: 50 },
      `${RULE} change-mismatch predicted_change_pct`,
    ],
    ['a price in another unit', { price: 0.75, change: -99.9985 }, IMPLAUSIBLE],
    ['crossing quantiles', { q: [3, 2, 4] }, `${RULE} interval-disordered ${BOUNDS}`],
    ['a missing quantile', { q: [1, null, 3] }, `${RULE} interval-partly-null ${BOUNDS}`],
    ['equal quantiles, which do not cross', { q: [2, 2, 2] }],
    ['agreement outside 0 to 1', { agreement: 1.5 }, `${VALUE} agreement model_agreement`],
    ['a horizon of zero', { horizon: 0 }, `${VALUE} horizon horizon_hours`],
    ['an empty name, which is a name', { model: '' }],
    ['a horizon of text', { horizon: 'two' }, `${VALUE} horizon horizon_hours`],
    [
      'a row without its origin',
      { origin: `${DAY}T01:00:00+00:00`, target: THREE },
      `${VALUE} orphan origin_at`,
    ],
    [
      'an origin in another form',
      { origin: `${DAY}T01:00:00+01:00` },
      `${VALUE} timestamp-form origin_at`,
      `${VALUE} orphan origin_at`,
    ],
    [
      'an origin that is no timestamp',
      { origin: 'noon' },
      `${VALUE} timestamp origin_at`,
      `${VALUE} orphan origin_at`,
    ],
  ])('finds %s', async (_name, row, ...expected) => {
    const { origin, model, horizon } = { ...ROW, ...row }
    const found = await verified([row])
    expect(
      shown(found).map(([severity, code, , column]) => `${severity} ${code} ${column}`),
    ).toEqual(expected)
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
    expect(await verifyHistory(path)).toMatchObject({
      findings: [],
      forecasts: 2,
      attempts: 1,
      origins: 2,
    })
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
    expect(findings).toMatchObject([
      { code: 'history-index-missing', severity: 'note', args: { rows: 3 } },
    ])
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

  it('lists as many as asked for and counts the rest', async () => {
    const path = freshPath()
    writeProducer(path, hourlyRows(0, 3, ['a'], [2]))
    alter(path, "UPDATE forecast_predictions SET target_at = 'x'")
    expect(await verifyHistory(path, { maxFindings: 2 })).toMatchObject({ withheld: 2 })
  })
})
