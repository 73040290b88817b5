import { instantOf } from '../../contract/instant.js'
import { type HistoryRow, type RowKey, rowKey } from '../../forecast/row.js'
import { ask, askOne, type Dialect } from '../dialect.js'
import { rowsWithOrigins } from '../rows.js'
import type { PageQuery } from '../types.js'
import type { Opened } from './connection.js'
import type { AnswersAtOnce } from './dialect.js'
import { pageSql } from './page-sql.js'
import type { Tracking } from './tracking.js'

const COUNT_BATCH = 1000

export interface Pages {
  page(query: PageQuery): HistoryRow[]
  /** Rows of all pages together. */
  count(): number
}

/** Keyset pages over one opening of a file. */
export function createPages(
  { layout }: Opened,
  dialect: Dialect,
  answer: AnswersAtOnce,
  tracking: Tracking,
): Pages {
  const pageNow = (query: PageQuery): HistoryRow[] => {
    const question = pageSql(layout, dialect, tracking.order(), query)
    if (question === undefined) return []
    return answer(rowsWithOrigins(dialect, answer(ask(question.sql, question.values))))
  }
  return {
    count() {
      if (!tracking.order().areMixed) {
        return Number(answer(askOne('SELECT count(*) FROM forecast_predictions')))
      }
      // Two spellings of one key are one row of a page: only reading shows how many.
      let count = 0
      for (let after: RowKey | undefined; ; ) {
        const rows: HistoryRow[] = this.page({ after, limit: COUNT_BATCH })
        count += rows.length
        const last = rows.at(-1)
        if (last === undefined || rows.length < COUNT_BATCH) return count
        after = rowKey(last)
      }
    },
    page: (query) => withoutDoubles(query, pageNow),
  }
}

/**
 * Two spellings of one instant make two rows of one key (a broken file): the first is shown. Only
 * pages that held such a pair are filled up again.
 */
function withoutDoubles(query: PageQuery, page: (query: PageQuery) => HistoryRow[]): HistoryRow[] {
  const rows: HistoryRow[] = []
  let { after, withAfter = false } = query
  while (rows.length < query.limit) {
    const limit = query.limit - rows.length
    const more = page({ ...query, after, withAfter, limit })
    for (const row of more) {
      const before = rows.at(-1)
      if (before === undefined || !sameKey(before, row)) rows.push(row)
    }
    const last = rows.at(-1)
    if (more.length < limit || last === undefined || rows.length === query.limit) break
    after = rowKey(last)
    withAfter = false
  }
  return rows
}

function sameKey(a: HistoryRow, b: HistoryRow): boolean {
  if (a.model !== b.model || a.horizonHours !== b.horizonHours) return false
  const instant = instantOf(a.originAt)
  return instant !== undefined && instant === instantOf(b.originAt)
}
