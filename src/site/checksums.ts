import { CHECKSUMS_FILE, pageNumber, withEncodings } from './layout.js'
import type { WrittenFile } from './writer/encoded.js'
import type { BuiltSite } from './writer/site-writer.js'

const LINE = /^([0-9a-f]{64}) {2}(.+)$/gm

/** Maps each path to its digest; malformed lines are skipped. */
export function parseChecksums(text: string): Map<string, string> {
  const matches = text.matchAll(LINE)
  return new Map([...matches].map(([, digest = '', path = '']) => [path, digest]))
}

/** The path in a line. */
export function parseChecksumPath(line: string): string {
  return line.slice(line.indexOf(' ') + 2)
}

/**
 * Returns the lines of the pages themselves, by position, from the start of a list: each page is followed by its
 * copies.
 */
export function pageLines(lines: readonly string[]): string[] {
  return lines.filter((line, at) => at % COPIES.length === 0 && pageNumber(line) !== undefined)
}

interface KeptChecksums {
  /** Lines. */
  readonly pages: readonly string[]
  /** Digests by path. */
  readonly others: ReadonlyMap<string, string>
}

/** The lines of the previous build that are still valid, and the digests of its other files. */
export async function keptChecksums(
  site: BuiltSite | undefined,
  keptPages: number,
  withOthers: boolean,
): Promise<KeptChecksums> {
  const text = await site?.read(CHECKSUMS_FILE)
  const lines = (text?.toString() ?? '').split('\n')
  const count = keptPages * withEncodings('').length
  const others = withOthers ? lines.slice(count).join('\n') : ''
  return { pages: lines.slice(0, count), others: parseChecksums(others) }
}

/** The ending of a page's name, and the endings of its compressed copies. */
const COPIES = withEncodings('')

/**
 * `checksums.txt` as sha256sum writes and checks it: pages by number, each before its compressed
 * copies, then all other files.
 * @param kept lines of the first pages.
 */
export function checksumsText(kept: readonly string[], files: readonly WrittenFile[]): string {
  const ranked = files.map(({ path, sha256 }) => {
    const copy = COPIES.findLastIndex((ending) => path.endsWith(ending))
    const page = pageNumber(path.slice(0, path.length - COPIES[copy]!.length))
    return { path, page, copy, line: `${sha256}  ${path}` }
  })
  ranked.sort((a, b) => {
    if (a.page !== b.page) return (a.page ?? Infinity) - (b.page ?? Infinity)
    return a.page === undefined ? (a.path < b.path ? -1 : 1) : a.copy - b.copy
  })
  return `${[...kept, ...ranked.map(({ line }) => line)].join('\n')}\n`
}
