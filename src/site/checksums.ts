import { CHECKSUMS_FILE, pageNumber, withEncodings } from './layout.js'
import type { WrittenFile } from './writer/encoded.js'
import type { BuiltSite } from './writer/types.js'

/** `checksums.txt` as sha256sum writes and checks it: pages first, in order, then all other files. */
export function checksumsText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}

const LINE = /^([0-9a-f]{64}) {2}(.+)$/

/** Path to digest; lines that are no checksum are left out. */
export function parseChecksums(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = LINE.exec(line)
    if (match !== null) found.set(match[2] as string, match[1] as string)
  }
  return found
}

export interface KeptChecksums {
  /** Lines. */
  readonly pages: readonly string[]
  /** Digests by path. */
  readonly others: ReadonlyMap<string, string>
}

/** The lines of the build before that stay true, and the digests of its other files. */
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

/** What a page's name ends in, and those of its compressed copies. */
const COPIES = withEncodings('')

/** Lines for what was written: pages by number, each before its compressed copies. */
export function linesOf(written: readonly WrittenFile[]): {
  readonly pages: string[]
  readonly others: string[]
} {
  let known = { plain: '', page: 0 }
  const numbered = written.map((file) => {
    const copy = COPIES.findLastIndex((ending) => file.path.endsWith(ending))
    const plain = file.path.slice(0, file.path.length - (COPIES[copy] as string).length)
    // A page and its copies follow one another.
    if (plain !== known.plain) known = { plain, page: pageNumber(plain) ?? 0 }
    const { page } = known
    return { file, page, rank: page * COPIES.length + copy }
  })
  const line = ({ sha256, path }: WrittenFile) => `${sha256}  ${path}`
  const pages = numbered.filter(({ page }) => page > 0).sort((a, b) => a.rank - b.rank)
  const others = numbered.filter(({ page }) => page === 0).map(({ file }) => file)
  others.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { pages: pages.map(({ file }) => line(file)), others: others.map(line) }
}
