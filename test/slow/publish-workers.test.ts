import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { rowKey } from '../../src/forecast/row.js'
import { pathsBelow } from '../../src/site/writer/links.js'
import { addRows, EPOCH, HOUR, opened } from '../history/support.js'
import { build, expectEachOnce, folder, made, read } from '../process/worker-builds.js'
import { ROOT } from '../support/run.js'

/** As it is built: threads are started from files beside it. */
const { writePages }: typeof import('../../src/site/workers/write-pages.js') = await import(
  pathToFileURL(join(ROOT, 'dist/site/workers/write-pages.js')).href
)

describe('a build in workers', () => {
  it.each([6400, 6500, 6501])('of %i forecasts holds each of them once', expectEachOnce)

  it('writes the same files whatever the number of workers', async () => {
    const { history } = made(20_050)
    const reader = opened(history)
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
    expect(results[0]?.written.length).toBe(600)
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
  })

  it('that must begin again in sight of readers trusts nothing of its first try', async () => {
    // Fewer workers than ranges, whatever the machine has: the last range has to come late.
    os.availableParallelism = () => 2
    syncBuiltinESMExports()
    const { history, out } = made(25_700)
    await build(history, out, { hour: 2200, inPlace: true })
    const late = (hour: number) => {
      addRows(history, [{ hour, model: 'late', horizon: 2 }])
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
