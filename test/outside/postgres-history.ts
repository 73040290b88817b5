import pg from 'pg'
import { expect } from 'vitest'
import { instantOf } from '../../src/contract/instant.js'
import { initHistory } from '../../src/store/open.js'
import { inBatches, opened } from '../history/support.js'
import { PASSWORD } from './servers.js'

const instant = (text: unknown) => instantOf(text) ?? null

/**
 * Puts the forecasts of a SQLite history into a new one of PostgreSQL, by plain SQL: none of foreproof's
 * own code that writes takes part.
 */
export async function moved(from: string, to: string): Promise<void> {
  await initHistory(to)
  const url = new URL(to)
  const schema = url.searchParams.get('schema') ?? 'foreproof'
  url.search = ''
  const reader = opened(from)
  const rows = (await inBatches(reader.entries())).flatMap(({ forecast }) => forecast ?? [])
  const origins = new Map(rows.map((row) => [row.originAt, row.origin]))
  const db = new pg.Client({ connectionString: url.href })
  await db.connect()
  await put(
    db,
    `${schema}.origins (origin_at, generated_at, source_name, pair, source_price_usd, run_id,
       configuration_id, manifest_json, first_seen_at, last_seen_at)`,
    [...origins.values()].map((row) => [
      ...[instant(row?.originAt), instant(row?.generatedAt), row?.sourceName, row?.pair],
      ...[row?.sourcePriceUsd, row?.runId, row?.configurationId, row?.manifestJson, 0, 0],
    ]),
  )
  await put(
    db,
    `${schema}.forecasts (origin_at, horizon_hours, model, target_at, price_usd, change_pct, q10_usd,
       q50_usd, q90_usd, model_agreement, run_id, whole, has_provenance)`,
    rows.map((row) => [
      ...[instant(row.originAt), row.horizonHours, row.model, instant(row.targetAt), row.priceUsd],
      ...[row.changePct, row.q10Usd, row.q50Usd, row.q90Usd, row.modelAgreement],
      ...[row.origin?.runId, row.whole, false],
    ]),
  )
  await db.query(`UPDATE ${schema}.state SET revision = revision + 1`)
  await db.end()
}

async function put(db: pg.Client, into: string, rows: readonly (readonly unknown[])[]) {
  await db.query('BEGIN')
  for (const row of rows) {
    const places = row.map((_, index) => `$${index + 1}`)
    await db.query(`INSERT INTO ${into} VALUES (${places.join(', ')})`, [...row])
  }
  await db.query('COMMIT')
}

/** No text has the password of the tests, however it is written. */
export function expectHidden(...texts: readonly string[]): void {
  for (const text of texts) {
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), JSON.stringify(PASSWORD)]) {
      expect(text).not.toContain(secret)
    }
  }
}
