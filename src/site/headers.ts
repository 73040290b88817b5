import { LOG_FOLDER, LOG_HEAD, LOG_LIST } from '../remote/log.js'
import { API_FOLDER, pageFile } from './layout.js'

// A late row rewrites sealed pages; two days later every cache has the new ones.
const DAY = 'public, max-age=86400, stale-while-revalidate=86400'
export const SHORT_CACHE = 'public, max-age=60, must-revalidate'

/** Headers, as `Name: value`, of the files at a path; if the path ends in a star, of all paths with that prefix. */
export interface HeaderRule {
  readonly path: string
  readonly headers: readonly string[]
}

/** The file `_headers`, in the format of hosts for static sites. */
export function headersText(pages: number, sealedPages: number, withLog = false): string {
  const rules = headerRules(pages, sealedPages, withLog)
  const lines = rules.flatMap(({ path, headers }) => [path, ...headers.map((each) => `  ${each}`)])
  return lines.map((line) => `${line}\n`).join('')
}

/** The headers of a file from all matching rules, by lower-case name. */
export function matchHeaders(rules: readonly HeaderRule[], path: string): Map<string, string> {
  const matching = rules.filter((rule) =>
    rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path,
  )
  const pairs = matching.flatMap(({ headers }) => headers.map((header) => header.split(': ')))
  return new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]))
}

const IN_API = ['forecasts.json', 'attempts*', 'forecasts/latest.json']

/**
 * Caches may keep sealed pages and log tiles for a day, all other files for a minute. No two rules set the same header
 * for one file, because hosts differ in which rule wins.
 */
export function headerRules(pages: number, sealedPages: number, withLog: boolean): HeaderRule[] {
  const rules = [
    rule('/*', ['X-Content-Type-Options: nosniff', 'Referrer-Policy: no-referrer']),
    rule(`/${API_FOLDER}/*`, ['Access-Control-Allow-Origin: *']),
    ...['/', '/index.html', '/openapi.json', ...IN_API.map((path) => `/${API_FOLDER}/${path}`)].map(
      (path) => rule(path, [`Cache-Control: ${SHORT_CACHE}`]),
    ),
    ...(withLog ? logRules() : []),
  ]
  for (let page = sealedPages + 1; page <= pages; page++) {
    rules.push(rule(`/${pageFile(page)}`, [`Cache-Control: ${SHORT_CACHE}`]))
  }
  for (const prefix of sealedPrefixes(pages, sealedPages)) {
    rules.push(rule(`/${API_FOLDER}/forecasts/page-${prefix}`, [`Cache-Control: ${DAY}`]))
  }
  return rules
}

/** Tiles change only if a log is restarted; the list changes, and checkpoints get cosignatures. */
function logRules(): HeaderRule[] {
  const at = (path: string) => `/${API_FOLDER}/${LOG_FOLDER}/${path}`
  return [
    rule(at(LOG_HEAD), [
      'Content-Type: text/plain; charset=utf-8',
      `Cache-Control: ${SHORT_CACHE}`,
    ]),
    rule(at(LOG_LIST), [`Cache-Control: ${SHORT_CACHE}`]),
    rule(at('checkpoints/*'), [`Cache-Control: ${SHORT_CACHE}`]),
    rule(at('tile/*'), [`Cache-Control: ${DAY}`]),
  ]
}

const rule = (path: string, headers: readonly string[]): HeaderRule => ({ path, headers })

/**
 * Patterns that match pages 1 to `sealed` and no other of the `pages`. A fully sealed decade takes one pattern, so a
 * million rows need about forty rules instead of ten thousand.
 */
export function sealedPrefixes(pages: number, sealed: number): string[] {
  const digits = Math.max(4, String(pages).length)
  const prefixes: string[] = []
  const visit = (prefix: string): void => {
    let [someSealed, someOpen] = [false, false]
    for (let length = Math.max(4, prefix.length); length <= digits; length++) {
      const span = Number(`1e${length - prefix.length}`)
      const low = Number(prefix) * span
      const high = low + span - 1
      // Longer numbers never begin with a zero, and pages beyond the last do not exist.
      if ((length > 4 && prefix.startsWith('0')) || low > pages || high === 0) continue
      if (Math.max(low, 1) <= sealed) someSealed = true
      if (high > sealed) someOpen = true
    }
    if (!someSealed) return
    if (!someOpen && prefix.length < digits) {
      prefixes.push(`${prefix}*`)
      return
    }
    if (prefix.length >= 4 && Number(prefix) <= sealed) prefixes.push(`${prefix}.json`)
    if (prefix.length < digits) for (let digit = 0; digit <= 9; digit++) visit(`${prefix}${digit}`)
  }
  for (let digit = 0; digit <= 9; digit++) visit(String(digit))
  return prefixes
}
