import { ForeproofError } from '../../contract/error.js'
import { formatStored, type Instant } from '../../contract/instant.js'
import type { SqlTask, Value } from '../dialect.js'
import type { RowVersion } from '../history-reader.js'
import type { HistoryWriter } from '../history-writer.js'
import { LogAppender, type LogTarget } from '../log-writer.js'
import { explained } from '../reader.js'
import { migrateToSeries, versionError } from '../series-rows.js'
import { writerMethods } from '../writer.js'
import { type Address, parseAddress } from './address.js'
import { postgresDialect, tableOfSeries } from './dialect.js'
import { postgresError } from './faults.js'
import { KnownRows } from './known-rows.js'
import { readLayout } from './layout.js'
import { OWN_NAMES_ONLY, openSession, runAsync, type Session } from './pool.js'
import { createSeriesTables, quotedName } from './tables.js'
import { WRITTEN_COLUMNS } from './values.js'

/** About a megabyte of rows. Fewer keys cost round trips; more only cost memory. */
const KEYS_PER_BATCH = 2000

/**
 * Opens a history in PostgreSQL for writing rows and logs; see `openHistoryWriter`. Rows are buffered and written in
 * batches by COPY.
 */
export async function openPostgresWriter(
  url: string,
  now: Instant,
  purpose: RowVersion | 'logs',
): Promise<HistoryWriter> {
  const address = parseAddress(url)
  const session = await openSession(address)
  try {
    const { version } = await readLayout(session.ask, address.schema, address.shown)
    return createWriter(session, address, formatStored(now), purpose === 'logs' ? version : purpose)
  } catch (cause) {
    await session.end()
    throw cause
  }
}

function createWriter(
  session: Session,
  { schema, shown }: Address,
  seenAt: string,
  version: RowVersion,
): HistoryWriter {
  const transaction = openTransaction(session, schema, shown)
  const copier = openCopier(session, schema, shown)
  const dialect = postgresDialect(schema, version)
  const target: LogTarget = {
    dialect,
    shown,
    add: (table, values) =>
      copier.add(dialect.version === 2 ? tableOfSeries(table) : table, values),
  }
  const rows = new KnownRows(dialect, new LogAppender(target), seenAt, target)
  /** Buffered rows must be written before the next query. */
  const run = async <T>(work: SqlTask<T>): Promise<T> => {
    try {
      const done = await runAsync(work, async (sql, values) => {
        await copier.send()
        return await session.ask(sql, values)
      })
      if (copier.isFull) await copier.send()
      return done
    } catch (cause) {
      throw explained(cause, shown)
    }
  }
  return {
    path: shown,
    keysAtOnce: KEYS_PER_BATCH,
    async begin() {
      rows.begin()
      await transaction.begin()
      // Another writer may have written since.
      const stored = (await readLayout(session.ask, schema, shown)).version
      if (stored > version) throw versionError(stored, shown)
      if (stored === version) return
      await run(migrateToSeries(postgresDialect(schema, stored), createSeriesTables(schema), shown))
    },
    async commit() {
      await copier.send()
      await transaction.commit()
    },
    async rollback() {
      copier.drop()
      await transaction.rollback()
    },
    close: () => session.end(),
    async expect(keys) {
      rows.expect(keys)
      if (!transaction.isOpen) return
      await copier.send()
      rows.clear()
      await run(rows.learnExpected())
    },
    ...writerMethods((work) => run(work(rows))),
  }
}

/** As long as SQLite's writer waits. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * The clock in microseconds. A failover may lose commits, and a plain counter would then repeat a number for other
 * rows. One more than before if the clock was set back.
 */
const NEXT_REVISION =
  'GREATEST(revision + 1, (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::bigint)'

/** The transactions of a writer; a history has one writer at a time. */
function openTransaction({ ask, client }: Session, schema: string, shown: string) {
  let isOpen = false
  const transaction = {
    get isOpen() {
      return isOpen
    },
    /** Waits for another writer. @throws {ForeproofError} `unavailable` after the timeout. */
    async begin(): Promise<void> {
      // A writer that waited must see the commits of the writer before.
      await ask('BEGIN ISOLATION LEVEL READ COMMITTED')
      isOpen = true
      try {
        await ask(OWN_NAMES_ONLY)
        await ask(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
        // No idle timeout, because an import may wait for input from a pipe.
        await ask('SET LOCAL idle_in_transaction_session_timeout = 0')
        await ask('SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 0))', [
          `foreproof writer ${schema}`,
        ])
        // First, so that a read-only server is reported before any work.
        await ask(`UPDATE ${quotedName(schema)}.state SET revision = ${NEXT_REVISION}`)
      } catch (cause) {
        await transaction.rollback()
        throw cause
      }
    },
    async commit(): Promise<void> {
      isOpen = false
      const { command } = await client.query('COMMIT').catch((cause: unknown) => {
        throw postgresError(cause, shown)
      })
      // The server's answer after an earlier query of the transaction failed.
      if (command !== 'ROLLBACK') return
      throw new ForeproofError('io', `${shown}: the PostgreSQL server has not kept the rows`, {
        file: shown,
        help: 'Nothing of the unfinished part was kept; run again.',
      })
    },
    async rollback(): Promise<void> {
      if (!isOpen) return
      isOpen = false
      await ask('ROLLBACK')
    },
  }
  return transaction
}

/** In the order of their references. */
const COPIED = [
  'origins',
  'forecasts',
  'attempts',
  'log_entries',
  'series_forecasts',
  'series_attempts',
  'series_log_entries',
  'log_subtrees',
] as const

type CopiedTable = (typeof COPIED)[number]

/** Buffered characters at which a batch is written early. */
const MAX_BUFFERED = 4 * 1024 * 1024

/** Buffers rows and writes them by COPY within a transaction. */
function openCopier({ client }: Session, schema: string, shown: string) {
  let waiting = new Map<CopiedTable, string[]>()
  let characters = 0

  const drop = (): void => {
    waiting = new Map()
    characters = 0
  }
  const copy = async (rows: ReadonlyMap<CopiedTable, readonly string[]>): Promise<void> => {
    const { from } = await import('pg-copy-streams')
    for (const table of COPIED) {
      const lines = rows.get(table)
      if (lines === undefined) continue
      const names = WRITTEN_COLUMNS[table].map(({ name }) => name).join(', ')
      const stream = client.query(from(`COPY ${quotedName(schema)}.${table} (${names}) FROM STDIN`))
      await new Promise<void>((resolve, reject) => {
        stream.on('finish', resolve).on('error', reject)
        stream.end(lines.join(''))
      })
    }
  }
  return {
    /** @param values - for the written columns of the table, in order. @throws {RefusedRow} */
    add(table: CopiedTable, values: readonly Value[]): undefined {
      const columns = WRITTEN_COLUMNS[table]
      const cells = values.map((value, at) => cell(columns[at]?.take(value) ?? null))
      const line = `${cells.join('\t')}\n`
      const lines = waiting.get(table)
      if (lines === undefined) waiting.set(table, [line])
      else lines.push(line)
      characters += line.length
    },
    /** Whether the buffer is full. */
    get isFull(): boolean {
      return characters > MAX_BUFFERED
    },
    /** Writes the buffered rows. */
    async send(): Promise<void> {
      if (waiting.size === 0) return
      const rows = waiting
      drop()
      try {
        await copy(rows)
      } catch (cause) {
        throw postgresError(cause, shown)
      }
    },
    /** Discards the buffered rows. */
    drop,
  }
}

/** A value in the text format of COPY. */
function cell(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return value.replace(/[\\\n\r\t]/g, escaped)
  if (typeof value === 'object') return `\\\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const escaped = (character: string): string => ESCAPES[character] as string
