import { instantOf, NO_INSTANT } from '../../contract/instant.js'
import { type Asking, ask, type Dialect } from '../dialect.js'
import { createReader, demandHours, extentFrom, storedExtent } from '../reader.js'
import type { HistoryExtent, HistoryOptions, HistoryReader } from '../types.js'
import { connect, type Opened } from './connection.js'
import { type AnswersAtOnce, answering, sqliteDialect } from './dialect.js'
import { createPages, type Pages, type Tracking, trackRows } from './pages.js'
import { openSnapshot } from './snapshot.js'

const BUSY_TIMEOUT_MS = 5000

/** What is prepared for one opening of the file. */
interface Prepared {
  readonly opened: Opened
  readonly dialect: Dialect
  readonly answer: AnswersAtOnce
  readonly pages: Pages
  readonly tracking: Tracking
}

/** See `openHistory`. */
export function openSqliteReader(path: string, options: HistoryOptions): HistoryReader {
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS
  const connection = connect(path, busyTimeoutMs)
  let prepared: Prepared | undefined

  const prepare = (opened: Opened): Prepared => {
    if (prepared?.opened !== opened) {
      const dialect = sqliteDialect(opened.layout)
      const answer = answering(opened.db)
      const tracking = trackRows(opened, dialect, answer)
      const pages = createPages(opened, dialect, answer, tracking)
      prepared = { opened, dialect, answer, tracking, pages }
    }
    return prepared
  }
  const use = async <T>(read: (prepared: Prepared) => T): Promise<T> =>
    connection.use((opened) => read(prepare(opened)))
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
      newestOrigin: (filters) =>
        ofHours(({ pages }) => instantOf(pages.page({ filters, limit: 1 })[0]?.originAt)),
      count: () => ofHours(({ pages }) => pages.count()),
      mark: () => ofHours(({ tracking }) => tracking.mark()),
      rowsSince: (mark) => ofHours(({ tracking }) => tracking.rowsSince(mark)),
      extent: () =>
        ofHours(({ dialect, answer, tracking }) =>
          answer(tracking.order().areMixed ? mixedExtent(dialect) : storedExtent(dialect)),
        ),
      async close() {
        prepared = undefined
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
