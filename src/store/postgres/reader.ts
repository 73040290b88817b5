import { ForeproofError } from '../../contract/error.js'
import type { Asking, RowVersion } from '../dialect.js'
import { createReader, demandHours, explained } from '../reader.js'
import type { HistoryOptions, HistoryReader, HistoryVersion } from '../types.js'
import { postgresDialect } from './dialect.js'
import { readLayout } from './layout.js'
import { pageOf } from './pages.js'
import { type Ask, doAsking, type Limits, openPool, type ServerPool } from './pool.js'
import { openSnapshot } from './snapshot.js'
import { quotedName } from './tables.js'

/** A request is to be answered within seconds, also where the server is slow. */
const SERVING: Limits = { pool: 10, statementTimeoutMs: 5000, connectTimeoutMs: 2000 }

/** See `openHistory`. */
export function openPostgresReader(url: string, options: HistoryOptions): HistoryReader {
  const limits = options.serving === true ? SERVING : {}
  const pool = openPool(url, limits)
  const { address } = pool
  const { schema, shown } = address
  const versions = followVersion(pool)
  const dialect = postgresDialect(schema, 1)
  const ask: Ask = async (sql, values) => {
    await versions.checked()
    return await versions.watching(pool.ask(sql, values))
  }
  const run = async <T>(work: Asking<T>): Promise<T> => {
    try {
      return await doAsking(work, ask)
    } catch (cause) {
      throw explained(cause, shown)
    }
  }
  return createReader(
    {
      path: shown,
      version: versions.version,
      async page(query) {
        demandHours({ version: await versions.rowVersion() }, shown)
        return await run(pageOf(dialect, schema, query))
      },
      close: () => pool.close(),
    },
    {
      location: url,
      run: async (work) => await run(work(postgresDialect(schema, await versions.rowVersion()))),
      snapshot: () => openSnapshot(address, limits),
    },
  )
}

/** Follows which history is behind a URL, and what was committed to it. */
function followVersion({ ask, address }: ServerPool) {
  const { schema, shown } = address
  let historyId: string | undefined
  let rows: RowVersion = 1
  let generation = 0
  let revision = -1
  let checking: Promise<void> | undefined
  let asking: Promise<HistoryVersion> | undefined
  let next: Promise<HistoryVersion> | undefined

  const check = async (): Promise<void> => {
    const layout = await readLayout(ask, schema, shown)
    rows = layout.version
    if (layout.historyId === historyId) return
    historyId = layout.historyId
    revision = -1
    generation++
  }
  /** The tables are looked at once, and again after anything was wrong with them. */
  const checked = (): Promise<void> => {
    checking ??= check().catch((cause: unknown) => {
      checking = undefined
      throw cause
    })
    return checking
  }
  const watching = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked
    } catch (cause) {
      const code = cause instanceof ForeproofError ? cause.code : undefined
      if (code === 'not-found' || code === 'invalid-input') checking = undefined
      throw cause
    }
  }
  const look = async (again: boolean): Promise<HistoryVersion> => {
    await checked()
    const [row = []] = await watching(
      ask(`SELECT s.revision, m.value FROM ${quotedName(schema)}.state s
           JOIN ${quotedName(schema)}.meta m ON m.key = 'history_id'`),
    )
    const [now, id] = row
    if (typeof now !== 'number' || id !== historyId) {
      checking = undefined
      if (again) return await look(false)
      throw notFollowed(shown)
    }
    // A server that is behind the one asked before: what is known may not be there.
    if (now < revision) generation++
    revision = now
    return { generation, revision }
  }
  /** At most one question is on its way: who comes meanwhile shares the next, which begins after they came. */
  const version = (): Promise<HistoryVersion> => {
    if (next !== undefined) return next
    if (asking === undefined) {
      asking = look(true).finally(() => {
        asking = undefined
      })
      return asking
    }
    const before = asking
    next = before
      .catch(() => {})
      .then(() => {
        next = undefined
        return version()
      })
    return next
  }
  /** Of which protocols its rows were when the tables were looked at. */
  const rowVersion = async (): Promise<RowVersion> => {
    await checked()
    return rows
  }
  return { version, rowVersion, checked, watching }
}

function notFollowed(shown: string): ForeproofError {
  return new ForeproofError('invalid-input', `${shown}: the tables do not say what was committed`, {
    file: shown,
    help: 'Restore the database from a copy.',
  })
}
