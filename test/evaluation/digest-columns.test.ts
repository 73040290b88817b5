import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import { digestOf } from '../../src/evaluation/digested-rows.js'
import { windowRows } from '../../src/evaluation/history.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { makeWorld, type World } from './world.js'

const DOCS = readFileSync(new URL('../../docs/evidence.md', import.meta.url), 'utf8')

/** Columns as the guide lists them: `| table | in the digest | not in it |`. */
function listed(table: string): { within: readonly string[]; without: readonly string[] } {
  const cells = DOCS.match(new RegExp(`^\\| \`${table}\` \\|(.*)\\|(.*)\\|$`, 'm'))
  const names = (cell = '') => [...cell.matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name ?? '')
  return { within: names(cells?.[1]), without: names(cells?.[2]) }
}

/** A row of each table with something in every column; no forecast of that hour is kept whole. */
const FILLED = `
  PRAGMA foreign_keys = OFF;
  UPDATE forecast_origins SET regime = 'calm', experiment_run_id = 'r', configuration_id = 'c'
    WHERE origin_at = :first;
  DELETE FROM foreproof_resources WHERE origin_at = :first;
  INSERT INTO foreproof_attempts VALUES (:first, 'mute', 2, 'failed', 'no data', :first);
  INSERT INTO foreproof_provenance VALUES (:first, 'seer', 2, :first, :first, 'v1', 'aa');`

let world: World
let registration: Registration
let folder: string
let first: string

beforeAll(async () => {
  world = await makeWorld()
  const read = JSON.parse(readFileSync(world.paths.registration, 'utf8')) as Registration
  const levels = [{ level: 'calm', regimes: ['calm'] }]
  registration = { ...read, strata: [{ name: 'regime', by: 'regime', levels }] }
  folder = mkdtempSync(join(tmpdir(), 'foreproof-digest-'))
  change(world.paths.history, (db) => {
    first = String(db.prepare('SELECT min(origin_at) FROM forecast_origins').pluck().get())
    db.exec(FILLED.replaceAll(':first', `'${first}'`))
  })
})
afterAll(() => {
  world.remove()
  rmSync(folder, { recursive: true, force: true })
})

function change(file: string, act: (db: ReturnType<typeof openSqlite>) => void): void {
  const db = openSqlite(file)
  db.pragma('foreign_keys = OFF')
  db.pragma('ignore_check_constraints = ON')
  act(db)
  db.close()
}

async function digest(file: string): Promise<string> {
  return (await digestOf((await windowRows(file, registration)).rows())).sha256
}

/** The digest of a history that has another value there. */
async function changed(table: string, column: string): Promise<string> {
  const file = join(folder, 'changed.sqlite')
  cpSync(world.paths.history, file)
  change(file, (db) => {
    const found = db.prepare(`SELECT ${column} FROM ${table} WHERE origin_at = ?`).pluck()
    const next = other(column, found.get(first))
    const row = `rowid = (SELECT min(rowid) FROM ${table} WHERE origin_at = ?)`
    expect(
      db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${row}`).run(next, first).changes,
    ).toBe(1)
  })
  return digest(file)
}

function other(column: string, value: unknown): unknown {
  if (column === 'status') return 'abstained'
  if (typeof value === 'number') return value + 1
  // The hour stays one of the window.
  return column.endsWith('_at') ? String(value).replace(/00:00/, '00:01') : `${value ?? ''}x`
}

it.each(['forecast_origins', 'forecast_predictions', 'foreproof_attempts', 'foreproof_provenance'])(
  'the guide says of every column of %s whether a change of it changes the digest',
  async (table) => {
    const { within, without } = listed(table)
    const columns: string[] = []
    change(world.paths.history, (db) => {
      columns.push(
        ...(db.pragma(`table_info(${table})`) as { name: string }[]).map((one) => one.name),
      )
    })
    expect([...within, ...without].sort()).toEqual(columns.sort())
    const before = await digest(world.paths.history)
    for (const column of columns) {
      const same = (await changed(table, column)) === before
      expect([column, same]).toEqual([column, without.includes(column)])
    }
  },
)

it('of a forecast that is kept whole, the members that the guide names count, and no other', async () => {
  const named = [
    ...(DOCS.match(/has its own(.*?)in the digest/s)?.[1] ?? '').matchAll(/`([a-z_.]+)`/g),
  ]
  const counts = ['interval.level', 'lineage.source.price_usd', 'run.generated_at']
  expect(named.map(([, path]) => path)).toEqual(counts)
  const before = await digest(world.paths.history)
  for (const path of [
    ...counts,
    'lineage.manifest',
    'confidence.label',
    'model.configuration_id',
  ]) {
    const file = join(folder, 'changed.sqlite')
    cpSync(world.paths.history, file)
    change(file, (db) => {
      const set = "SET resource_json = json_set(resource_json, ?, '0.5')"
      const row = 'rowid = (SELECT min(rowid) FROM foreproof_resources)'
      const { changes } = db
        .prepare(`UPDATE foreproof_resources ${set} WHERE ${row}`)
        .run(`$.${path}`)
      expect(changes).toBe(1)
    })
    expect([path, (await digest(file)) === before]).toEqual([path, !counts.includes(path)])
  }
})
