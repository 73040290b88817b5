import { ForeproofError } from '../../contract/error.js'
import type { Dialect } from '../dialect.js'
import type { HistoryOptions, HistoryReader, HistoryVersion } from '../history-reader.js'
import { createReader, explained } from '../reader.js'
import { postgresDialect } from './dialect.js'
import { readLayout } from './layout.js'
import { openPool, type PoolLimits, type RunQuery, runAsync, type ServerPool } from './pool.js'
import { openSnapshot } from './snapshot.js'
import { quotedName } from './tables.js'

/** A service must answer within seconds, even if the server is slow. */
const SERVING: PoolLimits = { pool: 10, statementTimeoutMs: 5000, connectTimeoutMs: 2000 }

/** See `openHistory`. */
export function openPostgresReader(url: string, options: HistoryOptions): HistoryReader {
  const limits = options.serving === true ? SERVING : {}
  const pool = openPool(url, limits)
  const { address } = pool
  const { shown } = address
  const versions = followVersion(pool)
  const ask: RunQuery = async (sql, values) => {
    await versions.checked()
    return await versions.watching(pool.ask(sql, values))
  }
  return createReader({
    path: shown,
    location: url,
    version: versions.version,
    async run(work) {
      try {
        return await runAsync(work(await versions.checked()), ask)
      } catch (cause) {
        throw explained(cause, shown)
      }
    },
    snapshot: () => openSnapshot(address, limits),
    close: () => pool.close(),
  })
}

/** Tracks which history is behind a URL, and its last commit. */
function followVersion({ ask, address }: ServerPool) {
  const { schema, shown } = address
  let historyId: string | undefined
  let generation = 0
  let revision = -1
  let checking: Promise<Dialect> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<HistoryVersion> | undefined

  const check = async (): Promise<Dialect> => {
    const layout = await readLayout(ask, schema, shown)
    if (layout.historyId !== historyId) {
      historyId = layout.historyId
      revision = -1
      generation++
    }
    return postgresDialect(schema, layout.version)
  }
  /** The layout is checked once, and again after an error. */
  const checked = (): Promise<Dialect> => {
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
  const readVersion = async (isRetry: boolean): Promise<HistoryVersion> => {
    await checked()
    const [row = []] = await watching(
      ask(`SELECT s.revision, m.value FROM ${quotedName(schema)}.state s
           JOIN ${quotedName(schema)}.meta m ON m.key = 'history_id'`),
    )
    const [now, id] = row
    if (typeof now !== 'number' || id !== historyId) {
      checking = undefined
      if (isRetry) return await readVersion(false)
      throw unknownRevisionError(shown)
    }
    // This server lags behind the one before, so cached rows may not exist on it.
    if (now < revision) generation++
    revision = now
    return { generation, revision }
  }
  /**
   * At most one query runs at a time. Callers that arrive meanwhile share the next one, so that its answer is not
   * older than their call.
   */
  const version = (): Promise<HistoryVersion> => {
    next ??= last.then(() => {
      next = undefined
      const asking = readVersion(true)
      last = asking.catch(() => {})
      return asking
    })
    return next
  }
  return { version, checked, watching }
}

function unknownRevisionError(shown: string): ForeproofError {
  return new ForeproofError('invalid-input', `${shown}: the tables do not say what was committed`, {
    file: shown,
    help: 'Restore the database from a copy.',
  })
}
