import { ForeproofError } from '../contract/error.js'
import { STATIC_ROOT } from '../contract/openapi/static.js'

/** Files of a site, by their path below its root. */
export const API_FOLDER = STATIC_ROOT.slice(1)
export const HEAD_FILE = `${API_FOLDER}/forecasts.json`
export const LATEST_FILE = `${API_FOLDER}/forecasts/latest.json`
export const RECORD_FILE = 'build.json'
export const CHECKSUMS_FILE = 'checksums.txt'
export const HEADERS_FILE = '_headers'

/** Compressed copies that lie beside a file, for hosts that serve them. */
export const ENCODINGS = ['.gz', '.br'] as const

/** Page 1 holds the oldest forecasts. */
export function pageFile(number: number): string {
  return `${API_FOLDER}/forecasts/page-${String(number).padStart(4, '0')}.json`
}

/** The number of a page file, or undefined where the path is no page's. */
export function pageNumber(path: string): number | undefined {
  const match = /(?:^|\/)page-(\d{4,})\.json$/.exec(path)
  const number = match === null ? 0 : Number(match[1])
  return number > 0 && path.endsWith(pageFile(number).slice(API_FOLDER.length)) ? number : undefined
}

/** What `next_url` says for a file: root-relative, or absolute below a base. */
export function urlOf(path: string, baseUrl: string | undefined): string {
  return `${baseUrl ?? ''}/${path}`
}

export function withEncodings(path: string): string[] {
  return [path, ...ENCODINGS.map((encoding) => path + encoding)]
}

/** A base address without its final slash; undefined stays undefined. */
export function readBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const wrong = (why: string) =>
    new ForeproofError('usage', `--base-url ${text}: ${why}`, {
      help: 'Give the address of the site, like https://example.org/btc.',
    })
  if (!URL.canParse(text)) throw wrong('is no address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('is no web address')
  if (url.username !== '' || url.password !== '') throw wrong('must not hold credentials')
  if (url.search !== '' || url.hash !== '') throw wrong('must end with its path')
  return url.href.replace(/\/+$/, '')
}
