import { LIMITS } from '../../contract/limits.js'
import type { HistoryBody } from '../../contract/types.js'
import { judgeBody } from '../body.js'
import { differenceOf } from '../same.js'
import { keyOf } from '../walk.js'
import { Known } from './known.js'
import type { HistoryPages } from './reader.js'
import { pathOf } from './routes.js'

/** Content codings that undo nothing. */
const PLAIN: readonly (string | null)[] = [null, 'identity']

/** One page asked for as it is and compressed: both are sent as asked, and hold the same. */
export async function judgeEncodings(pages: HistoryPages): Promise<void> {
  const plain = await readPage(pages, 'identity')
  const zipped = await readPage(pages, 'gzip')
  if (plain === undefined || zipped === undefined) return
  const { judge } = pages
  const sent = plain.coding
  const as = `is sent as ${sent} to a client that takes no coding`
  judge.expect('content-encoding', PLAIN.includes(sent), plain.place, as)
  if (PLAIN.includes(zipped.coding)) return
  new Known(plain.page.rows, false).judgePage(judge, 'content-encoding', zipped.page, () => true)
  const rows = new Map(plain.page.rows.map((row) => [keyOf(row), row]))
  for (const row of zipped.page.rows) {
    const same = differenceOf(row, rows.get(keyOf(row)) ?? row)
    const detail = `${same} of ${row.forecast_id} is another than in the same page without a coding`
    judge.expect('content-encoding', same === undefined, zipped.place, detail)
  }
}

/** Undefined for a page that does not come, or is none: other rules name that. */
async function readPage({ judge, service }: HistoryPages, accepted: 'identity' | 'gzip') {
  const path = pathOf({ limit: LIMITS.pageMaximum })
  const where = service.root + path
  const place = { where, asked: `Accept-Encoding: ${accepted}` }
  const answer = await service.call({ path, headers: { 'accept-encoding': accepted } })
  const came = answer.status === 200
  judge.expect('content-encoding', came, place, `no answer of status 200 that can be read`)
  if (!came) return undefined
  const body = judgeBody(judge, 'history', answer.bytes, where)
  if (!body.sound) return undefined
  const coding = answer.headers.get('content-encoding')
  const { next_cursor: next } = (body.value as unknown as HistoryBody).pagination
  return { place, coding, page: { ...body, next } }
}
