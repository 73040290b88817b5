import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { partOf } from '../forecast/part.js'
import type { HistoryRow } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import { pageFile } from './layout.js'
import { type HistoryFacts, PAGE_SIZE } from './plan.js'
import type { BuildRecord, RecordedKey } from './record.js'
import { recordedKey, rowsFrom, take } from './rows.js'

/** The pages, from the first on, whose forecasts are those of the history. Reads all of both. */
export async function sameAsBefore(
  reader: HistoryReader,
  folder: string,
  before: BuildRecord,
  forecasts: number,
): Promise<Pick<HistoryFacts, 'intactPages' | 'intactThrough'>> {
  const pages = Math.min(before.sealed_pages, Math.floor(forecasts / PAGE_SIZE))
  const rows = rowsFrom(reader)
  await take(rows, forecasts - pages * PAGE_SIZE)
  let intact = pages
  let through: RecordedKey | null = null
  for (let page = pages; page > 0; page--) {
    const pageRows = await take(rows, PAGE_SIZE)
    through ??= recordedKey(pageRows[0])
    if (holdsRows(join(folder, pageFile(page)), pageRows)) continue
    intact = page - 1
    through = null
  }
  return { intactPages: intact, intactThrough: through }
}

function holdsRows(file: string, rows: readonly HistoryRow[]): boolean {
  let text: string
  try {
    text = readFileSync(file, 'latin1')
  } catch {
    return false
  }
  let at = 0
  return rows.every((row) => {
    const { head } = partOf(row)
    at = text.indexOf(head, at)
    if (at < 0) return false
    at += head.length
    return true
  })
}
