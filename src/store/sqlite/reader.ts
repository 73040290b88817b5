import { instantOf, NO_INSTANT } from '../../contract/instant.js'
import { type Asking, ask, type Dialect } from '../dialect.js'
import { createReader, demandHours, extentFrom, storedExtent } from '../reader.js'
import type { HistoryExtent, HistoryOptions, HistoryReader } from '../types.js'
import { connect, type Opened } from './connection.js'
import { answering, sqliteDialect } from './dialect.js'
import { createPages, trackRows } from './pages.js'
import { openSnapshot } from './snapshot.js'

const BUSY_TIMEOUT_MS = 5000

/** What is prepared for one opening of the file. */
function prepared(opened: Opened) {
  const dialect = sqliteDialect(opened.layout)
  const answer = answering(opened.db)
  const tracking = trackRows(opened, dialect, answer)
  return {
    opened,
    dialect,
    answer,
    tracking,
    pages: createPages(opened, dialect, answer, tracking),
  }
}

type Prepared = ReturnType<typeof prepared>

/** See `openHistory`. */
export function openSqliteReader(path: string, options: HistoryOptions): HistoryReader {
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS
  const connection = connect(path, busyTimeoutMs)
  let last: Prepared | undefined
  const use = async <T>(read: (prepared: Prepared) => T): Promise<T> =>
    connection.use((opened) => {
      if (last?.opened !== opened) last = prepared(opened)
      return read(last)
    })
  const ofHours = <T>(read: (prepared: Prepared) => T): Promise<T> =>
    use((found) => {
      demandHours(found.dialect, path)
      return read(found)
    })

  return createReader(
    {
      path,
      version: () => use(({ opened: { generation, revision } }) => ({ generation, revision })),
      page: (query) => ofHours(({ pages }) => pages.page(query)),
      count: () => ofHours(({ pages }) => pages.count()),
      mark: () => ofHours(({ tracking }) => tracking.mark()),
      rowsSince: (mark) => ofHours(({ tracking }) => tracking.rowsSince(mark)),
      extent: () =>
        ofHours(({ dialect, answer, tracking }) =>
          answer(tracking.order().areMixed ? mixedExtent(dialect) : storedExtent(dialect)),
        ),
      async close() {
        last = undefined
        connection.close()
      },
    },
    {
      location: path,
      run: (work) => use(({ dialect, answer }) => answer(work(dialect))),
      snapshot: async () => openSnapshot(path, busyTimeoutMs),
    },
  )
}

/** The extent of a file whose origins are spelt in several ways, by the table of their order. */
function* mixedExtent(dialect: Dialect): Asking<HistoryExtent | undefined> {
  const [ends = []] = yield* ask(
    `SELECT min(instant), max(instant) FROM temp.foreproof_order WHERE instant > ${NO_INSTANT}`,
  )
  const attempts = dialect.table('attempts')
  const [others = []] = yield* ask(`SELECT min(origin_at), max(origin_at) FROM ${attempts}`)
  const instants = ends.map((end) => (typeof end === 'number' ? end : undefined))
  return extentFrom([...instants, ...others.map(instantOf)])
}
