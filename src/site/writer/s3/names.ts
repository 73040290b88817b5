import { LOG_HEAD, LOG_LIST } from '../../../remote/log.js'
import { FIXED_FILES } from '../../fixed-files.js'
import { type HeaderRule, matchHeaders, SHORT_CACHE } from '../../headers.js'
import {
  ATTEMPTS_INDEX_FILE,
  CHECKSUMS_FILE,
  HEAD_FILE,
  HEADERS_FILE,
  isMonth,
  LATEST_FILE,
  pageFile,
  pageNumber,
  pagePlace,
  plainPath,
  RECORD_FILE,
  SITE_LOG,
  sitePage,
  withEncodings,
} from '../../layout.js'
import { isSitePath } from '../../record.js'
import { isTicket } from './tickets.js'

/** Files that lead to others, in the order of upload: a file is uploaded after those that it names. */
export const HEADS: readonly (readonly string[])[] = [
  withEncodings(HEAD_FILE),
  withEncodings(LATEST_FILE),
  withEncodings(ATTEMPTS_INDEX_FILE),
  withEncodings(`${SITE_LOG}/${LOG_LIST}`),
  [`${SITE_LOG}/${LOG_HEAD}`],
]

const ROOT_FILES = new Set([
  ...FIXED_FILES.flatMap(withEncodings),
  CHECKSUMS_FILE,
  HEADERS_FILE,
  RECORD_FILE,
])

/**
 * Whether a build may have written an object; other objects are never removed. A list may be forged and name paths
 * outside the site.
 */
export function isSiteObject(path: string): boolean {
  if (!isSitePath(path)) return false
  return (
    ROOT_FILES.has(path) ||
    HEADS.some((files) => files.includes(path)) ||
    isWrittenOnce(path) ||
    path.startsWith(`${SITE_LOG}/`) ||
    isTicket(path) ||
    /^checksums-\d{1,9}\.txt$/.test(path)
  )
}

/** Whether only one build ever writes an object, so that it can stay for readers of an older head. */
export function isWrittenOnce(path: string): boolean {
  return sitePage(path) !== undefined || isMonth(path)
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson; charset=utf-8',
  '.tsr': 'application/timestamp-reply',
  '.txt': 'text/plain; charset=utf-8',
}
const CODINGS: Readonly<Record<string, string>> = { '.gz': 'gzip', '.br': 'br' }

/**
 * The headers that the store sends with an object: its type, its encoding if it is a compressed copy, and its cache
 * time by the rules of `_headers`.
 */
export function objectHeaders(path: string, rules: readonly HeaderRule[]): Record<string, string> {
  const plain = plainPath(path)
  const number = pageNumber(plain)
  // The rules identify pages by position.
  const headers = matchHeaders(
    rules,
    `/${number === undefined ? plain : pageFile(pagePlace(number))}`,
  )
  const coding = CODINGS[path.slice(plain.length)]
  return {
    'content-type': headers.get('content-type') ?? contentType(plain),
    'cache-control': headers.get('cache-control') ?? SHORT_CACHE,
    ...(coding !== undefined && { 'content-encoding': coding }),
  }
}

function contentType(path: string): string {
  if (path.startsWith(`${SITE_LOG}/checkpoints/`) && !path.endsWith('.tsr'))
    return TYPES['.txt'] as string
  return TYPES[/\.[a-z]+$/.exec(path)?.[0] ?? ''] ?? 'application/octet-stream'
}
