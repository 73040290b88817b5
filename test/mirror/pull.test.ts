import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { toResource } from '../../src/forecast/resource.js'
import { pullHistory } from '../../src/mirror/pull.js'
import { type Deployment, folderDeployment, staticDeployment } from '../../src/remote/deployment.js'
import { pageFile } from '../../src/site/layout.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { addRows, hourlyRows, opened, writeProducer } from '../history/support.js'
import { at, Witness } from '../site/build-site.js'

let world: Witness
beforeEach(() => {
  world = new Witness()
})

const hours = (from: number, to: number) => hourlyRows(from, to, ['alpha', 'beta'])

const build = (hour: number, baseUrl?: string) => world.publish({ inPlace: false, baseUrl }, hour)

/** A site of five pages. */
async function published(): Promise<void> {
  writeProducer(world.history, hours(0, 60))
  await build(60)
}

function pull(deployment: Deployment = folderDeployment(world.site), full = false) {
  return pullHistory({ deployment, path: world.mirror, now: at(100), full })
}

/** Every row of a history as the text that never changes. */
async function rows(path: string): Promise<string[]> {
  const found = await opened(path).page({ limit: 100_000 })
  return found.map((row) => JSON.stringify(toResource(row)))
}

/** The site without its log, which is asked for before any page. */
function pagesAlone(): Deployment {
  const { log, ...pages } = folderDeployment(world.site)
  return pages
}

/** A deployment that breaks down after so many pages. */
function failing(after: number): Deployment {
  const whole = pagesAlone()
  let reads = 0
  return {
    ...whole,
    read: (place) => {
      if (reads++ >= after) throw new Error('the line is dead')
      return whole.read(place)
    },
  }
}

describe('pullHistory', () => {
  it('names the host of pages that lie on another one', async () => {
    writeProducer(world.history, hours(0, 80))
    await build(90, 'https://cdn.example.org')
    const asked: string[] = []
    const ask = async (url: string) => {
      asked.push(new URL(url).host)
      const file = join(world.site, new URL(url).pathname)
      const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
      return { url, status: bytes.length > 0 ? 200 : 404, headers: new Headers(), bytes }
    }
    const result = await pull(staticDeployment(new URL('https://example.org'), { ask }))
    expect(asked[0]).toBe('example.org')
    expect(asked).toContain('cdn.example.org')
    expect(result).toMatchObject({ complete: true, written: 640 })
    const args = { fault: 'elsewhere', found: 'cdn.example.org' }
    const named = result.findings.filter(({ code }) => code === 'next-page')
    expect(named).toMatchObject([{ severity: 'warning', args }])
    await build(91)
    const own = await pull(staticDeployment(new URL('https://example.org'), { ask }), true)
    expect(own.findings.map(({ code }) => code)).not.toContain('next-page')
  })

  it('mirrors a site whole, and leaves the history to other writers while it waits for a page', async () => {
    await published()
    const whole = folderDeployment(world.site)
    let reads = 0
    const slow: Deployment = {
      ...whole,
      read: async (place) => {
        const page = await whole.read(place)
        const other = openSqlite(world.mirror, { timeout: 0 })
        other.exec('BEGIN IMMEDIATE')
        other.close()
        reads++
        return page
      },
    }
    const mirrored = { complete: true, pages: 5, written: 480, findings: [] }
    expect(await pull(slow)).toMatchObject(mirrored)
    expect(reads).toBeGreaterThan(5)
    expect(await rows(world.mirror)).toEqual(await rows(world.history))
  })

  it('reads only what is new the next time', async () => {
    await published()
    await pull()
    addRows(world.history, hours(60, 75))
    await build(75)
    expect(await pull()).toMatchObject({ complete: true, pages: 2, written: 120 })
    expect(await rows(world.mirror)).toEqual(await rows(world.history))
    expect(await pull()).toMatchObject({ complete: true, pages: 1, written: 0 })
  })

  it('goes on where it was interrupted, also when that happens twice', async () => {
    await published()
    await expect(pull(failing(2))).rejects.toThrow('the line is dead')
    expect((await rows(world.mirror)).length).toBe(180)
    addRows(world.history, hours(60, 90))
    await build(90)
    await expect(pull(failing(1))).rejects.toThrow('the line is dead')
    expect(await pull()).toMatchObject({ complete: true })
    expect(await rows(world.mirror)).toEqual(await rows(world.history))
  })

  it('stops at the first page that breaks the contract, with its pointer, and keeps those before', async () => {
    await published()
    const file = join(world.site, pageFile(3))
    const page = JSON.parse(readFileSync(file, 'utf8'))
    page.data[7].interval.lower_usd = 1e9
    writeFileSync(file, JSON.stringify(page))
    const report = await pull()
    expect(report).toMatchObject({ complete: false, pages: 2, written: 180 })
    expect(report.findings).toMatchObject([
      { code: 'interval-disordered', pointer: '/data/7/interval', file, position: { line: 1 } },
    ])
  })

  it('takes over nothing from a first page that is no page, and makes no file', async () => {
    writeProducer(world.history, hours(0, 3))
    await build(3)
    writeFileSync(join(world.site, 'service/api/v1/forecasts.json'), '{"api_version":"v1"')
    const report = await pull()
    expect(report.findings[0]?.severity).toBe('error')
    expect(existsSync(world.mirror)).toBe(false)
  })

  it('says that a page is missing from the chain, and goes on there once it is back', async () => {
    await published()
    const file = join(world.site, pageFile(2))
    const bytes = readFileSync(file)
    rmSync(file)
    const missing = { complete: false, findings: [{ args: { fault: 'missing' } }] }
    expect(await pull()).toMatchObject(missing)
    writeFileSync(file, bytes)
    expect(await pull()).toMatchObject({ complete: true })
    expect(await rows(world.mirror)).toEqual(await rows(world.history))
  })

  /** The site, where the head's next_url is another and the page behind it has no forecasts. */
  function leading(next: (reads: number) => string, head: object = {}): [Deployment, string[]] {
    const whole = pagesAlone()
    const asked: string[] = []
    const read: Deployment['read'] = async (place) => {
      asked.push(place)
      const page = await whole.read(whole.head)
      const body = JSON.parse(Buffer.from(page?.bytes ?? []).toString())
      Object.assign(body, asked.length === 1 ? head : { data: [] })
      body.pagination.next_url = next(asked.length)
      return { where: place, bytes: Buffer.from(JSON.stringify(body)) }
    }
    const nextOf: Deployment['next'] = (body) =>
      (body as { pagination: { next_url: string } }).pagination.next_url
    return [{ ...whole, read, next: nextOf }, asked]
  }

  it.each([
    ['behind the head', {}, 2],
    ['from the head on', { data: [] }, 1],
  ])('refuses empty pages that lead on for ever, %s', async (_name, head, reads) => {
    await published()
    const [endless, asked] = leading((at) => `page-${at}.json`, head)
    const { findings, ...report } = await pull(endless)
    expect(report).toMatchObject({ complete: false, pages: reads - 1 })
    const found = { code: 'next-page', severity: 'error', pointer: '/pagination' }
    expect(findings).toMatchObject([{ ...found, args: { fault: 'of-empty' } }])
    expect(asked.length).toBe(reads)
  })

  it('refuses a next_url with credentials at once, and does not show them', async () => {
    await published()
    const [shy, asked] = leading(() => 'https://user:secret@example.org/page-2.json')
    const report = await pull(shy)
    expect(report).toMatchObject({ complete: false, pages: 0 })
    expect(report.findings).toMatchObject([{ code: 'next-page', args: { fault: 'credentials' } }])
    expect(JSON.stringify(report)).not.toContain('secret')
    expect(asked.length).toBe(1)
  })

  it('reads no more pages than the limit, says so, and goes on from there', async () => {
    await published()
    const two = () =>
      pullHistory({
        deployment: folderDeployment(world.site),
        path: world.mirror,
        now: at(100),
        mostPages: 2,
      })
    const { findings, ...report } = await two()
    expect(report).toMatchObject({ complete: false, pages: 2, written: 180 })
    expect(findings).toMatchObject([{ code: 'next-page', args: { fault: 'limit', found: '2' } }])
    // The second run reads the head again, and then one page below what was here.
    await two()
    expect(await pull()).toMatchObject({ complete: true })
    expect(await rows(world.mirror)).toEqual(await rows(world.history))
  })

  it('says that nothing is published where nothing is', async () => {
    await expect(pull(folderDeployment(world.folder))).rejects.toMatchObject({ code: 'not-found' })
    expect(existsSync(world.mirror)).toBe(false)
  })
})
