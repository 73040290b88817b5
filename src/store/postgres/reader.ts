import type { Asking } from '../dialect.js'
import { createReader, demandHours, explained, storedExtent } from '../reader.js'
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
  const ofHours = async <T>(work: Asking<T>): Promise<T> => {
    demandHours({ version: await versions.rowVersion() }, shown)
    return await run(work)
  }
  return createReader(
    {
      path: shown,
      version: versions.version,
      page: (query) => ofHours(pageOf(dialect, schema, query)),
      newestOrigin: (filters) => ofHours(newestOriginOf(schema, filters)),
      count: () => ofHours(forecastCount(dialect)),
      mark: () => ofHours(markAt(dialect)),
      rowsSince: (mark) => ofHours(rowsSince(dialect, mark)),
      extent: () => ofHours(storedExtent(dialect)),
      close: () => pool.close(),
    },
    {
      location: url,
      run: async (work) => await run(work(postgresDialect(schema, await versions.rowVersion()))),
      snapshot: () => openSnapshot(address, limits),
    },
  )
}
