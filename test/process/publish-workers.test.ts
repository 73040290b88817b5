import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { rowKey } from '../../src/forecast/row.js'
import { openHistory } from '../../src/history/store/open.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { checkSite } from '../../src/site/check.js'
import { pageFile } from '../../src/site/layout.js'
import { pathsBelow } from '../../src/site/writer/links.js'
import { addRows, EPOCH, HOUR, temporaryFolder, writeProducer } from '../history/support.js'
import { ROOT } from './run.js'

/** As it is built: threads are started from files beside it. */
const { publishSite }: typeof import('../../src/site/publish.js') = await import(
  pathToFileURL(join(ROOT, 'dist/site/publish.js')).href
)
const { writePages }: typeof import('../../src/site/workers/write-pages.js') = await import(
  pathToFileURL(join(ROOT, 'dist/site/workers/write-pages.js')).href
)

const folder = temporaryFolder()
let run = 0

interface Build {
  readonly hour: number
  readonly inPlace?: boolean
  readonly onProgress?: (page: number) => void
}

async function build(history: string, out: string, { hour, inPlace = false, onProgress }: Build) {
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

function made(count: number) {
  run++
  const history = join(folder, `history-${run}.sqlite`)
  writeProducer(history, rows(count))
  return { history, out: join(folder, `site-${run}`) }
}

/** The ids of every page, the head first, and what `--check` finds. */
async function read(history: string, out: string) {
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

describe('a build in workers', () => {
  // 64 pages are the fewest that workers are started for, and no more than one of them makes at a time.
  it.each([6400, 6401, 6500, 6501, 12_900])(
    'of %i forecasts holds each of them once',
    async (n) => {
      const { history, out } = made(n)
      await build(history, out, { hour: 2000 })
      const { findings, ids } = await read(history, out)
      expect(findings).toEqual([])
      expect(new Set(ids.flat()).size).toBe(n)
      expect(ids.slice(1).every((page) => page.length === 100)).toBe(true)
    },
  )

  it('writes the same files whatever the number of workers', async () => {
    const { history } = made(20_050)
    const reader = openHistory(history)
    const all = (await reader.page({ limit: 51 })).map(rowKey)
    const newestOrigin = all[0]?.origin
    const now = (EPOCH + 1000 * HOUR) * 1000
    const snapshot = { now, staleAfterSeconds: 10_800, newestOrigin }
    const results = []
    for (const count of [1, 2, 4]) {
      const out = join(folder, `workers-${count}`)
      const result = await writePages({
        reader,
        mark: (await reader.mark()) ?? null,
        forecasts: 20_050,
        range: { high: 200, low: 1, after: all[49], edge: null },
        context: { baseUrl: undefined, snapshot },
        writer: { folder: out, visible: false, durable: false },
        onPage: () => undefined,
        workers: count,
      })
      const digests = pathsBelow(out).map((path) => sha256Hex(readFileSync(join(out, path))))
      results.push({ ...result, digests: digests.sort() })
    }
    await reader.close()
    expect(results[0]?.written.length).toBe(600)
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
  })

  it('ends with what one of them found, and leaves nothing behind', async () => {
    const { history, out } = made(20_000)
    const db = openSqlite(history)
    db.exec('UPDATE forecast_predictions SET predicted_price_usd = 9e999 WHERE rowid = 9000')
    db.close()
    await expect(build(history, out, { hour: 2000 })).rejects.toMatchObject({
      code: 'invalid-input',
      findings: [{ severity: 'error' }],
      help: expect.stringContaining('Nothing was published'),
    })
    expect(readdirSync(folder).filter((name) => name.includes(`site-${run}`))).toEqual([])
  })

  it('that must begin again in sight of readers trusts nothing of its first try', async () => {
    const { history, out } = made(25_700)
    await build(history, out, { hour: 2200, inPlace: true })
    const late = (hour: number) => {
      const db = openSqlite(history)
      addRows(db, [{ hour, model: 'late', horizon: 2 }])
      db.close()
    }
    // Page 11 of 256 changes and with it all that are newer; while they are written, page 60 does, in the
    // last of the ranges: by then newer ones are written, and the pages below it come out of step.
    late(84)
    const told: number[] = []
    const onProgress = (page: number) => {
      told.push(page)
      if (told.length === 1) late(495)
    }
    await build(history, out, { hour: 2201, inPlace: true, onProgress })
    // It did begin again, and then nobody went on with the first try.
    const second = told.lastIndexOf(1)
    expect(second).toBeGreaterThan(0)
    expect(told.slice(second)).toEqual(
      Array.from({ length: told.length - second }, (_, at) => at + 1),
    )
    const anew = `${out}-anew`
    await build(history, anew, { hour: 2201 })
    expect(await read(history, out)).toEqual(await read(history, anew))
  })
})
