import { ForeproofError } from '../../contract/error.js'
import { postgresError } from './faults.js'
import { OWN_NAMES_ONLY, type Session } from './pool.js'
import { quotedName } from './tables.js'

/** As long as SQLite's writer waits. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * The clock, in microseconds: a failover may lose commits, and a number that only counts would come again with
 * other rows. One more where the clock was put back.
 */
const NEXT_REVISION =
  'GREATEST(revision + 1, (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::bigint)'

/** The transactions of a writer, of whom a history has one at a time. */
export interface Transaction {
  readonly isOpen: boolean
  /** Waits for the writer before it. @throws {ForeproofError} `unavailable` where that takes too long. */
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
}

export function openTransaction({ ask, client }: Session, schema: string, shown: string) {
  let isOpen = false
  const transaction: Transaction = {
    get isOpen() {
      return isOpen
    },
    async begin() {
      // A writer that waited has to see what the one before it has committed.
      await ask('BEGIN ISOLATION LEVEL READ COMMITTED')
      isOpen = true
      try {
        await ask(OWN_NAMES_ONLY)
        await ask(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
        // An import waits for its input, which may come from a pipe.
        await ask('SET LOCAL idle_in_transaction_session_timeout = 0')
        await ask('SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 0))', [
          `foreproof writer ${schema}`,
        ])
        // First of all: a server that takes no writes says so before any work is done.
        await ask(`UPDATE ${quotedName(schema)}.state SET revision = ${NEXT_REVISION}`)
      } catch (cause) {
        await transaction.rollback()
        throw cause
      }
    },
    async commit() {
      isOpen = false
      const { command } = await client.query('COMMIT').catch((cause: unknown) => {
        throw postgresError(cause, shown)
      })
      // What the server answers where a question before it has failed.
      if (command !== 'ROLLBACK') return
      throw new ForeproofError('io', `${shown}: the PostgreSQL server has not kept the rows`, {
        file: shown,
        help: 'Nothing of the unfinished part was kept; run again.',
      })
    },
    async rollback() {
      if (!isOpen) return
      isOpen = false
      await ask('ROLLBACK')
    },
  }
  return transaction
}
