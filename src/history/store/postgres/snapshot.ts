import type { Address } from './address.js'
import { readLayout } from './layout.js'
import { type Ask, type Limits, OWN_NAMES_ONLY, openSession, type Values } from './pool.js'

const FETCH_ROWS = 1000

/** What asks within one snapshot. */
export interface ServerSnapshot {
  readonly ask: Ask
  /** The rows of a query that are too many to hold at once; in batches. One query at a time. */
  rows(sql: string, values?: readonly unknown[]): AsyncGenerator<Values[], void, undefined>
}

/** Reads from one snapshot of a history, whatever others write meanwhile, over a connection of its own. */
export async function inSnapshot<T>(
  address: Address,
  limits: Limits,
  read: (snapshot: ServerSnapshot) => Promise<T>,
): Promise<T> {
  const [snapshot, end] = await openSnapshot(address, limits)
  try {
    return await read(snapshot)
  } finally {
    await end()
  }
}

/** The same for what is read bit by bit. */
export async function* streamInSnapshot<T>(
  address: Address,
  limits: Limits,
  read: (snapshot: ServerSnapshot) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const [snapshot, end] = await openSnapshot(address, limits)
  try {
    yield* read(snapshot)
  } finally {
    await end()
  }
}

async function openSnapshot(
  address: Address,
  limits: Limits,
): Promise<[ServerSnapshot, () => Promise<void>]> {
  const { ask, end } = await openSession(address, limits)
  try {
    await ask('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await readLayout(ask, address.schema, address.shown)
    await ask(OWN_NAMES_ONLY)
  } catch (cause) {
    await end()
    throw cause
  }
  let cursors = 0
  return [{ ask, rows: (sql, values) => fetched(ask, `c${cursors++}`, sql, values) }, end]
}

async function* fetched(
  ask: Ask,
  cursor: string,
  sql: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Values[], void, undefined> {
  await ask(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, values)
  for (;;) {
    const rows = await ask(`FETCH ${FETCH_ROWS} FROM ${cursor}`)
    if (rows.length > 0) yield rows
    if (rows.length < FETCH_ROWS) break
  }
  await ask(`CLOSE ${cursor}`)
}
