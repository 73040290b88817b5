import { formatUtc, MICROS_PER_DAY } from '../../../contract/instant.js'
import type { AttemptMark, AttemptMonth } from '../types.js'
import type { Ask } from './pool.js'
import { ATTEMPT_COLUMNS, listedColumns } from './rows.js'
import { quotedName } from './tables.js'

/** How many attempts are recorded, and the one written last; undefined where there are none. */
export async function attemptMark(ask: Ask, schema: string): Promise<AttemptMark | undefined> {
  const table = `${quotedName(schema)}.attempts`
  const [last] = await ask(
    `SELECT (SELECT count(*) FROM ${table}), added, ${listedColumns(ATTEMPT_COLUMNS, 'a')} FROM ${table} a
     ORDER BY added DESC LIMIT 1`,
  )
  if (last === undefined) return undefined
  const [count, row, ...values] = last
  return { count: Number(count), row: Number(row), last: JSON.stringify(values) }
}

/** See `HistoryReader.attemptMonths`: a mark that does not fit the table any more changes every month. */
export async function attemptMonths(
  ask: Ask,
  schema: string,
  since: AttemptMark | undefined,
): Promise<AttemptMonth[]> {
  const fitting = since !== undefined && (await fits(ask, schema, since))
  const after = fitting ? since.row : Number.MIN_SAFE_INTEGER
  const days = await ask(
    `SELECT floor(origin_at / ${MICROS_PER_DAY}.0)::bigint, count(*), max(added)
     FROM ${quotedName(schema)}.attempts GROUP BY 1 ORDER BY 1`,
  )
  const months = new Map<string, AttemptMonth>()
  for (const [day, attempts, last] of days) {
    const month = formatUtc(Number(day) * MICROS_PER_DAY).slice(0, 7)
    const known = months.get(month)
    months.set(month, {
      month,
      attempts: (known?.attempts ?? 0) + Number(attempts),
      changed: known?.changed === true || Number(last) > after,
    })
  }
  return [...months.values()]
}

/** Whether the table is the one of the mark, with nothing but later rows besides. */
async function fits(ask: Ask, schema: string, { count, row, last }: AttemptMark): Promise<boolean> {
  const table = `${quotedName(schema)}.attempts`
  const [found] = await ask(
    `SELECT ${listedColumns(ATTEMPT_COLUMNS, 'a')} FROM ${table} a WHERE added = $1`,
    [row],
  )
  if (found === undefined || JSON.stringify(found) !== last) return false
  const [before] = await ask(`SELECT count(*) FROM ${table} WHERE added <= $1`, [row])
  return Number(before?.[0]) === count
}
