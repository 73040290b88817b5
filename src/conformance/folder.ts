import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { StaticPageBody } from '../contract/types.js'
import { sha256Hex } from '../document/digest.js'
import { parseChecksums } from '../site/checksums.js'
import { CHECKSUMS_FILE, HEAD_FILE, LATEST_FILE, pageFile, pageNumber } from '../site/layout.js'
import type { Judge } from './judge.js'

const DECODERS = { '.gz': gunzipSync, '.br': brotliDecompressSync } as const
const PAGES_FOLDER = dirname(LATEST_FILE)

/** What only a folder shows: files that nobody leads to, checksums, compressed copies. */
export function judgeFolder(judge: Judge, folder: string, reached: readonly string[]): void {
  const pages = pageFiles(folder)
  const known = new Set(reached)
  for (const page of pages) {
    const where = join(folder, page)
    judge.expect('pages-reachable', known.has(page), { where }, 'no next_url leads here')
  }
  for (const path of [HEAD_FILE, LATEST_FILE, ...pages]) judgeEncodings(judge, folder, path)
  const list = join(folder, CHECKSUMS_FILE)
  if (!existsSync(list)) {
    judge.skip(['checksums'], 'the site has no checksums.txt')
    return
  }
  for (const [path, digest] of parseChecksums(readFileSync(list, 'utf8'))) {
    const where = join(folder, path)
    const bytes = read(where)
    const detail =
      bytes === undefined ? 'is listed and not there' : 'is not the file that is listed'
    judge.expect('checksums', bytes !== undefined && sha256Hex(bytes) === digest, { where }, detail)
  }
}

function judgeEncodings(judge: Judge, folder: string, path: string): void {
  const plain = read(join(folder, path))
  for (const [ending, decode] of Object.entries(DECODERS)) {
    const where = join(folder, path + ending)
    const encoded = read(where)
    if (plain === undefined || encoded === undefined) continue
    let same = false
    try {
      same = decode(encoded).equals(plain)
    } catch {
      // Not even of that encoding.
    }
    judge.expect('encodings', same, { where }, `does not hold what ${path} holds`)
  }
}

/**
 * Pages of an earlier copy that were full and wholly stale must be the same now.
 * @param readNow gives today's bytes of a page, wherever it lies.
 */
export async function judgeAgainst(
  judge: Judge,
  previous: string,
  readNow: (path: string) => Promise<{ where: string; bytes: Uint8Array } | undefined>,
): Promise<void> {
  for (const path of pageFiles(previous)) {
    const before = read(join(previous, path))
    if (before === undefined || !wasSealed(before)) continue
    const now = await readNow(path)
    const where = now?.where ?? path
    const same = now !== undefined && Buffer.from(now.bytes).equals(before)
    judge.expect('sealed-unchanged', same, { where }, `differs from ${join(previous, path)}`)
  }
  judge.skip(['sealed-unchanged'], 'the earlier copy has no sealed page')
}

function wasSealed(bytes: Uint8Array): boolean {
  try {
    const { data, pagination } = JSON.parse(Buffer.from(bytes).toString()) as StaticPageBody
    return (
      data.length >= pagination.page_size &&
      data.every(({ freshness }) => freshness.status === 'stale')
    )
  } catch {
    return false
  }
}

function pageFiles(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(join(folder, PAGES_FOLDER))
  } catch {
    return []
  }
  const numbers = names
    .map((name) => pageNumber(`${PAGES_FOLDER}/${name}`))
    .filter((n) => n !== undefined)
  return numbers.sort((a, b) => a - b).map(pageFile)
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
