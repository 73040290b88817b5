import { ForeproofError } from '../../contract/error.js'
import { instantOrNaN } from '../../contract/instant.js'
import { STATIC_ROOT } from '../../contract/limits.js'
import type { StaticLatestBody, StaticPageBody } from '../../contract/types.js'
import type { Deployment, Fetched } from '../../remote/deployment.js'
import { pageNumber } from '../../site/layout.js'
import { type CheckedBody, checkBody } from '../body.js'
import { FreshnessLog, type Moment } from '../freshness.js'
import type { FaultLocation, RuleChecks } from '../judge.js'
import { findDifference, Walk } from '../page-walk.js'
import type { EarlierCopy } from './earlier.js'

/** An endless chain has to be left at some point. */
const MOST_SITE_PAGES = 10_000

/** The error of an age that is accepted, in seconds, because a build takes time. */
const TOLERANCE_SECONDS = 5

interface StaticOptions {
  readonly deployment: Deployment
  /** Where latest.json is read. */
  readonly latest: string
  /** Follow at most this number of pages. */
  readonly pages?: number | undefined
  /** An earlier copy of the site. */
  readonly earlier?: EarlierCopy | undefined
  readonly onPage?: ((pages: number) => void) | undefined
}

/** What was read on the way from the head to the end. */
export interface PageChain {
  /** Locations of all pages that were reached, in order. */
  readonly reached: readonly string[]
  /** Forecasts on them. */
  readonly forecasts: number
  /** Whether the last of them says that it is the last. */
  readonly ended: boolean
  /** Whether there were more pages than the limit. */
  readonly cut: boolean
}

/** Checks both heads of a site and all pages that the first one leads to. */
export async function checkStaticPages(
  judge: RuleChecks,
  options: StaticOptions,
): Promise<PageChain> {
  const { deployment, earlier } = options
  const head = await deployment.read(deployment.head)
  judge.expect('head-file', head !== undefined, { where: deployment.head }, 'is not there')
  const latest = await read(judge, 'latest-file', deployment, options.latest)
  if (head === undefined) {
    judge.skip(['chain-complete', 'chain-ends', 'page-order'], 'there is no first page')
    return { reached: [], forecasts: 0, ended: false, cut: false }
  }
  const log = new FreshnessLog(judge)
  const first = checkBody(judge, 'static-page', head.bytes, head.where)
  earlier?.checkHead(first)
  const chain = await checkChainOfPages(judge, options, head, first, log)
  if (!chain.cut) earlier?.finish(chain.reached.at(-1) ?? '')
  if (latest !== undefined) {
    checkLatestFile(checkBody(judge, 'static-latest', latest.bytes, latest.where), first, log)
  }
  log.finish()
  return chain
}

async function checkChainOfPages(
  judge: RuleChecks,
  { deployment, pages: max = MOST_SITE_PAGES, earlier, onPage }: StaticOptions,
  head: Fetched,
  first: CheckedBody,
  log: FreshnessLog,
): Promise<PageChain> {
  const reached: string[] = []
  const visited = new Set<string>()
  const walk = new Walk()
  const sizes = new PageSizes()
  let address = deployment.head
  let fetched = head
  let body = first
  let root: string | undefined
  let forecasts = 0
  const left = (ended: boolean, cut = false): PageChain => ({ reached, forecasts, ended, cut })
  for (;;) {
    reached.push(address)
    visited.add(address)
    walk.add(body)
    earlier?.add(body)
    forecasts += body.rows.length
    checkFreshness(body, first, log)
    onPage?.(reached.length)
    if (body.value === undefined) return left(false)
    const at = '/pagination/next_url'
    const from = deployment.isFolder === true ? address : fetched.where
    const link = toLink(nextUrlIn(body), from)
    if (body.sound) sizes.add(body, reached.length === 1, link.kind === 'end')
    judge.countChecks('next-url')
    if (link.kind === 'wrong') {
      body.expect('next-url', false, at, link.why)
      return left(false)
    }
    if (link.kind === 'end') {
      judge.countChecks('chain-ends')
      return left(true)
    }
    root ??= link.root
    body.expect('next-url', link.root === root, at, `leads to ${link.root}, others to ${root}`)
    const next = link.address
    const isNamed = next === deployment.head || pageNumber(next) !== undefined
    body.expect('next-url', isNamed, at, `leads to ${next}, which is not called page-NNNN.json`)
    if (!body.expect('chain-ends', !visited.has(next), at, `leads back to ${next}`)) {
      return left(false)
    }
    const empty = body.sound && body.rows.length === 0
    if (!body.expect('chain-ends', !empty, at, 'a page without forecasts names a next one')) {
      return left(false)
    }
    if (reached.length >= max) {
      judge.skip(['chain-ends', 'pages-reachable'], `only ${max} pages were looked at`)
      return left(false, true)
    }
    const page = await read(judge, 'chain-complete', deployment, next, () => body.locate(at))
    if (page === undefined) return left(false)
    address = next
    fetched = page
    body = checkBody(judge, 'static-page', page.bytes, page.where)
  }
}

/** Reads a file other than the head. If it cannot be read, that is a fault, because the head could be. */
async function read(
  judge: RuleChecks,
  rule: 'latest-file' | 'chain-complete',
  deployment: Deployment,
  address: string,
  at: FaultLocation | (() => FaultLocation) = { where: address },
): Promise<Fetched | undefined> {
  let file: Fetched | undefined
  let why = `${address} is not there`
  try {
    file = await deployment.read(address)
  } catch (cause) {
    if (!(cause instanceof ForeproofError)) throw cause
    why = cause.message
  }
  judge.expect(rule, file !== undefined, at, why)
  return file
}

function nextUrlIn({ value }: CheckedBody): unknown {
  return (
    (value as { pagination?: { next_url?: unknown } } | undefined)?.pagination?.next_url ?? null
  )
}

function parsePageMoment(body: CheckedBody): Moment {
  const { snapshot_at } = body.value as unknown as StaticPageBody
  const at = instantOrNaN(snapshot_at)
  return { at, tolerance: TOLERANCE_SECONDS, snapshot: String(at) }
}

function checkLatestFile(latest: CheckedBody, head: CheckedBody, log: FreshnessLog): void {
  const body = latest.value as StaticLatestBody | undefined
  if (!latest.sound || !head.sound || body === undefined) return
  const newest = head.rows[0]
  const empty = newest === undefined
  const detail = empty
    ? 'data is not null, but the history is empty'
    : 'data is null, but the history is not empty'
  if (!latest.expect('latest-null', (body.data === null) === empty, '/data', detail)) return
  if (empty) {
    log.addBody(latest, parsePageMoment(latest), [], true)
    return
  }
  const difference = body.data === null ? 'data' : findDifference(body.data, newest)
  const differs = `${difference} is not that of ${newest.forecast_id}, with which forecasts.json begins`
  latest.expect('latest-is-newest', difference === undefined, '/data', differs)
  const snapshot = (head.value as unknown as StaticPageBody).snapshot_at
  const mismatch = `latest.json is of ${body.snapshot_at}, forecasts.json of ${snapshot}`
  const one = instantOrNaN(body.snapshot_at) === instantOrNaN(snapshot)
  latest.expect('snapshot', one, '/snapshot_at', mismatch)
  // If its snapshot differs from the head's, only its own forecast shows what was newest then.
  const observed = one ? [newest] : latest.rows
  const origins = observed.map(({ origin_at }) => instantOrNaN(origin_at))
  log.addBody(latest, parsePageMoment(latest), origins)
}

/** Ages refer to the page's own snapshot; its freshness to the newest origin then. */
function checkFreshness(body: CheckedBody, head: CheckedBody, log: FreshnessLog): void {
  if (!body.sound || !head.sound) return
  const moment = parsePageMoment(body)
  const newest = parsePageMoment(head)
  const page = body.value as unknown as StaticPageBody
  const later = `is of ${page.snapshot_at}, which is after the snapshot of the head`
  body.expect('snapshot', moment.at <= newest.at, '/snapshot_at', later)
  const [newestRow] = head.rows
  const isSame = moment.at === newest.at
  const observed = isSame && newestRow !== undefined ? [instantOrNaN(newestRow.origin_at)] : []
  log.addBody(body, moment, observed, body === head && newestRow === undefined)
  // For a newer snapshot than its own, the head cannot say what was newest.
  if (moment.at >= newest.at) return
  const observedAt = instantOrNaN(page.freshness.observed_at)
  const [first] = body.rows
  const isInside =
    observedAt <= instantOrNaN(newestRow?.origin_at ?? '') &&
    (first === undefined || observedAt >= instantOrNaN(first.origin_at))
  const detail = `observed_at is ${page.freshness.observed_at}, which is not the newest origin of that snapshot`
  body.expect('page-freshness', isInside, '/freshness/observed_at', detail)
}

/** A host for folders, which have none. */
const FOLDER = 'http://folder.invalid/'

/** Where a page's `next_url` leads: to another page, nowhere (the end), or to a forbidden location. */
type NextLink =
  | { readonly kind: 'end' }
  | { readonly kind: 'wrong'; readonly why: string }
  | { readonly kind: 'page'; readonly address: string; readonly root: string }

/** The address of a page; in a folder, locations are paths below it. */
function toAddress(address: string): string {
  return /^https?:\/\//.test(address) ? address : FOLDER + address
}

/** The part of an address before the API's own path; undefined if the address does not contain that path. */
function findRoot(address: string): string | undefined {
  const at = address.lastIndexOf(`${STATIC_ROOT}/forecasts`)
  return at < 0 ? undefined : address.slice(0, at)
}

/**
 * Resolves `next_url` relative to the page that names it, or as an address. It must lead to a page of the same site.
 * The address of a folder is not known, so any one host is accepted there, but always the same one.
 * @param address - the page's own location: its final address, or its path in a folder.
 */
function toLink(nextUrl: unknown, address: string): NextLink {
  if (nextUrl === null) return { kind: 'end' }
  const wrong = (why: string): NextLink => ({ kind: 'wrong', why })
  if (typeof nextUrl !== 'string') return wrong('is not a string or null')
  if (nextUrl.trim() === '') return wrong('is empty; the last page must say null')
  const from = toAddress(address)
  if (!URL.canParse(nextUrl, from)) return wrong('is not an address')
  const url = new URL(nextUrl, from)
  if (/[?#]/.test(nextUrl)) return wrong('has a query or a fragment, and a page is a file')
  if (url.username !== '' || url.password !== '') return wrong('holds credentials')
  const root = findRoot(url.origin + url.pathname)
  if (!/^https?:$/.test(url.protocol) || root === undefined) {
    return wrong(`leads to ${quoteAddress(url)}, which is not a page of the API`)
  }
  if (from.startsWith(FOLDER)) {
    // Not decoded: an encoded slash must not lead out of the folder.
    const path = url.pathname
    return { kind: 'page', address: path.slice(path.lastIndexOf(STATIC_ROOT) + 1), root }
  }
  if (root !== findRoot(from)) return wrong(`leads to ${quoteAddress(url)}, away from this site`)
  return { kind: 'page', address: url.href, root }
}

function quoteAddress({ href }: URL): string {
  return href.length > 120 ? `${href.slice(0, 117)}...` : href
}

/**
 * Checks how full the pages are. A page with fewer forecasts than the page size has lost some, unless it is the first
 * or the last: only one of the two ends may hold the remainder.
 */
class PageSizes {
  #headIsFull = true
  #size: number | undefined

  add(body: CheckedBody, isHead: boolean, isLast: boolean): void {
    const { page_size } = (body.value as unknown as StaticPageBody).pagination
    const count = body.rows.length
    const isFull = count >= page_size
    this.#size ??= page_size
    const same = page_size === this.#size
    const differs = `is ${page_size}, ${this.#size} on pages before`
    body.expect('page-size', same, '/pagination/page_size', differs)
    if (isHead) {
      this.#headIsFull = isFull
      return
    }
    const mayBeShort = isLast && this.#headIsFull
    const detail = `holds ${count} forecasts of ${page_size}, and is not the only page with fewer`
    body.expect('page-full', isFull || mayBeShort, '/data', detail)
  }
}
