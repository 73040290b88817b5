import { randomUUID } from 'node:crypto'
import { ForeproofError } from '../../contract/error.js'
import { readAddress } from './address.js'
import { hasTables, readLayout } from './layout.js'
import { type Ask, openSession } from './pool.js'
import { createTables, quotedName } from './tables.js'

/**
 * Makes the tables of a history in PostgreSQL, in one transaction.
 * @returns false where they were there already.
 * @throws {ForeproofError} when they cannot be made, or what is there is no history.
 */
export async function initPostgres(url: string): Promise<boolean> {
  const address = readAddress(url)
  const { schema, shown } = address
  const session = await openSession(address)
  const { ask } = session
  try {
    await ask('BEGIN')
    // Two that begin at once would meet at the first table.
    await ask('SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 0))', [
      `foreproof init ${schema}`,
    ])
    if (await hasTables(ask, schema)) {
      await readLayout(ask, schema, shown)
      return false
    }
    const [exists] = await ask('SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema])
    await demandRight(ask, schema, exists !== undefined, shown)
    if (exists === undefined) await ask(`CREATE SCHEMA ${quotedName(schema)}`)
    for (const statement of createTables(schema, randomUUID())) await ask(statement)
    await readLayout(ask, schema, shown)
    await ask('COMMIT')
    return true
  } finally {
    await session.end()
  }
}

/** Says which right is missing: without a schema that on the database, which only its owner has unless granted. */
async function demandRight(
  ask: Ask,
  schema: string,
  exists: boolean,
  shown: string,
): Promise<void> {
  const may = exists
    ? "has_schema_privilege($1, 'CREATE')"
    : "has_database_privilege(pg_catalog.current_database(), 'CREATE')"
  const [[granted, database, user] = []] = await ask(
    `SELECT pg_catalog.${may}, pg_catalog.current_database(), CURRENT_USER`,
    exists ? [schema] : [],
  )
  if (granted === true) return
  const [right, on] = exists
    ? ['USAGE, CREATE', `SCHEMA ${quotedName(schema)}`]
    : ['CREATE', `DATABASE ${quotedName(String(database))}`]
  throw new ForeproofError('io', `${shown}: the tables cannot be made: no right to CREATE`, {
    file: shown,
    help: `As the owner, in SQL: GRANT ${right} ON ${on} TO ${quotedName(String(user))}`,
  })
}
