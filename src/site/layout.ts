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
/** Folder of the sealed log. */
export const SITE_LOG = `${API_FOLDER}/${LOG_FOLDER}`
export const LATEST_FILE = `${PAGES_FOLDER}/latest.json`
export const RECORD_FILE = 'build.json'
export const CHECKSUMS_FILE = 'checksums.txt'
export const HEADERS_FILE = '_headers'

/** Folder for half-written files of a build in place; never part of the site. */
export const WAITING_FOLDER = '.foreproof-waiting'

/** Endings of compressed copies, for hosts that serve them. */
const ENCODINGS = ['.gz', '.br'] as const

/** Number of continuation pages: the head holds the newest 1 to `pageSize` forecasts, these pages the rest. */
export function continuationPages(forecasts: number, pageSize: number): number {
  return forecasts === 0 ? 0 : Math.ceil(forecasts / pageSize) - 1
}

/** Page 1 holds the oldest forecasts. */
export function pageFile(number: number): string {
  return `${PAGES_FOLDER}/page-${String(number).padStart(4, '0')}.json`
}

/**
 * Generations are below this number; a page number is the page's position, counted from the oldest, then its
 * generation.
 */
export const GENERATIONS = 1_000_000_000

/** How a build names its pages if no file may ever be overwritten. */
export interface PageNames {
  /** The last digits of the number of every page that this build writes; below `GENERATIONS`. */
  readonly generation: number
  readonly keptPages: number
  /** The file of the newest kept page, whose name an earlier build chose. */
  readonly keptFile: string | undefined
}

/** The file of the page at a position, counted from the oldest; in a folder the position is its number. */
export function pageFileAt(position: number, names: PageNames | undefined): string {
  if (names === undefined) return pageFile(position)
  if (position === names.keptPages && names.keptFile !== undefined) return names.keptFile
  return pageFile(position * GENERATIONS + names.generation)
}

/** The position of a page, counted from the oldest, from the number in its name. */
export function pagePlace(number: number): number {
  return number < GENERATIONS ? number : Math.floor(number / GENERATIONS)
}

/** The number of a page file, or undefined if the path is not a page. */
export function pageNumber(path: string): number | undefined {
  const match = /(?:^|\/)page-(\d{4,})\.json$/.exec(path)
  const number = match === null ? 0 : Number(match[1])
  return number > 0 && path.endsWith(pageFile(number).slice(API_FOLDER.length)) ? number : undefined
}

/**
 * Builds `next_url` in the file `from`, for the page at the position that follows it; null if that is 0. It is relative
 * to its own file so that the site can be moved; with a base it is absolute.
 */
export function toNextUrl(
  from: string,
  nextPage: number,
  baseUrl: string | undefined,
  names?: PageNames | undefined,
): string | null {
  if (nextPage === 0) return null
  const next = pageFileAt(nextPage, names)
  return baseUrl === undefined ? posix.relative(posix.dirname(from), next) : `${baseUrl}/${next}`
}

/** The path of the uncompressed file. */
export function plainPath(path: string): string {
  const ending = ENCODINGS.find((each) => path.endsWith(each)) ?? ''
  return path.slice(0, path.length - ending.length)
}

/** The number of the page at a path, also for its compressed copies; undefined for other files. */
export function sitePage(path: string): number | undefined {
  const number = pageNumber(plainPath(path))
  return number !== undefined && plainPath(path) === pageFile(number) ? number : undefined
}

/** Whether a path is a month of recorded attempts. */
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
 * Parses a web address that ends with its path, and removes its final slash.
 * @param name how messages call the address.
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
