import { join } from 'node:path'
import { checkStaticPageBody } from '../../contract/check-payload.js'
import { keepsFromSending } from '../../contract/row-rules.js'
import type { ForecastResource, StaticPageBody } from '../../contract/types.js'
import { HEAD_FILE, pageFile, pageNumber, pagePlace } from '../../site/layout.js'
import { jsonOf } from '../dynamic/answer.js'
import type { Judge } from '../judge.js'
import { differenceOf } from '../same.js'
import { keyOf } from '../walk.js'
import { fileBytes, pageFiles } from './folder.js'

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
    const sealed = sealedRows(fileBytes(file))
    if (sealed === undefined) continue
    const place = pagePlace(pageNumber(path) ?? 0)
    const now = await readNow(place, path)
    const where = now?.where ?? path
    const rows = byKey(rowsOf(now?.bytes))
    const moved = sealed.some((row) => !rows.has(keyOf(row)))
    const later = byKey(
      moved ? await rowsAfter(() => readNow(place + 1, pageFile(place + 1)), read) : [],
    )
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

/** Rows of the page after a page, which is the head after the last one. */
async function rowsAfter(
  readNext: () => ReturnType<ReadNow>,
  read: ReadNow,
): Promise<readonly ForecastResource[]> {
  return rowsOf(((await readNext()) ?? (await read(HEAD_FILE)))?.bytes)
}

function rowsOf(bytes: Uint8Array | undefined): readonly ForecastResource[] {
  return pageOf(bytes)?.data ?? []
}

function byKey(rows: readonly ForecastResource[]): ReadonlyMap<string, ForecastResource> {
  return new Map(rows.map((row) => [keyOf(row), row]))
}

function pageOf(bytes: Uint8Array | undefined): StaticPageBody | undefined {
  const value = bytes === undefined ? null : jsonOf(bytes)
  return keepsFromSending(checkStaticPageBody(value)) ? undefined : (value as StaticPageBody)
}
