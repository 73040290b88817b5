import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sha256Hex } from '../../document/digest.js'
import { readIfRegular } from '../../files/regular.js'
import type { Deployment } from '../../remote/deployment.js'
import { parseChecksums } from '../../site/checksums.js'
import {
  CHECKSUMS_FILE,
  HEAD_FILE,
  LATEST_FILE,
  pageFile,
  pageNumber,
  RECORD_FILE,
  withEncodings,
} from '../../site/layout.js'
import { readRecord } from '../../site/record.js'
import type { RuleChecks } from '../judge.js'
import { LARGEST, pageNumbers } from './files.js'
import type { PageChain } from './site.js'

const DECODERS = { '.gz': gunzipSync, '.br': brotliDecompressSync } as const

/** Checks what only a folder shows: files that no page leads to, counts, checksums, compressed copies. */
export function checkFolder(judge: RuleChecks, folder: string, chain: PageChain): void {
  const pages = pageNumbers(folder).map(pageFile)
  const reached = new Set(chain.reached)
  for (const page of chain.cut ? [] : pages) {
    const where = join(folder, page)
    judge.expect('pages-reachable', reached.has(page), { where }, 'no next_url leads here')
  }
  const files = [HEAD_FILE, LATEST_FILE, ...pages]
  for (const path of files) checkCompressedFiles(judge, folder, path)
  checkRecord(judge, folder, chain)
  checkChecksums(judge, folder, files.flatMap(withEncodings))
}

function checkRecord(judge: RuleChecks, folder: string, { forecasts, ended }: PageChain): void {
  const record = readRecord(folder)
  if (record === undefined || record.building === true || !ended) {
    judge.skip(['build-record'], `the site has no ${RECORD_FILE} to count by`)
    return
  }
  const detail = `counts ${record.forecasts} forecasts, and the pages hold ${forecasts}`
  const where = join(folder, RECORD_FILE)
  judge.expect('build-record', record.forecasts === forecasts, { where }, detail)
}

/** @param files - those that must be listed, if they exist. */
function checkChecksums(judge: RuleChecks, folder: string, files: readonly string[]): void {
  const list = join(folder, CHECKSUMS_FILE)
  if (!existsSync(list)) {
    judge.skip(['checksums'], 'the site has no checksums.txt')
    return
  }
  const listed = parseChecksums(readIfRegular(list, LARGEST)?.toString() ?? '')
  for (const path of files.filter((file) => existsSync(join(folder, file)))) {
    const where = join(folder, path)
    judge.expect('checksums', listed.has(path), { where }, `is not listed in ${CHECKSUMS_FILE}`)
  }
  for (const [path, digest] of listed) {
    const where = join(folder, path)
    const inside = !path.startsWith('/') && !path.split(/[/\\]/).includes('..')
    const bytes = inside ? readIfRegular(where, LARGEST) : undefined
    const detail = !inside
      ? 'is listed and lies outside the site'
      : bytes === undefined
        ? 'is listed and not there'
        : 'is not the file that is listed'
    judge.expect('checksums', bytes !== undefined && sha256Hex(bytes) === digest, { where }, detail)
  }
}

function checkCompressedFiles(judge: RuleChecks, folder: string, path: string): void {
  const plain = readIfRegular(join(folder, path), LARGEST)
  for (const [ending, decode] of Object.entries(DECODERS)) {
    const where = join(folder, path + ending)
    const encoded = readIfRegular(where, LARGEST)
    if (plain === undefined || encoded === undefined) continue
    let same = false
    try {
      same = decode(encoded, { maxOutputLength: LARGEST }).equals(plain)
    } catch {
      // Not even in that encoding.
    }
    judge.expect('encodings', same, { where }, `does not hold what ${path} holds`)
  }
}

/** Largest number of pages to request. */
const MOST = 10

/**
 * Requests the pages next to those that were reached: one that exists was skipped, or cut off.
 * @param root - address of the site, with a slash at its end.
 */
export async function checkNeighbours(
  judge: RuleChecks,
  deployment: Deployment,
  root: string,
  { reached }: PageChain,
): Promise<void> {
  const numbers = reached.map((pageAddress) => pageNumber(new URL(pageAddress).pathname) ?? 0)
  const linked = new Set(numbers)
  const neighbours = numbers.flatMap((number) => [number - 1, number + 1])
  const asked = [...new Set(neighbours)].filter((number) => number > 0 && !linked.has(number))
  judge.countChecks('pages-reachable')
  for (const number of asked.slice(0, MOST)) {
    const address = root + pageFile(number)
    const fetched = await deployment.read(address).catch(() => undefined)
    // Some hosts answer every path with a page of their own.
    const start = Buffer.from(fetched?.bytes.subarray(0, 200) ?? []).toString('latin1')
    const isPage = /^\s*\{\s*"api_version"/.test(start)
    judge.expect('pages-reachable', !isPage, { where: address }, 'no next_url leads here')
  }
}
