import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { formatStored } from '../../src/contract/instant.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { hourAt, LEAD_IN } from '../evaluation/made.js'
import { audited, scoredCopies } from '../evaluation/score-into.js'
import { isForecast, makeStampedWorld, sql, witnesses } from '../evaluation/stamped-world.js'

const HOURS = 4
const HORIZONS = [2, 4, 8, 16]
/** A forecast that was not made: the room for one that is slipped in. */
const HOLE = { hour: 2, horizon: 8 }

interface Row {
  readonly hour: number
  readonly horizon: number
}

const hole = isForecast(HOLE.hour, HOLE.horizon)
const make = async () =>
  makeStampedWorld({
    by: await witnesses('alpha'),
    hours: HOURS,
    delay: (row) => (hole(row) ? Number.NaN : 0),
  })
const folder = scoredCopies(make, 'evidence')
const history = () => join(folder(), 'history.sqlite')
const originOf = ({ hour }: Row) => formatStored(hourAt(LEAD_IN + hour))
const where = (row: Row) => `origin_at = '${originOf(row)}' AND horizon_hours = ${row.horizon}`

/** The rows in the order of the log, which is that of their hours; every hour was sealed. */
const ROWS: Row[] = Array.from({ length: HOURS }, (_, hour) => hour)
  .flatMap((hour) => HORIZONS.map((horizon) => ({ hour, horizon })))
  .filter(({ hour, horizon }) => hour !== HOLE.hour || horizon !== HOLE.horizon)

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
            origin_at: originOf(from),
            horizon_hours: from.horizon,
            leaf_hash: Buffer.alloc(32),
          }
    add.run({ ...entry, leaf_index })
  })
  db.close()
}

function change(...statements: string[]): void {
  expect(sql(history(), ...statements)).toBeGreaterThan(0)
}
const priceOf = (row: Row) =>
  `UPDATE forecast_predictions SET predicted_price_usd = predicted_price_usd + 1 WHERE ${where(row)}`
const slipIn = `INSERT INTO forecast_predictions
  SELECT origin_at, model_name, ${HOLE.horizon}, '${formatStored(hourAt(LEAD_IN + HOLE.hour + HOLE.horizon))}',
    predicted_price_usd, predicted_change_pct, q10_usd, q50_usd, q90_usd, model_agreement
  FROM forecast_predictions WHERE ${where({ hour: HOLE.hour, horizon: 2 })}`

const set = (what: string) => (row: Row) => change(`UPDATE ${what} WHERE ${where(row)}`)
const drop = (row: Row) => change(`DELETE FROM forecast_predictions WHERE ${where(row)}`)

/** What is done to one row; which row has to be named for it where that is another, or null where nothing can be. */
const WAYS: Readonly<Record<string, (row: Row, index: number) => unknown>> = {
  altered: (row) => change(priceOf(row)),
  'altered where scoring does not look': set(
    "foreproof_resources SET resource_json = replace(resource_json, 'true', '1')",
  ),
  'altered with its entry': (row, index) =>
    change(
      priceOf(row),
      `UPDATE foreproof_log_entries SET leaf_hash = randomblob(32) WHERE leaf_index = ${index}`,
    ),
  dropped: drop,
  'dropped with its entry': (row, index) => {
    drop(row)
    relog((all) => all.filter((each) => each !== index))
  },
  'inserted before, with an entry of its own': (_, index) => {
    change(slipIn)
    relog((all) => [...all.slice(0, index), HOLE, ...all.slice(index)])
  },
  'back-dated by what it says': (row) => {
    const said = formatStored(hourAt(LEAD_IN + row.hour - 1))
    set(
      `foreproof_resources SET resource_json = json_set(resource_json, '$.run.generated_at', '${said}')`,
    )(row)
  },
  'back-dated in the log, to its beginning': (_, index) => {
    if (index === 0) return null
    relog((all) => [index, ...all.filter((each) => each !== index)])
    return ROWS[0]
  },
  'put after the next one': (_, index) => {
    if (index === ROWS.length - 1) return null
    relog((all) => all.with(index, index + 1).with(index + 1, index))
  },
}

const CASES = Object.entries(WAYS).flatMap(([way, spoil]) =>
  ROWS.map((row, index) => [way, row.hour, row.horizon, spoil, index] as const),
)

/** What the audit says first. */
async function firstFinding(): Promise<string> {
  const { ok, findings } = await audited(join(folder(), 'evidence'))
  expect(ok).toBe(false)
  return findings[0] === undefined ? '' : formatMessage(findings[0]).text
}

it.each(CASES)(
  'a row is %s, hour %i, horizon %i',
  async (_, hour, horizon, spoil, index) => {
    const found = spoil({ hour, horizon }, index)
    if (found === null) return
    const named = (found ?? { hour, horizon }) as Row
    const text = await firstFinding()
    expect(text).toContain(originOf(named).slice(0, 'YYYY-MM-DDTHH'.length))
    // The log says it one way, a line of pairs another.
    expect(text).toMatch(new RegExp(`seer, ${named.horizon} h|, ${named.horizon}, seer`))
  },
  60_000,
)

it('a row is slipped in without an entry', async () => {
  change(slipIn)
  expect(await firstFinding()).toMatch(new RegExp(`, ${HOLE.horizon}, seer`))
}, 60_000)
