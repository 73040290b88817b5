import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sha256Hex } from '../../document/digest.js'
import { readRegular } from '../../files/regular.js'
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
import type { Judge } from '../judge.js'
import type { Chain } from './site.js'

const DECODERS = { '.gz': gunzipSync, '.br': brotliDecompressSync } as const
const PAGES_FOLDER = dirname(LATEST_FILE)
/** What a file may hold at most, and a compressed copy: a small one can hold any number of bytes. */
const LARGEST = 64 * 1024 * 1024

/** What only a folder shows: files that nobody leads to, counts, checksums, compressed copies. */
export function judgeFolder(judge: Judge, folder: string, chain: Chain): void {
  const pages = pageFiles(folder)
  const known = new Set(chain.reached)
  for (const page of chain.cut ? [] : pages) {
    const where = join(folder, page)
    judge.expect('pages-reachable', known.has(page), { where }, 'no next_url leads here')
  }
  const files = [HEAD_FILE, LATEST_FILE, ...pages]
  for (const path of files) judgeEncodings(judge, folder, path)
  judgeRecord(judge, folder, chain)
  judgeChecksums(judge, folder, files.flatMap(withEncodings))
}

function judgeRecord(judge: Judge, folder: string, { forecasts, ended }: Chain): void {
  const record = readRecord(folder)
  if (record === undefined || record.building === true || !ended) {
    judge.skip(['build-record'], `the site has no ${RECORD_FILE} to count by`)
    return
  }
  const detail = `counts ${record.forecasts} forecasts, and the pages hold ${forecasts}`
  const where = join(folder, RECORD_FILE)
  judge.expect('build-record', record.forecasts === forecasts, { where }, detail)
}

/** @param files - those that have to be listed, if they are there. */
function judgeChecksums(judge: Judge, folder: string, files: readonly string[]): void {
  const list = join(folder, CHECKSUMS_FILE)
  if (!existsSync(list)) {
    judge.skip(['checksums'], 'the site has no checksums.txt')
    return
  }
  const listed = parseChecksums(fileBytes(list)?.toString() ?? '')
  for (const path of files.filter((file) => existsSync(join(folder, file)))) {
    const where = join(folder, path)
    judge.expect('checksums', listed.has(path), { where }, `is not listed in ${CHECKSUMS_FILE}`)
  }
  for (const [path, digest] of listed) {
    const where = join(folder, path)
    const inside = !path.startsWith('/') && !path.split(/[/\\]/).includes('..')
    const bytes = inside ? fileBytes(where) : undefined
    const detail = !inside
      ? 'is listed and lies outside the site'
      : bytes === undefined
        ? 'is listed and not there'
        : 'is not the file that is listed'
    judge.expect('checksums', bytes !== undefined && sha256Hex(bytes) === digest, { where }, detail)
  }
}

function judgeEncodings(judge: Judge, folder: string, path: string): void {
  const plain = fileBytes(join(folder, path))
  for (const [ending, decode] of Object.entries(DECODERS)) {
    const where = join(folder, path + ending)
    const encoded = fileBytes(where)
    if (plain === undefined || encoded === undefined) continue
    let same = false
    try {
      same = decode(encoded, { maxOutputLength: LARGEST }).equals(plain)
    } catch {
      // Not even of that encoding.
    }
    judge.expect('encodings', same, { where }, `does not hold what ${path} holds`)
  }
}

/** The numbered pages of a folder, by their paths in it, in order. */
export function pageFiles(folder: string): string[] {
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

/** A file's bytes; undefined for what is no regular file, which might never end, or too large. */
export function fileBytes(path: string): Buffer | undefined {
  try {
    return readRegular(path, LARGEST)
  } catch {
    return undefined
  }
}
