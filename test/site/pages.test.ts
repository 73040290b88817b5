import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageFile } from '../../src/site/layout.js'
import { publishSite } from '../../src/site/publish.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { addRows, alter, opened, writeProducer } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { at, faultsOf, publish, reading } from './build-site.js'

const folder = temporaryFolder()
let run = 0

/** Twelve rows an hour: three models, four horizons. */
function made(count: number) {
  run++
  const history = join(folder, `history-${run}.sqlite`)
  const rows = Array.from({ length: count }, (_, at) => ({
    hour: Math.floor(at / 12),
    model: ['alpha', 'beta', 'gamma'][at % 3] as string,
    horizon: 2 ** (1 + (Math.floor(at / 3) % 4)),
  }))
  writeProducer(history, rows)
  return { history, out: join(folder, `site-${run}`) }
}

/** The ids of every page, the head first, and what `--check` finds. */
async function read(history: string, out: string) {
  const findings = await faultsOf(history, out)
  const pages = Math.floor(((await reading(history, (reader) => reader.count())) - 1) / 100)
  const paths = ['service/api/v1/forecasts.json']
  for (let page = pages; page > 0; page--) paths.push(pageFile(page))
  const ids = paths.map((path) =>
    JSON.parse(readFileSync(join(out, path), 'utf8')).data.map(
      (forecast: { forecast_id: string }) => forecast.forecast_id,
    ),
  )
  return { findings, ids }
}

describe('pages that are written while the next ones are read', () => {
  it.each([800, 801, 2050])('hold each of %i forecasts once', async (count) => {
    const { history, out } = made(count)
    await publish(history, out, at(2000))
    const { findings, ids } = await read(history, out)
    expect(findings).toEqual([])
    expect(new Set(ids.flat()).size).toBe(count)
    expect(ids.slice(1).every((page) => page.length === 100)).toBe(true)
  })

  it('end with a row that cannot be shown, and leave nothing behind', async () => {
    const { history, out } = made(2050)
    alter(history, 'UPDATE forecast_predictions SET predicted_price_usd = 9e999 WHERE rowid = 900')
    await expect(publish(history, out, at(2000))).rejects.toMatchObject({
      code: 'invalid-input',
      findings: [{ severity: 'error' }],
      help: expect.stringContaining('Nothing was published'),
    })
    expect(readdirSync(folder).filter((name) => name.includes(basename(out)))).toEqual([])
  })

  it('end where the history is locked meanwhile, and leave nothing behind', async () => {
    const { history, out } = made(2050)
    const writer = openSqlite(history)
    const reader = opened(history, { busyTimeoutMs: 100 })
    const onProgress = (page: number) => {
      if (page === 5) writer.exec('BEGIN EXCLUSIVE')
    }
    const place = { out, inPlace: false, baseUrl: undefined, staleAfterSeconds: 10_800 }
    const building = publishSite({ ...place, reader, now: at(2000), onProgress })
    await expect(building).rejects.toMatchObject({ code: 'unavailable', file: history })
    writer.exec('COMMIT')
    writer.close()
    expect(readdirSync(folder).filter((name) => name.includes(basename(out)))).toEqual([])
  })

  it('are begun again where a row comes in late, and nothing of the first try is trusted', async () => {
    const { history, out } = made(2570)
    await publish(history, out, at(400), { inPlace: true })
    const late = (hour: number) => addRows(history, [{ hour, model: 'late', horizon: 2 }])
    // Page 2 of 25 changes and with it all that are newer; while they are written, page 6 does: by then newer ones
    // are written, and the pages below it come out of step.
    late(9)
    const begun: number[] = []
    const onProgress = (page: number) => {
      begun.push(page)
      if (begun.length === 1) late(50)
    }
    await publish(history, out, at(401), { inPlace: true, onProgress })
    // It did begin again, and then the first try did not go on.
    const second = begun.lastIndexOf(1)
    expect(second).toBeGreaterThan(0)
    expect(begun.slice(second)).toEqual(
      Array.from({ length: begun.length - second }, (_, at) => at + 1),
    )
    const anew = `${out}-anew`
    await publish(history, anew, at(401))
    expect(await read(history, out)).toEqual(await read(history, anew))
  })
})
