import { posix } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { STATIC_ROOT } from '../contract/limits.js'
import { ATTEMPTS_INDEX } from '../remote/attempts.js'
import { LOG_FOLDER } from '../remote/log.js'

/** Files of a site, by their path below its root. */
export const API_FOLDER = STATIC_ROOT.slice(1)
export const PAGES_FOLDER = `${API_FOLDER}/forecasts`
export const HEAD_FILE = `${API_FOLDER}/forecasts.json`
/** The list of the files with recorded attempts. */
export const ATTEMPTS_INDEX_FILE = `${API_FOLDER}/${ATTEMPTS_INDEX}`
/** Where the sealed log lies. */
export const SITE_LOG = `${API_FOLDER}/${LOG_FOLDER}`
export const LATEST_FILE = `${PAGES_FOLDER}/latest.json`
export const RECORD_FILE = 'build.json'
export const CHECKSUMS_FILE = 'checksums.txt'
export const HEADERS_FILE = '_headers'

/** Where half-written files wait when a site is built in place; never part of the site. */
export const WAITING_FOLDER = '.foreproof-waiting'

/** Compressed copies that lie beside a file, for hosts that serve them. */
const ENCODINGS = ['.gz', '.br'] as const

/** Continuation pages for so many forecasts: all but the newest 1 to `pageSize`, which are the head. */
export function continuationPages(forecasts: number, pageSize: number): number {
  return forecasts === 0 ? 0 : Math.ceil(forecasts / pageSize) - 1
}

/** Page 1 holds the oldest forecasts. */
export function pageFile(number: number): string {
  return `${PAGES_FOLDER}/page-${String(number).padStart(4, '0')}.json`
}

/** Generations lie below this; a page has its place from the oldest on in front of its generation. */
export const GENERATIONS = 1_000_000_000

/** What the pages of a build are called where no file may ever be written again under its name. */
export interface PageNames {
  /** Ends the number of every page that this build writes; below `GENERATIONS`. */
  readonly generation: number
  readonly keptPages: number
  /** The file of the newest page that is kept, which has the name that an earlier build gave it. */
  readonly keptFile: string | undefined
}

/** The file of the page at a place, from the oldest on: in a folder that place is its number. */
export function pageFileAt(place: number, names: PageNames | undefined): string {
  if (names === undefined) return pageFile(place)
  if (place === names.keptPages && names.keptFile !== undefined) return names.keptFile
  return pageFile(place * GENERATIONS + names.generation)
}

/** The place of a page, from the oldest on, by the number in its name. */
export function pagePlace(number: number): number {
  return number < GENERATIONS ? number : Math.floor(number / GENERATIONS)
}

/** The number of a page file, or undefined where the path is no page's. */
export function pageNumber(path: string): number | undefined {
  const match = /(?:^|\/)page-(\d{4,})\.json$/.exec(path)
  const number = match === null ? 0 : Number(match[1])
  return number > 0 && path.endsWith(pageFile(number).slice(API_FOLDER.length)) ? number : undefined
}

/**
 * `next_url` in the file `from`, for the page at the place that follows it; null where that is 0.
 * Relative to its own file, the site can lie anywhere; with a base it is absolute.
 */
export function buildNextUrl(
  from: string,
  nextPage: number,
  baseUrl: string | undefined,
  names?: PageNames | undefined,
): string | null {
  if (nextPage === 0) return null
  const next = pageFileAt(nextPage, names)
  return baseUrl === undefined ? posix.relative(posix.dirname(from), next) : `${baseUrl}/${next}`
}

/** The file that a path is, or is a compressed copy of. */
export function plainPath(path: string): string {
  const ending = ENCODINGS.find((each) => path.endsWith(each)) ?? ''
  return path.slice(0, path.length - ending.length)
}

/** The number of the page that lies at a path, or of which a compressed copy does; undefined for other files. */
export function sitePage(path: string): number | undefined {
  const number = pageNumber(plainPath(path))
  return number !== undefined && plainPath(path) === pageFile(number) ? number : undefined
}

/** A month of recorded attempts. */
export function isMonth(path: string): boolean {
  return path.startsWith(`${API_FOLDER}/attempts/`)
}

export function withEncodings(path: string): string[] {
  return [path, ...ENCODINGS.map((encoding) => path + encoding)]
}

/** A base address without its final slash; undefined stays undefined. */
export function parseBaseUrl(text: string | undefined): string | undefined {
  const help = 'Give the address of the site, like https://example.org/btc.'
  return text === undefined ? undefined : parsePublicAddress(text, '--base-url', help)
}

/**
 * A web address that ends with its path, without its final slash.
 * @param name what a message calls it.
 * @throws {ForeproofError} `usage` for anything else.
 */
export function parsePublicAddress(text: string, name: string, help: string): string {
  const wrong = (why: string): never => {
    throw new ForeproofError('usage', `${name}: ${why}`, { help })
  }
  if (!URL.canParse(text)) wrong('is not an address')
  const { protocol, username, password, search, hash, href } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') wrong('is not a web address')
  if (username !== '' || password !== '') wrong('must not hold credentials')
  if (search !== '' || hash !== '') wrong('must end with its path')
  return href.replace(/\/+$/, '')
}
