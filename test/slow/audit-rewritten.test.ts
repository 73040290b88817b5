import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { formatStored } from '../../src/contract/instant.js'
import { codeVersion } from '../../src/evaluation/code-version.js'
import { auditFolder } from '../../src/evaluation/evidence/audit.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { RENDERERS } from '../../src/report/renderers.js'
import { hourAt, LEAD_IN } from '../evaluation/made.js'
import { scoreInto } from '../evaluation/score-into.js'
import { isForecast, makeStampedWorld, sql, witnesses } from '../evaluation/stamped-world.js'
import type { World } from '../evaluation/world.js'

const HOURS = 4
const HORIZONS = [2, 4, 8, 16]
/** A forecast that nobody made: the room for one that is slipped in. */
const HOLE = { hour: 2, horizon: 8 }

interface Row {
  readonly hour: number
  readonly horizon: number
}

let world: World
let folder = ''
const history = () => join(folder, 'history.sqlite')
const originOf = ({ hour }: Row) => formatStored(hourAt(LEAD_IN + hour))
const where = (row: Row) => `origin_at = '${originOf(row)}' AND horizon_hours = ${row.horizon}`

/** The rows in the order of the log, which is that of their hours; every hour was sealed. */
const ROWS: Row[] = Array.from({ length: HOURS }, (_, hour) => hour)
  .flatMap((hour) => HORIZONS.map((horizon) => ({ hour, horizon })))
  .filter(({ hour, horizon }) => hour !== HOLE.hour || horizon !== HOLE.horizon)

beforeAll(async () => {
  const hole = isForecast(HOLE.hour, HOLE.horizon)
  world = await makeStampedWorld({
    by: await witnesses('alpha'),
    hours: HOURS,
    delay: (row) => (hole(row) ? Number.NaN : 0),
  })
  await scoreInto(world, 'evidence')
}, 60_000)
afterAll(() => world.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreproof-rewritten-'))
  cpSync(world.folder, folder, { recursive: true })
  return () => rmSync(folder, { recursive: true, force: true })
})

/** Rewrites the log in the order that is given; what is left out is gone. */
function relog(order: (indexes: number[]) => (number | Row)[]): void {
  const db = openSqlite(history())
  const all = db.prepare('SELECT * FROM foreproof_log_entries ORDER BY leaf_index').all() as {
    leaf_index: number
  }[]
  db.exec('DELETE FROM foreproof_log_entries')
  const names = Object.keys(all[0] ?? {})
  const add = db.prepare(
    `INSERT INTO foreproof_log_entries (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
  )
  order(all.map((_, index) => index)).forEach((from, leaf_index) => {
    const entry =
      typeof from === 'number'
        ? all[from]
        : {
            ...all[0],
            ...{
              origin_at: originOf(from),
              horizon_hours: from.horizon,
              leaf_hash: Buffer.alloc(32),
            },
          }
    add.run({ ...entry, leaf_index })
  })
  db.close()
}

const change = (...statements: string[]) => expect(sql(history(), ...statements)).toBeGreaterThan(0)
const priceOf = (row: Row) =>
  `UPDATE forecast_predictions SET predicted_price_usd = predicted_price_usd + 1 WHERE ${where(row)}`
const slipIn = `INSERT INTO forecast_predictions
  SELECT origin_at, model_name, ${HOLE.horizon}, '${formatStored(hourAt(LEAD_IN + HOLE.hour + HOLE.horizon))}',
    predicted_price_usd, predicted_change_pct, q10_usd, q50_usd, q90_usd, model_agreement
  FROM forecast_predictions WHERE ${where({ hour: HOLE.hour, horizon: 2 })}`

/** What is done to one row, and which row has to be named for it. */
const WAYS: readonly (readonly [string, (row: Row, index: number) => Row | undefined])[] = [
  [
    'altered',
    (row) => {
      change(priceOf(row))
      return row
    },
  ],
  [
    'altered where scoring does not look',
    (row) => {
      change(
        `UPDATE foreproof_resources SET resource_json = replace(resource_json, 'true', '1') WHERE ${where(row)}`,
      )
      return row
    },
  ],
  [
    'altered with its entry',
    (row, index) => {
      change(
        priceOf(row),
        `UPDATE foreproof_log_entries SET leaf_hash = randomblob(32) WHERE leaf_index = ${index}`,
      )
      return row
    },
  ],
  [
    'dropped',
    (row) => {
      change(`DELETE FROM forecast_predictions WHERE ${where(row)}`)
      return row
    },
  ],
  [
    'dropped with its entry',
    (row, index) => {
      change(`DELETE FROM forecast_predictions WHERE ${where(row)}`)
      relog((all) => all.filter((each) => each !== index))
      return row
    },
  ],
  [
    'inserted before, with an entry of its own',
    (row, index) => {
      change(slipIn)
      relog((all) => [...all.slice(0, index), HOLE, ...all.slice(index)])
      return row
    },
  ],
  [
    'back-dated by what it says',
    (row) => {
      const said = formatStored(hourAt(LEAD_IN + row.hour - 1))
      change(
        `UPDATE foreproof_resources SET resource_json =
          json_set(resource_json, '$.run.generated_at', '${said}') WHERE ${where(row)}`,
      )
      return row
    },
  ],
  [
    'back-dated in the log, to its beginning',
    (_, index) => {
      if (index === 0) return undefined
      relog((all) => [index, ...all.filter((each) => each !== index)])
      return ROWS[0]
    },
  ],
  [
    'put after the next one',
    (row, index) => {
      if (index === ROWS.length - 1) return undefined
      relog((all) => all.with(index, index + 1).with(index + 1, index))
      return row
    },
  ],
]

const CASES = WAYS.flatMap(([way, spoil]) =>
  ROWS.map((row, index) => [way, row.hour, row.horizon, spoil, index] as const),
)

it.each(CASES)(
  'a row is %s, hour %i, horizon %i',
  async (_, hour, horizon, spoil, index) => {
    const named = spoil({ hour, horizon }, index)
    if (named === undefined) return
    const found = await auditFolder({
      ...{ folder: join(folder, 'evidence'), paths: {} },
      code: codeVersion(),
      render: RENDERERS,
    })
    expect(found.ok).toBe(false)
    const text = found.findings[0] === undefined ? '' : messageOf(found.findings[0]).text
    expect(text).toContain(originOf(named).slice(0, 'YYYY-MM-DDTHH'.length))
    expect(text).toMatch(new RegExp(`seer\\b.*\\b${named.horizon} h`))
  },
  60_000,
)

it('a row is slipped in without an entry', async () => {
  change(slipIn)
  const found = await auditFolder({
    ...{ folder: join(folder, 'evidence'), paths: {} },
    code: codeVersion(),
    render: RENDERERS,
  })
  const text = found.findings[0] === undefined ? '' : messageOf(found.findings[0]).text
  expect(text).toMatch(new RegExp(`seer .*, ${HOLE.horizon} h`))
}, 60_000)
