import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { openHistory } from '../../src/history/store/open.js'
import { checkSite } from '../../src/site/check.js'
import { pageFile } from '../../src/site/layout.js'
import { EPOCH, HOUR, writeProducer } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'

/** As it is built: threads are started from files beside it. */
const { publishSite }: typeof import('../../src/site/publish.js') = await import(
  pathToFileURL(join(ROOT, 'dist/site/publish.js')).href
)

export const folder = temporaryFolder()
let run = 0

interface Build {
  readonly hour: number
  readonly inPlace?: boolean
  readonly onProgress?: (page: number) => void
}

export async function build(
  history: string,
  out: string,
  { hour, inPlace = false, onProgress }: Build,
) {
  const reader = openHistory(history)
  try {
    const now = (EPOCH + hour * HOUR) * 1000
    const place = { out, inPlace, baseUrl: undefined, onProgress }
    await publishSite({ ...place, reader, staleAfterSeconds: 10_800, now })
  } finally {
    await reader.close()
  }
}

/** Twelve rows an hour: three models, four horizons. */
function rows(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    hour: Math.floor(at / 12),
    model: ['alpha', 'beta', 'gamma'][at % 3] as string,
    horizon: 2 ** (1 + (Math.floor(at / 3) % 4)),
  }))
}

export function made(count: number) {
  run++
  const history = join(folder, `history-${run}.sqlite`)
  writeProducer(history, rows(count))
  return { history, out: join(folder, `site-${run}`) }
}

/** The ids of every page, the head first, and what `--check` finds. */
export async function read(history: string, out: string) {
  const reader = openHistory(history)
  const { findings } = await checkSite(out, reader)
  const pages = Math.floor(((await reader.count()) - 1) / 100)
  await reader.close()
  const paths = ['service/api/v1/forecasts.json']
  for (let page = pages; page > 0; page--) paths.push(pageFile(page))
  const ids = paths.map((path) =>
    JSON.parse(readFileSync(join(out, path), 'utf8')).data.map(
      (forecast: { forecast_id: string }) => forecast.forecast_id,
    ),
  )
  return { findings, ids }
}

/** Builds the site of so many forecasts: each is on one page of it, and its pages are full. */
export async function expectEachOnce(count: number): Promise<void> {
  const { history, out } = made(count)
  await build(history, out, { hour: 2000 })
  const { findings, ids } = await read(history, out)
  expect(findings).toEqual([])
  expect(new Set(ids.flat()).size).toBe(count)
  expect(ids.slice(1).every((page) => page.length === 100)).toBe(true)
}
