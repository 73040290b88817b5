import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { checkPayload } from '../../contract/check-payload.js'
import { keepsFromSending } from '../../contract/row-rules.js'
import type { ForecastResource, StaticPageBody } from '../../contract/types.js'
import { sha256Hex } from '../../document/digest.js'
import { readIfRegular } from '../../files/regular.js'
import { type Deployment, isFolder } from '../../remote/deployment.js'
import { parseChecksums } from '../../site/checksums.js'
import {
  CHECKSUMS_FILE,
  HEAD_FILE,
  LATEST_FILE,
  pageFile,
  pageNumber,
  pagePlace,
  RECORD_FILE,
  withEncodings,
} from '../../site/layout.js'
import { readRecord } from '../../site/record.js'
import { bodyOf } from '../dynamic/client.js'
import type { Judge } from '../judge.js'
import { differenceOf, keyOf } from '../rows.js'
import type { Chain } from './site.js'

const DECODERS = { '.gz': gunzipSync, '.br': brotliDecompressSync } as const
const PAGES_FOLDER = dirname(LATEST_FILE)
/** What a file may hold at most, and a compressed copy: a small one can hold any number of bytes. */
const LARGEST = 64 * 1024 * 1024

/** What only a folder shows: files that no page leads to, counts, checksums, compressed copies. */
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

function judgeEncodings(judge: Judge, folder: string, path: string): void {
  const plain = readIfRegular(join(folder, path), LARGEST)
  for (const [ending, decode] of Object.entries(DECODERS)) {
    const where = join(folder, path + ending)
    const encoded = readIfRegular(where, LARGEST)
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
function pageFiles(folder: string): string[] {
  const pages = join(folder, PAGES_FOLDER)
  const numbers = (isFolder(pages) ? readdirSync(pages) : [])
    .map((name) => pageNumber(`${PAGES_FOLDER}/${name}`))
    .filter((n) => n !== undefined)
  return numbers.sort((a, b) => a - b).map(pageFile)
}

type ReadNow = (path: string) => Promise<{ where: string; bytes: Uint8Array } | undefined>

/**
 * Forecasts on pages of an earlier copy that were full and wholly stale must be there now, and be the
 * same. One that came in late may have moved them on by a page.
 * @param read - gives today's bytes of a page, wherever it lies.
 * @param reached - today's pages, from the head on: one whose name has its build in it may have another now.
 */
export async function judgeAgainst(
  judge: Judge,
  previous: string,
  read: ReadNow,
  reached: readonly string[],
): Promise<void> {
  const numbers = reached.map((place) => pageNumber(place) ?? 0)
  const today = new Map(numbers.map((number) => [pagePlace(number), pageFile(number)]))
  const readNow = (place: number, otherwise: string) => read(today.get(place) ?? otherwise)
  for (const path of pageFiles(previous)) {
    const file = join(previous, path)
    const sealed = sealedRows(readIfRegular(file, LARGEST))
    if (sealed === undefined) continue
    const place = pagePlace(pageNumber(path) ?? 0)
    const now = await readNow(place, path)
    const where = now?.where ?? path
    const rows = byKey(rowsOf(now?.bytes))
    const moved = sealed.some((row) => !rows.has(keyOf(row)))
    // The page after the last one is the head.
    const after =
      moved && ((await readNow(place + 1, pageFile(place + 1))) ?? (await read(HEAD_FILE)))
    const later = byKey(after ? rowsOf(after.bytes) : [])
    for (const row of sealed) {
      const found = rows.get(keyOf(row)) ?? later.get(keyOf(row))
      const difference = found === undefined ? 'the forecast' : differenceOf(row, found)
      const change = found === undefined ? 'is gone' : 'is another'
      const detail = `${difference} of ${row.forecast_id} ${change}; ${file} has it`
      judge.expect('sealed-unchanged', difference === undefined, { where }, detail)
    }
  }
  judge.skip(['sealed-unchanged'], 'the earlier copy has no sealed page')
}

/** The rows of a page that was full and wholly stale; undefined for any other. */
function sealedRows(bytes: Uint8Array | undefined): readonly ForecastResource[] | undefined {
  const body = pageOf(bytes)
  if (body === undefined || body.data.length < body.pagination.page_size) return undefined
  return body.data.every(({ freshness }) => freshness.status === 'stale') ? body.data : undefined
}

function rowsOf(bytes: Uint8Array | undefined): readonly ForecastResource[] {
  return pageOf(bytes)?.data ?? []
}

function byKey(rows: readonly ForecastResource[]): ReadonlyMap<string, ForecastResource> {
  return new Map(rows.map((row) => [keyOf(row), row]))
}

function pageOf(bytes: Uint8Array | undefined): StaticPageBody | undefined {
  const value: unknown = bytes && bodyOf(bytes)
  return keepsFromSending(checkPayload('static-page', value))
    ? undefined
    : (value as StaticPageBody)
}

/** Pages that are asked for at most. */
const MOST = 10

/**
 * Asks a site for the pages beside those that were reached: one that is there was skipped, or cut off.
 * @param root - address of the site, with a slash at its end.
 */
export async function judgeNeighbours(
  judge: Judge,
  deployment: Deployment,
  root: string,
  { reached }: Chain,
): Promise<void> {
  const numbers = reached.map((place) => pageNumber(new URL(place).pathname) ?? 0)
  const known = new Set(numbers)
  const beside = numbers.flatMap((number) => [number - 1, number + 1])
  const asked = [...new Set(beside)].filter((number) => number > 0 && !known.has(number))
  judge.look('pages-reachable')
  for (const number of asked.slice(0, MOST)) {
    const place = root + pageFile(number)
    const found = await deployment.read(place).catch(() => undefined)
    // Some hosts answer every path with a page of their own.
    const start = Buffer.from(found?.bytes.subarray(0, 200) ?? []).toString('latin1')
    const isPage = /^\s*\{\s*"api_version"/.test(start)
    judge.expect('pages-reachable', !isPage, { where: place }, 'no next_url leads here')
  }
}
