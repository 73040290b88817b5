import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StaticPageBody } from '../../src/contract/types.js'
import { pageFile } from '../../src/site/layout.js'
import { planPublish, publishSite } from '../../src/site/publish.js'
import type { BuildRecord } from '../../src/site/record.js'
import { pathsBelow } from '../../src/site/writer/links.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { broken } from '../conformance/mutants/run.js'
import { addRows, alter, hourlyRows, opened, writeProducer } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { at, type BuildOptions, faultsOf, publish, reading } from './build-site.js'

let folder = ''
let history = ''
let out = ''

/** Twelve rows an hour: three models, four horizons. */
const hours = (from: number, to: number) => hourlyRows(from, to, ['alpha', 'beta', 'gamma'])

beforeEach(() => {
  folder = temporaryFolder()
  history = join(folder, 'history.sqlite')
  out = join(folder, 'site')
})

const build = (hour: number, over: BuildOptions = {}) => publish(history, out, at(hour), over)
const add = (rows: ReturnType<typeof hours>) => addRows(history, rows)

/** A history of so many hours, and its first build. */
function begin(to: number, hour = to, over: BuildOptions = {}) {
  writeProducer(history, hours(0, to))
  return build(hour, over)
}

const read = (path: string) => readFileSync(join(out, path))
const json = <T>(path: string) => JSON.parse(read(path).toString()) as T
const HEAD = 'service/api/v1/forecasts.json'
const LATEST = 'service/api/v1/forecasts/latest.json'

/** That all rules of the specification hold of the site, and that it has so many forecasts, each once. */
async function expectSound(forecasts: number) {
  expect(await broken(out)).toEqual({})
  expect(json<BuildRecord>('build.json').forecasts).toBe(forecasts)
}

describe.each([[false], [true]])('publish, in place: %s', (inPlace) => {
  it('gives every forecast exactly once, newest first, and the newest as latest', async () => {
    await begin(50, 50, { inPlace })
    await expectSound(600)
  })

  it('says of an empty history that it is empty', async () => {
    await begin(0, 50, { inPlace })
    const freshness = { status: 'unknown' }
    expect(json(LATEST)).toMatchObject({ data: null, freshness })
    expect(json(HEAD)).toMatchObject({ data: [], pagination: { next_url: null }, freshness })
    await expectSound(0)
  })

  it('never touches a sealed page again, and writes what is new', async () => {
    await begin(50, 50, { inPlace })
    const sealed = [1, 2, 3, 4, 5].map((page) => read(pageFile(page)))
    const inode = statSync(join(out, pageFile(3))).ino
    for (let hour = 50; hour < 75; hour += 5) {
      add(hours(hour, hour + 5))
      const { plan } = await build(hour + 5, { inPlace })
      expect(plan.pages - plan.keptPages).toBeLessThan(3)
    }
    expect([1, 2, 3, 4, 5].map((page) => read(pageFile(page)))).toEqual(sealed)
    expect(statSync(join(out, pageFile(3))).ino).toBe(inode)
    await expectSound(900)
  })

  it('leaves a page open while a forecast on it is fresh', async () => {
    writeProducer(history, hours(0, 17)) // 204 rows: page 2 ends at hour 16
    const { record } = await build(17, { inPlace })
    expect(record).toMatchObject({ pages: 2, sealed_pages: 1 })
    const open = read(pageFile(2))
    expect((await build(30, { inPlace })).record.sealed_pages).toBe(2)
    expect(read(pageFile(2)).equals(open)).toBe(false)
  })

  it('writes a sealed page and those after it again when a row comes in late, and says so', async () => {
    await begin(50, 60, { inPlace })
    const before = [1, 2, 3, 4, 5].map((page) => read(pageFile(page)))
    add([{ hour: 20, model: 'late', horizon: 2 }])
    const { plan } = await build(61, { inPlace })
    expect(plan).toMatchObject({
      keptPages: 2,
      reopenedPages: 3,
      because: ['late-rows', 'new-rows'],
    })
    expect([1, 2].map((page) => read(pageFile(page)))).toEqual(before.slice(0, 2))
    await expectSound(601)
  })

  it('writes all of a site anew that is of an older format', async () => {
    await begin(20, 60, { inPlace })
    const pages = [HEAD, pageFile(2)].map(read)
    const record = json<object>('build.json')
    writeFileSync(join(out, 'build.json'), JSON.stringify({ ...record, format: 1 }))
    const { plan } = await build(61, { inPlace })
    expect(plan).toMatchObject({ kind: 'rebuild', keptPages: 0, because: ['other-format'] })
    expect([HEAD, pageFile(2)].map(read)).not.toEqual(pages)
    await expectSound(240)
  })

  it('makes next_url absolute for a base URL, and starts anew when that changes', async () => {
    await begin(20, 20, { inPlace })
    const servers = () => json<{ servers: unknown }>('openapi.json').servers
    // Relative to the document itself, which lies at the root of the site, wherever that is.
    expect(servers()).toEqual([{ url: '.' }])
    await build(20, { inPlace, baseUrl: 'https://example.org/btc' })
    expect(servers()).toEqual([{ url: 'https://example.org/btc' }])
    expect(json<StaticPageBody>(HEAD).pagination.next_url).toBe(
      'https://example.org/btc/service/api/v1/forecasts/page-0002.json',
    )
    await expectSound(240)
    const { plan } = await build(21, { inPlace, baseUrl: 'https://example.org/btc' })
    expect(plan).toMatchObject({ kind: 'update', because: ['time'] })
    await expectSound(240)
  })

  it('mends damage when asked to write everything', async () => {
    await begin(40, 60, { inPlace })
    const check = async () =>
      (await faultsOf(history, out)).map(
        ({ code, args }) => `${code}${'actual' in args && !args.actual ? ': gone' : ''}`,
      )
    writeFileSync(join(out, pageFile(2)), 'damage')
    rmSync(join(out, 'index.html.br'))
    expect(await check()).toEqual(['site-file-differs', 'site-file-differs: gone'])
    await build(61, { inPlace, full: true })
    expect(await check()).toEqual([])
    await expectSound(480)
    add(hours(40, 41))
    expect(await check()).toEqual(['site-outdated'])
    await build(62, { inPlace })
    expect(await check()).toEqual([])
  })

  it('publishes nothing when a row cannot be shown', async () => {
    await begin(20, 20, { inPlace })
    const head = read(HEAD)
    alter(history, 'UPDATE forecast_predictions SET predicted_price_usd = 9e999 WHERE rowid = 240')
    await expect(build(21, { inPlace })).rejects.toMatchObject({ code: 'invalid-input' })
    expect(read(HEAD).equals(head)).toBe(true)
  })
})

describe('publish', () => {
  it('moves a symbolic link between two folders', async () => {
    await begin(5)
    const first = readlinkSync(out)
    await build(6)
    expect(readlinkSync(out)).not.toBe(first)
    await build(7)
    expect(readlinkSync(out)).toBe(first)
  })

  it('plans without writing anything', async () => {
    writeProducer(history, hours(0, 5))
    const before = pathsBelow(folder).length
    const options = { out, baseUrl: undefined, inPlace: false, staleAfterSeconds: 1, now: 0 }
    const plan = await reading(history, (reader) => planPublish({ ...options, reader }))
    expect(plan).toMatchObject({ kind: 'first', forecasts: 60, pages: 0 })
    expect(pathsBelow(folder).length).toBe(before)
  })

  it('refuses a folder, a foreign link and foreign files', async () => {
    writeProducer(history, hours(0, 5))
    symlinkSync(folder, out)
    await expect(build(5)).rejects.toMatchObject({ code: 'refused' })
    out = folder
    await expect(build(5)).rejects.toMatchObject({ code: 'refused' })
    await expect(build(5, { inPlace: true })).rejects.toMatchObject({ code: 'refused' })
  })

  it.each([false, true])(
    'leaves builds alone that are not its own (behind a link: %s)',
    async (linked) => {
      writeProducer(history, hours(0, 5))
      const builds = join(folder, '.site.builds')
      for (const name of ['a', 'b']) {
        mkdirSync(join(builds, name), { recursive: true })
        writeFileSync(join(builds, name, 'precious'), '')
      }
      if (linked) symlinkSync(join(builds, 'a'), out)
      const before = pathsBelow(builds)
      await expect(build(5)).rejects.toMatchObject({ code: 'refused', file: builds })
      expect(pathsBelow(builds)).toEqual(before)
    },
  )

  it('builds anew from the spare folder that a dead build left in pieces', async () => {
    await begin(30)
    const spare = join(folder, '.site.builds', readlinkSync(out).endsWith('a') ? 'b' : 'a')
    writeFileSync(join(spare, 'rubbish'), '')
    const db = join(spare, 'build.json')
    writeFileSync(db, 'no record')
    await build(31)
    expect(pathsBelow(out)).not.toContain('rubbish')
    await expectSound(360)
  })

  it('fills both folders with a first build, also over what a dead one left there', async () => {
    writeProducer(history, hours(0, 30))
    const builds = ['a', 'b'].map((name) => join(folder, '.site.builds', name)) as [string, string]
    for (const each of builds) {
      mkdirSync(join(each, 'service'), { recursive: true })
      writeFileSync(join(each, 'service', 'rubbish'), '')
      writeFileSync(join(each, 'build.json'), 'no record')
    }
    writeFileSync(join(folder, '.site.builds', '.foreproof-builds'), '')
    await build(30)
    const files = pathsBelow(out)
    expect(files).not.toContain('service/rubbish')
    const places = builds.map((each) =>
      pathsBelow(each).map((path) => statSync(join(each, path)).ino),
    )
    expect(pathsBelow(builds[1])).toEqual(pathsBelow(builds[0]))
    expect(places[1]).toEqual(places[0])
    await expectSound(360)
  })
})

describe('pages that are written while the next ones are read', () => {
  const leftBehind = () => readdirSync(folder).filter((name) => name.includes(basename(out)))
  beforeEach(() => writeProducer(history, hours(0, 214)))

  it('end with a row that cannot be shown, and leave nothing behind', async () => {
    alter(history, 'UPDATE forecast_predictions SET predicted_price_usd = 9e999 WHERE rowid = 900')
    await expect(build(2000)).rejects.toMatchObject({
      code: 'invalid-input',
      findings: [{ severity: 'error' }],
      help: expect.stringContaining('Nothing was published'),
    })
    expect(leftBehind()).toEqual([])
  })

  it('end where the history is locked meanwhile, and leave nothing behind', async () => {
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
    expect(leftBehind()).toEqual([])
  })

  it('are begun again where a row comes in late, and nothing of the first try is trusted', async () => {
    await build(400, { inPlace: true })
    const late = (hour: number) => add([{ hour, model: 'late', horizon: 2 }])
    // Page 2 of 25 changes and with it all that are newer; while they are written, page 6 does: by then newer ones
    // are written, and the pages below it come out of step.
    late(9)
    const begun: number[] = []
    const onProgress = (page: number) => {
      begun.push(page)
      if (begun.length === 1) late(50)
    }
    await build(401, { inPlace: true, onProgress })
    // It did begin again, and then the first try did not go on.
    const second = begun.lastIndexOf(1)
    expect(second).toBeGreaterThan(0)
    expect(begun.slice(second)).toEqual(
      Array.from({ length: begun.length - second }, (_, at) => at + 1),
    )
    expect(await faultsOf(history, out)).toEqual([])
    await expectSound(214 * 12 + 2)
  })
})
