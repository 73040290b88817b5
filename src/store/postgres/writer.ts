import { formatStored, type Instant } from '../../contract/instant.js'
import type { Asking, Dialect, RowVersion } from '../dialect.js'
import { type LogTarget, WrittenLogs } from '../log-writer.js'
import { explained } from '../reader.js'
import { becomeSeries, otherVersion } from '../series-rows.js'
import type { HistoryWriter } from '../types.js'
import { writerMethods } from '../writer.js'
import { type Address, readAddress } from './address.js'
import { type Copier, openCopier } from './copy.js'
import { postgresDialect, tableOfSeries } from './dialect.js'
import { KnownRows } from './known.js'
import { readLayout } from './layout.js'
import { demandName, keyValues } from './new-rows.js'
import { doAsking, openSession, type Session } from './pool.js'
import { createSeriesTables } from './tables.js'
import { openTransaction } from './transaction.js'

/** About a megabyte of rows: fewer would mean more round trips, more would only take memory. */
const KEYS_AT_ONCE = 2000

/**
 * Opens a history in PostgreSQL for writing rows and logs; see `openHistoryWriter`. Rows are collected and
 * go by COPY, a batch at a time.
 */
export async function openPostgresWriter(
  url: string,
  now: Instant,
  purpose: RowVersion | 'logs',
): Promise<HistoryWriter> {
  const address = readAddress(url)
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
  const target = logTarget(dialect, copier, shown)
  const rows = new KnownRows(dialect, new WrittenLogs(target), copier, seenAt, target)
  /** What waits has to arrive before anything is asked. */
  const run = async <T>(work: Asking<T>): Promise<T> => {
    try {
      const done = await doAsking(work, async (sql, values) => {
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
    keysAtOnce: KEYS_AT_ONCE,
    async begin() {
      rows.begin()
      await transaction.begin()
      // Another writer may have been before this one.
      const found = (await readLayout(session.ask, schema, shown)).version
      if (found > version) throw otherVersion(found, shown)
      if (found === version) return
      await run(becomeSeries(postgresDialect(schema, found), createSeriesTables(schema), shown))
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

/** Entries go by COPY. */
function logTarget(dialect: Dialect, copier: Copier, shown: string): LogTarget {
  return {
    dialect,
    shown,
    add(table, values) {
      copier.add(dialect.version === 2 ? tableOfSeries(table) : table, values)
      return undefined
    },
    keyValues,
    demandName,
  }
}
