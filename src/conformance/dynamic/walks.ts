import { formatStored, instantOrNaN } from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import type { HistoryBody } from '../../contract/types.js'
import { checkBody } from '../body.js'
import { findDifference, toKeyText, Walk } from '../page-walk.js'
import { historyPath } from './client.js'
import { type HistoryPages, Known } from './pages.js'

/** Smallest number of rows for the second look at the start of the history. */
const WINDOW_ROWS = 40
const WINDOW_PAGES = 5
/** Number of page boundaries that are checked from another page. */
const BORDERS = 3

/** Walks by cursor, up to a number of pages. @returns undefined if the first page cannot be read. */
export async function walkAll(
  pages: HistoryPages,
  limit: number,
  onPage: (count: number) => void,
): Promise<Known | undefined> {
  const { judge } = pages
  const walk = new Walk('cursor-walk')
  const query = { limit: LIMITS.pageMaximum }
  const { rows, ended, last } = await pages.follow(query, limit, {
    onPage(page, count) {
      walk.add(page)
      onPage(count)
    },
  })
  if (last === undefined) return undefined
  if (ended) judge.countChecks('cursor-end')
  else judge.skip(['cursor-end'], `only ${limit} pages were looked at; --pages allows more`)
  return new Known(rows, ended)
}

/**
 * Reads the walked forecasts in other ways: in smaller pages, with bounds that end a walk early, across its page
 * boundaries, and beyond its end. A forecast that only one way returns was lost on another.
 */
export async function checkOtherWalks(pages: HistoryPages, walked: Known): Promise<void> {
  const byDefault = await pages.follow({}, 2)
  walked.judgeTraversal('cursor-walk', byDefault, () => true)
  if (walked.rows.length === 0) return
  await checkWindow(pages, walked)
  await checkFullWalk(pages, walked)
  await checkBounds(pages, walked)
  if (walked.complete) await checkEnd(pages, walked)
}

const originAt = (walked: Known, index: number) =>
  instantOrNaN(walked.rows.at(Math.min(index, walked.rows.length - 1))?.origin_at ?? '')

/** The newest forecasts down to one origin, in a few pages. */
async function checkWindow(pages: HistoryPages, walked: Known): Promise<void> {
  const from = originAt(walked, WINDOW_ROWS)
  const fits = (row: { origin_at: string }) => instantOrNaN(row.origin_at) >= from
  const rows = walked.rows.filter(fits)
  // The walk may have ended within this origin.
  if (!walked.complete && rows.length === walked.rows.length) return
  const size = Math.min(LIMITS.pageMaximum, Math.ceil(rows.length / WINDOW_PAGES))
  const query = { origin_from: formatStored(from), limit: size }
  // One page more than needed: it shows a walk that continues beyond its end.
  const traversal = await pages.follow(query, WINDOW_PAGES + 1)
  walked.judgeTraversal('cursor-walk', traversal, fits)
}

/** The forecasts of one origin in the middle, on a page that they fill exactly. */
async function checkFullWalk(pages: HistoryPages, walked: Known): Promise<void> {
  const at = originAt(walked, walked.rows.length >> 1)
  const fits = (row: { origin_at: string }) => instantOrNaN(row.origin_at) === at
  const limit = walked.rows.filter(fits).length
  const isCut = !walked.complete && originAt(walked, walked.rows.length - 1) === at
  if (isCut || limit > LIMITS.pageMaximum) return
  const all = { origin_from: formatStored(at), origin_to: formatStored(at), limit }
  const fullPage = await pages.page('cursor-walk', all)
  if (fullPage === undefined) return
  walked.checkPage('cursor-walk', fullPage, fits)
  if (fullPage.next === null) return
  // Only forecasts that came since then can be on a next page.
  const beyond = await pages.page('cursor-end', { ...all, cursor: fullPage.next }, fullPage)
  const detail = `names a next page, and all ${limit} forecasts are on this one`
  fullPage.expect('cursor-end', beyond?.rows.length !== 0, '/pagination/next_cursor', detail)
}

/** Checks each boundary between two pages of the walk in the middle of another page. */
async function checkBounds(pages: HistoryPages, walked: Known): Promise<void> {
  const size = LIMITS.pageMaximum
  const count = Math.floor((walked.rows.length - 1) / size)
  const borders = new Set([1, (count + 1) >> 1, count].filter((n) => n > 0).slice(0, BORDERS))
  for (const border of borders) {
    const from = originAt(walked, border * size + 2)
    const to = originAt(walked, border * size - 3)
    const query = { origin_from: formatStored(from), origin_to: formatStored(to), limit: size }
    const page = await pages.page('cursor-walk', query)
    if (page === undefined) continue
    walked.checkPage('cursor-walk', page, ({ origin_at }) => {
      const at = instantOrNaN(origin_at)
      return from <= at && at <= to
    })
  }
}

/**
 * Walks again if other requests returned forecasts that the walk had not. A forecast that is missing again was left
 * out; a later one is found now.
 */
export async function walkAgain(pages: HistoryPages, walked: Known, limit: number): Promise<void> {
  if (!walked.isBehind) return
  const traversal = await pages.follow({ limit: LIMITS.pageMaximum }, limit)
  walked.judgeTraversal('cursor-walk', traversal, () => true)
}

/** After the last forecast of a complete walk there must be no other. */
async function checkEnd(pages: HistoryPages, walked: Known): Promise<void> {
  const to = originAt(walked, walked.rows.length - 1)
  const query = { origin_to: formatStored(to), limit: LIMITS.pageMaximum }
  const page = await pages.page('cursor-walk', query)
  if (page === undefined) return
  walked.checkPage('cursor-walk', page, (row) => instantOrNaN(row.origin_at) <= to)
}

/** Content codings that leave the body unchanged. */
const PLAIN: readonly (string | null)[] = [null, 'identity']

/** Requests one page plain and compressed: both must be sent as requested and hold the same. */
export async function checkEncodings(pages: HistoryPages): Promise<void> {
  const plain = await readPage(pages, 'identity')
  const zipped = await readPage(pages, 'gzip')
  if (plain === undefined || zipped === undefined) return
  const { judge } = pages
  const sent = plain.coding
  const as = `is sent as ${sent} to a client that takes no coding`
  judge.expect('content-encoding', PLAIN.includes(sent), plain.place, as)
  if (PLAIN.includes(zipped.coding)) return
  new Known(plain.page.rows, false).checkPage('content-encoding', zipped.page, () => true)
  const rows = new Map(plain.page.rows.map((row) => [toKeyText(row), row]))
  for (const row of zipped.page.rows) {
    const same = findDifference(row, rows.get(toKeyText(row)) ?? row)
    const detail = `${same} of ${row.forecast_id} is another than in the same page without a coding`
    judge.expect('content-encoding', same === undefined, zipped.place, detail)
  }
}

/** Undefined if a page does not come or is invalid; other rules report that. */
async function readPage({ judge, service }: HistoryPages, accepted: 'identity' | 'gzip') {
  const path = historyPath({ limit: LIMITS.pageMaximum })
  const where = service.root + path
  const location = { where, asked: `Accept-Encoding: ${accepted}` }
  const answer = await service.call({ path, headers: { 'accept-encoding': accepted } })
  const came = answer.status === 200
  judge.expect('content-encoding', came, location, `no answer of status 200 that can be read`)
  if (!came) return undefined
  const body = checkBody(judge, 'history', answer.bytes, where)
  if (!body.sound) return undefined
  const coding = answer.headers.get('content-encoding')
  const { next_cursor: next } = (body.value as unknown as HistoryBody).pagination
  return { place: location, coding, page: { ...body, next } }
}
