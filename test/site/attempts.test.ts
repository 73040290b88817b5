import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatStored } from '../../src/contract/instant.js'
import { sha256Hex } from '../../src/document/digest.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { addRows, allOf, hourlyRows, writeProducer } from '../history/support.js'
import { at, type BuildOptions, buildSite, faultsOf, publish, Witness } from './build-site.js'

let world: Witness

const month = (hour: number) => formatStored(at(hour)).slice(0, 7)
/** An hour of the month after the one that the history begins in. */
const LATER = 24 * 32

async function record(...at_: number[]): Promise<void> {
  const values = at_.map((hour) => ({
    origin_at: formatStored(at(hour)),
    model_name: 'gamma',
    horizon_hours: 4,
    status: hour % 2 === 0 ? 'failed' : 'abstained',
    reason: `hour ${hour}`,
    recorded_at: formatStored(at(hour) + 60_000_000),
    provenance: { input_available_at: formatStored(at(hour)), vintage_id: 'v-1' },
  }))
  const { attempts } = await importResources(world.history, values, { now: at(0) })
  expect(attempts.added).toBe(values.length)
}

const addRow = (hour: number, model: string) =>
  addRows(world.history, [{ hour, model, horizon: 4, run: 'r' }])

beforeEach(() => {
  world = new Witness()
  writeProducer(world.history, hourlyRows(0, 150, ['alpha'], [4]))
})

const build = (hour: number, over: BuildOptions = {}) =>
  buildSite(world.history, world.site, at(hour), over)

const pull = (full = false) => world.pull(full, LATER + 9)
const lines = async (path: string) => (await allOf(exportLines(path))).join('')
const api = (path: string) => world.log(`../${path}`)

describe('recorded attempts of a published site', () => {
  it.each([false, true])(
    'make a mirror whose export is the origin’s (in place: %s)',
    async (inPlace) => {
      await record(3, 4, LATER)
      await build(LATER + 2, { inPlace })
      expect(await pull()).toMatchObject({ complete: true, attempts: { added: 3 }, findings: [] })
      expect(await lines(world.mirror)).toBe(await lines(world.history))
      await record(LATER + 1)
      await build(LATER + 3, { inPlace })
      expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1, unchanged: 1 } })
      expect(await lines(world.mirror)).toBe(await lines(world.history))
      expect(await pull()).toMatchObject({ attempts: { added: 0, unchanged: 0 } })
    },
  )

  it('are written again only in the months that have new ones', async () => {
    await record(3, LATER)
    const first = await build(LATER + 2)
    expect(first.plan.attemptMonths).toEqual([month(3), month(LATER)])
    await record(LATER + 1)
    const second = await build(LATER + 3)
    expect(second.plan.attemptMonths).toEqual([month(LATER)])
    const changed = second.record.changed.filter((path) => path.includes('attempts/'))
    expect(changed.filter((path) => path.endsWith('.ndjson'))).toEqual([
      `service/api/v1/attempts/${month(LATER)}.ndjson`,
    ])
    const third = await build(LATER + 4)
    expect(third.plan.attemptMonths).toEqual([])
    expect(third.record.changed.some((path) => path.includes('attempts'))).toBe(false)
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 3 } })
  })

  it('come to a site without any', async () => {
    await build(LATER - 1)
    expect(existsSync(api('attempts.json'))).toBe(false)
    await record(3)
    await build(LATER)
    await build(LATER + 1)
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1 } })
  })
})

describe('a pull of attempts', () => {
  beforeEach(async () => {
    await record(3, LATER)
    await build(LATER + 2)
  })

  it('refuses a file that is not the listed one, and keeps what came before it', async () => {
    const file = api(`attempts/${month(LATER)}.ndjson`)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('hour', 'year'))
    expect(await pull()).toMatchObject({
      complete: false,
      attempts: { added: 1 },
      findings: [{ args: { fault: 'changed' }, file }],
    })
    writeFileSync(file, text)
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1 } })
    expect(await lines(world.mirror)).toBe(await lines(world.history))
  })

  it.each([
    `{"files":[{"path":"../../../../secret","attempts":1,"sha256":"${'0'.repeat(64)}"}]}`,
    ...['{"files":{}}', '[1]', '{'],
  ])('refuses the list %s', async (text) => {
    writeFileSync(api('attempts.json'), text)
    const report = await pull()
    expect(report).toMatchObject({ complete: false, attempts: { added: 0 } })
    expect(report.findings).toMatchObject([{ args: { fault: 'unreadable' } }])
  })

  it('takes a page of the host in the place of the list for none, and says so', async () => {
    writeFileSync(api('attempts.json'), '<!doctype html><title>Not here</title>')
    expect(await pull()).toMatchObject({
      complete: true,
      attempts: { added: 0 },
      findings: [{ args: { fault: 'unavailable' }, severity: 'warning' }],
    })
  })

  /** Puts a text in the place of the first file, and its digest into the list. */
  function replaceFirst(text: string | Buffer, attempts = 1): void {
    const index = JSON.parse(readFileSync(api('attempts.json'), 'utf8'))
    const bytes = Buffer.from(text)
    Object.assign(index.files[0], { attempts, sha256: sha256Hex(bytes) })
    writeFileSync(api(index.files[0].path), bytes)
    writeFileSync(api('attempts.json'), JSON.stringify(index))
  }
  const line = (hour: number, more: object = {}) =>
    `${JSON.stringify({
      origin_at: formatStored(at(hour)),
      model_name: 'gamma',
      horizon_hours: 8,
      status: 'failed',
      reason: 'r',
      ...more,
    })}\n`

  it('takes nothing from a line but the attempt', async () => {
    const page = JSON.parse(readFileSync(api('forecasts.json'), 'utf8'))
    page.data = [{ ...page.data[0], horizon_hours: 16 }]
    replaceFirst(line(5, page))
    expect(await pull()).toMatchObject({ complete: true, forecasts: { added: 150 } })
    expect(await lines(world.mirror)).toContain('"horizon_hours":8,"model_name":"gamma"')
  })

  const noUtf8 = Buffer.from(line(5).replace('"r"', '"\xff\xfe"'), 'latin1')
  it.each([
    ['bytes that are no UTF-8', noUtf8, 1, 'invalid'],
    ['an attempt of another month', line(LATER), 1, 'misplaced'],
    ['fewer lines than it is said to have', line(5), 2, 'changed'],
    ['a line that is no attempt', '{"status":"failed"}\n', 1, 'missing-key'],
  ])('refuses a file with %s', async (_what, text, count, fault) => {
    replaceFirst(text, count)
    const report = await pull()
    expect(report).toMatchObject({ complete: false, attempts: { added: 0 } })
    const faults = report.findings.map(({ code, args }) => ('fault' in args ? args.fault : code))
    expect(faults).toContain(fault)
  })

  it('reports a conflict again until it is gone, and reads all again with --full', async () => {
    await pull()
    replaceFirst(readFileSync(api(`attempts/${month(3)}.ndjson`), 'utf8').replace('hour 3', 'else'))
    const again = () => pull().then(({ attempts }) => attempts.conflicts)
    expect([await again(), await again()]).toEqual([1, 1])
    expect((await pull(true)).attempts).toMatchObject({ unchanged: 1, conflicts: 1 })
  })
})

describe.each([false, true])('a site of another history (in place: %s)', (inPlace) => {
  const copy = () => join(world.folder, 'copy.sqlite')
  const same = async () => {
    expect(await pull()).toMatchObject({ complete: true })
    expect(await lines(world.mirror)).toBe(await lines(world.history))
  }

  it('loses the months that the history has lost', async () => {
    await record(3)
    copyFileSync(world.history, copy())
    await record(LATER)
    await build(LATER + 2, { inPlace })
    copyFileSync(copy(), world.history)
    await build(LATER + 3, { inPlace })
    await same()
  })

  it('gets other attempts of the same number, and other forecasts of the same number', async () => {
    copyFileSync(world.history, copy())
    await record(3)
    addRow(5, 'one')
    await build(LATER, { inPlace })
    copyFileSync(copy(), world.history)
    await record(4)
    addRow(6, 'two')
    expect(await faultsOf(world.history, world.site)).toMatchObject([
      { code: 'site-outdated', args: { of: 'forecasts' } },
      { code: 'site-outdated', args: { of: 'recorded attempts' } },
    ])
    const { plan } = await build(LATER + 1, { inPlace })
    expect(plan).toMatchObject({ keptPages: 0, reopenedPages: 1 })
    await same()
  })

  it('gets its list back when that has gone, and loses it where the history has no attempt', async () => {
    copyFileSync(world.history, copy())
    await record(3, LATER)
    await build(LATER + 2, { inPlace })
    rmSync(api('attempts.json'))
    await build(LATER + 3, { inPlace })
    await same()
    copyFileSync(copy(), world.history)
    const { plan } = await build(LATER + 4, { inPlace })
    expect(plan).toMatchObject({ attemptMonths: null, dropsAttempts: true })
    expect(existsSync(api('attempts.json'))).toBe(false)
    expect(existsSync(api(`attempts/${month(3)}.ndjson`))).toBe(false)
  })
})

describe('a build in place that was killed', () => {
  it('leaves a record of it, and the next build mends what it left', async () => {
    await record(3)
    await build(LATER, { inPlace: true })
    const before = JSON.parse(readFileSync(join(world.site, 'build.json'), 'utf8'))
    // A full build with another address that comes as far as its first pages.
    const killed = publish(world.history, world.site, at(LATER + 1), {
      full: true,
      inPlace: true,
      baseUrl: 'https://other.example',
      onProgress: () => {
        throw new Error('killed')
      },
    })
    await expect(killed).rejects.toThrow('killed')
    expect((await faultsOf(world.history, world.site))[0]).toMatchObject({
      code: 'site-unfinished',
    })
    expect(before.sealed_pages).toBeGreaterThan(0)
    await build(LATER + 2, { inPlace: true })
    expect(readFileSync(api('forecasts/page-0001.json'), 'utf8')).not.toContain('other.example')
    expect(await pull()).toMatchObject({ complete: true, attempts: { added: 1 } })
  })
})
