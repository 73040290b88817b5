import type { Asking } from '../dialect.js'
import { createReader, explained, storedExtent } from '../reader.js'
import { markAt, rowsSince } from '../row-marks.js'
import type { HistoryOptions, HistoryReader } from '../types.js'
import { postgresDialect } from './dialect.js'
import { forecastCount, newestOriginOf, pageOf } from './pages.js'
import { type Ask, doAsking, type Limits, openPool } from './pool.js'
import { openSnapshot } from './snapshot.js'
import { followVersion } from './version.js'

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
      page: (query) => run(pageOf(dialect, schema, query)),
      newestOrigin: (filters) => run(newestOriginOf(schema, filters)),
      count: () => run(forecastCount(dialect)),
      mark: () => run(markAt(dialect)),
      rowsSince: (mark) => run(rowsSince(dialect, mark)),
      extent: () => run(storedExtent(dialect)),
      close: () => pool.close(),
    },
    {
      location: url,
      run: async (work) => await run(work(postgresDialect(schema, await versions.rowVersion()))),
      snapshot: () => openSnapshot(address, limits),
    },
  )
}
