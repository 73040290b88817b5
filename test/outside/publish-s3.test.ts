import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import { pullHistory } from '../../src/mirror/pull.js'
import { openDeployment } from '../../src/remote/deployment.js'
import { planPublish } from '../../src/site/publish.js'
import { pathsBelow } from '../../src/site/writer/links.js'
import { opened } from '../history/support.js'
import { seal } from '../log/sealed.js'
import { at } from '../site/build-site.js'
import { atEnd } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import {
  add,
  address,
  attempt,
  build,
  expected,
  expectWhole,
  faults,
  get,
  here,
  hours,
  type Over,
  objects,
  place,
  put,
  puts,
  raw,
  remove,
  useObjectStore,
  walk,
} from './object-site.js'
import { BUCKET } from './object-store.js'

useObjectStore(temporaryFolder())

/** A new mirror of what lies there. */
async function pull() {
  const deployment = await openDeployment(address())
  return await pullHistory({ deployment, path: `${here.history}.mirror`, now: 0 })
}

describe('a site in a store of objects', () => {
  it('is whole for a reader from outside, and by every rule', async () => {
    await seal(here.history)
    await build(100)
    await expectWhole()
    expect((await checkDeployment(address())).findings).toEqual([])
    expect(await pull()).toMatchObject({ findings: [], complete: true, log: { entries: 600 } })
  })

  it('has its types, encodings and times in caches, by the rules of _headers', async () => {
    await seal(here.history)
    await build(100)
    const day = 'public, max-age=86400, stale-while-revalidate=86400'
    const minute = 'public, max-age=60, must-revalidate'
    const text = 'text/plain; charset=utf-8'
    const page = (await objects()).filter((path) => /page-\d+\.json$/.test(path))
    const ordered = page.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    const table: [string, string, string][] = [
      ['index.html', 'text/html; charset=utf-8', minute],
      ['build.json', 'application/json', minute],
      ['checksums.txt', text, minute],
      ['service/api/v1/forecasts.json', 'application/json', minute],
      ['service/api/v1/log/checkpoint', text, minute],
      ['service/api/v1/log/checkpoints/600', text, minute],
      ['service/api/v1/log/tile/0/000', 'application/octet-stream', day],
      [ordered[0] ?? '', 'application/json', day],
      [ordered.at(-1) ?? '', 'application/json', day],
    ]
    for (const [path, type, cache] of table) {
      const { status, headers } = await get(path)
      const names = ['content-type', 'cache-control', 'content-encoding']
      const found = [status, ...names.map((name) => headers.get(name))]
      expect([path, ...found]).toEqual([path, 200, type, cache, null])
    }
    const head = Buffer.from(await (await get('service/api/v1/forecasts.json')).arrayBuffer())
    for (const [ending, coding, decode] of [
      ['.gz', 'gzip', gunzipSync],
      ['.br', 'br', brotliDecompressSync],
    ] as const) {
      const { headers, bytes } = await raw(`service/api/v1/forecasts.json${ending}`)
      const type = { 'content-encoding': coding, 'content-type': 'application/json' }
      expect(headers).toMatchObject(type)
      expect(decode(bytes)).toEqual(head)
    }
    expect(await objects()).not.toContain('_headers')
  })

  it('costs few requests after two new hours', async () => {
    await seal(here.history)
    await build(100)
    expect(puts().length).toBeGreaterThan(25)
    add(hours(100, 102))
    await seal(here.history)
    const { plan } = await build(102)
    expect(plan).toMatchObject({ kind: 'update', keptPages: 5, pages: 6 })
    // Two heads, a page, the log's list (each three times), its tiles and checkpoints, and the record of the build.
    expect(puts().length).toBeLessThanOrEqual(12 + 4 + 4)
    // and before each of the heads a look at whether the right to write is still held.
    expect(here.store.asked.length).toBeLessThanOrEqual(30 + 6)
    await expectWhole()
    const before = here.store.asked.length
    await build(102)
    expect(here.store.asked.length).toBeLessThan(before)
  })

  it.each<[string, Over, boolean]>([
    ['rows that came in late', {}, true],
    ['another base URL', { baseUrl: 'http://site.invalid' }, false],
    ['--full', { full: true }, false],
  ])('never writes a page again that the old head leads to: %s', async (_, over, late) => {
    await build(100)
    const old = await (await get('service/api/v1/forecasts.json')).text()
    const oldIds = await expected()
    const pages = (await objects()).filter((path) => path.includes('/page-'))
    const copied = new Map<string, Buffer>()
    for (const path of pages) if (path.endsWith('.json')) copied.set(path, (await raw(path)).bytes)
    if (late) add(hours(20, 40, 'late'))
    await build(101, over)
    const written = puts()
    expect(written.filter((path) => pages.includes(path))).toEqual([])
    if (over.baseUrl === undefined) expect((await walk()).ids).toEqual(await expected())
    // A reader who has the old head, from a cache or on the way, comes to the end by it.
    await put('service/api/v1/old.json', old)
    expect((await walk(address('service/api/v1/old.json'))).ids).toEqual(oldIds)
    await remove('service/api/v1/old.json')
    expect(await faults()).toEqual([])
    // An hour later, the next build takes them away.
    await build(102.5, over)
    await build(103.6, over)
    const now = await objects()
    expect(pages.filter((path) => now.includes(path) && !late)).toEqual([])
    if (late) {
      // An earlier copy has the sealed pages under their names of then.
      const previous = `${here.history}.copy`
      for (const [path, bytes] of copied) {
        mkdirSync(dirname(join(previous, path)), { recursive: true })
        writeFileSync(join(previous, path), bytes)
      }
      const { verdicts, findings } = await checkDeployment(address(), { previous })
      expect(findings).toEqual([])
      expect(verdicts.find(({ rule }) => rule === 'sealed-unchanged')?.outcome).toBe('passed')
    }
    expect(await faults()).toEqual([])
  })

  it('brings the heads after all that they lead to, and checksums before the record', async () => {
    await seal(here.history)
    await build(100)
    const order = puts()
    const at = (path: string) => order.indexOf(path)
    const record = at('build.json')
    const heads = ['', '.gz', '.br'].map((each) => at(`service/api/v1/forecasts.json${each}`))
    const isLedTo = (path: string) => /page-|tile|checkpoints\/|checksums-/.test(path)
    expect(order.findLastIndex(isLedTo)).toBeLessThan(record)
    expect(record).toBeLessThan(Math.min(...heads))
    expect(at('service/api/v1/log/checkpoint')).toBe(order.length - 2)
    expect(at('checksums.txt')).toBe(order.length - 1)
    expect((await objects()).filter((path) => path.startsWith('.foreproof'))).toEqual([])
  })

  it('plans and checks without writing', async () => {
    const reader = opened(here.history)
    const options = { ...place(), reader, baseUrl: undefined, inPlace: false, now: at(100) }
    const plan = () => planPublish({ ...options, staleAfterSeconds: 10_800 })
    expect((await plan()).kind).toBe('first')
    await expect(faults()).rejects.toMatchObject({ code: 'not-found' })
    expect(await objects()).toEqual([])
    await build(100)
    add(hours(100, 102))
    here.store.asked.length = 0
    expect(await plan()).toMatchObject({ kind: 'update', keptPages: 5 })
    expect((await faults())[0]).toBe(`site-outdated ${place().out}/build.json`)
    expect(here.store.asked.filter((each) => !each.startsWith('GET'))).toEqual([])
    await build(102)
    await put('index.html', 'changed')
    await remove('404.html.gz')
    await put('service/api/v1/forecasts/page-0009.json', '{}')
    const { out } = place()
    expect(await faults()).toEqual([
      `site-file-differs ${out}/404.html.gz`,
      `site-file-differs ${out}/index.html`,
      `site-file-unknown ${out}/service/api/v1/forecasts/page-0009.json`,
    ])
    await build(103, { full: true })
    expect(await faults()).toEqual([])
  })

  it('publishes recorded attempts, and takes them away', async () => {
    const before = `${here.history}.before`
    copyFileSync(here.history, before)
    await attempt('2026-01-02T00:00:00Z')
    await build(100)
    const [index] = (await objects()).filter((path) => path.endsWith('attempts.json'))
    const listed = (await (await get(index ?? '')).json()) as { files: { path: string }[] }
    expect(listed.files[0]?.path).toMatch(/^attempts\/2026-01-\d{1,9}\.ndjson$/)
    await attempt('2026-01-02T01:00:00Z')
    await build(101)
    expect(await faults()).toEqual([])
    expect(await objects()).toContain(`service/api/v1/${listed.files[0]?.path}`)
    expect(await pull()).toMatchObject({ findings: [], attempts: { added: 2 } })
    copyFileSync(before, here.history)
    await build(101)
    expect((await objects()).filter((path) => path.includes('attempts'))).toEqual([])
    expect(await faults()).toEqual([])
  })

  it('takes over a site that was copied there', async () => {
    const local = `${here.history}.local`
    await build(100, { out: local, inPlace: true, endpoint: undefined })
    for (const path of pathsBelow(local)) await put(path, readFileSync(join(local, path)))
    await put('robots.txt', 'mine')
    add(hours(100, 102))
    expect((await build(102)).plan).toMatchObject({ kind: 'update', keptPages: 5 })
    expect((await walk()).ids).toEqual(await expected())
    expect(await faults()).toEqual([`site-file-unknown ${place().out}/robots.txt`])
  })
})

describe('a store that shows a thousand objects at a time', () => {
  // The same one in a process of its own: its lists go on by tokens in DES, which OpenSSL 3 has only when asked.
  beforeAll(async () => {
    const port = await freePort()
    const script = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js')
    const place = ['-d', join(here.folder, 'paged'), '-a', '127.0.0.1', '-p', String(port)]
    const args = ['--openssl-legacy-provider', script, ...place, '--configure-bucket', BUCKET]
    const store = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    atEnd(() => store.kill())
    await once(store.stdout, 'data')
    here.store = { ...here.store, endpoint: `http://127.0.0.1:${port}` }
  })

  it('has a site published, checked and pruned that shares its prefix with many', async () => {
    await build(100)
    // Before the pages and behind them, in the order of their names.
    const others = Array.from({ length: 1000 }, (_, n) => `others/${n}`)
    for (const path of [...others, 'zz.txt']) await put(path, 'theirs')
    const list = `${here.store.endpoint}/${BUCKET}?list-type=2&prefix=${here.prefix}/`
    expect(await (await fetch(list)).text()).toContain('<IsTruncated>true</IsTruncated>')
    expect((await walk()).ids).toEqual(await expected())
    const unknown = [...others, 'zz.txt'].map((path) => `site-file-unknown ${place().out}/${path}`)
    expect((await faults()).sort()).toEqual(unknown.sort())
    const left = ['service/api/v1/forecasts/page-9000000001.json', '.foreproof-uploads/7']
    for (const path of left) await put(path, '{}')
    add(hours(100, 101))
    await build(101)
    const statuses = [...left, 'zz.txt'].map(async (path) => (await get(path)).status)
    expect(await Promise.all(statuses)).toEqual([404, 404, 200])
    expect((await walk()).ids).toEqual(await expected())
  })
})
