import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import {
  address,
  answer,
  attempt,
  build,
  expected,
  faults,
  get,
  here,
  objects,
  put,
  puts,
  raw,
  remove,
  useObjectStore,
  walk,
} from './object-site.js'
import { BUCKET } from './object-store.js'

// A prefix where others write as well, and a store that is none.

const folder = temporaryFolder()
useObjectStore(folder)

describe('what others have put below the prefix', () => {
  it.each(['index.html', '404.html', 'service/api/v1/forecasts.json', 'notes.txt'])(
    'is not written over by a first build: %s',
    async (path) => {
      await put(path, 'theirs')
      await expect(build(100)).rejects.toThrow(/holds objects that foreproof did not write/)
      expect(puts()).toEqual([])
      expect(await objects()).toEqual([path])
      expect(await (await get(path)).text()).toBe('theirs')
    },
  )

  it('stays when everything is written anew and after a build that was killed', async () => {
    await attempt('2026-01-01T00:00:00Z')
    await build(100)
    const theirs = [
      'btc/service/api/v1/forecasts/page-12482913075.json',
      'btc/build.json',
      'robots.txt',
      '.foreproof-uploads/notes',
      'service/api/v1/attempts/a b?c#d',
    ]
    for (const path of theirs) {
      await put(path.replaceAll('?', '%3F').replaceAll('#', '%23'), 'theirs')
    }
    await put('.foreproof-uploads/7', '{}')
    await build(100, { full: true })
    expect(await objects()).toEqual(expect.arrayContaining(theirs))
    expect((await walk()).ids).toEqual(await expected())
    expect((await faults()).every((fault) => fault.startsWith('site-file-unknown'))).toBe(true)
  })

  it('is not reached by a list that was forged', async () => {
    await build(100)
    const other = `${here.store.endpoint}/${BUCKET}/other-${here.prefix}/secret.json`
    await fetch(other, { method: 'PUT', body: 'theirs' })
    const record = JSON.parse(await (await get('build.json')).text())
    const name = `checksums-${record.generation}.txt`
    const up = `service/api/v1/attempts/../../../../../other-${here.prefix}/secret.json`
    const checksums = await (await get(name)).text()
    await put(name, `${checksums}${'0'.repeat(64)}  ${up}\n`)
    expect(await faults()).toContain(`site-file-differs s3://${BUCKET}/${here.prefix}/${up}`)
    await build(101)
    await build(103)
    expect(await (await fetch(other)).text()).toBe('theirs')
    expect((await walk()).ids).toEqual(await expected())
  })

  it('may be the empty object that a console makes for a folder', async () => {
    await put('', '')
    await build(100)
    expect(await faults()).toEqual([])
    expect(await objects()).toContain('')
  })
})

describe('a copy of the site', () => {
  it('is no folder whose pages can be kept: they have other names', async () => {
    await build(100)
    const out = join(folder, `copy-${here.prefix}`)
    for (const path of await objects()) {
      mkdirSync(dirname(join(out, path)), { recursive: true })
      writeFileSync(join(out, path), (await raw(path)).bytes)
    }
    const { plan } = await build(101, { out, inPlace: true, endpoint: undefined })
    expect(plan.keptPages).toBe(0)
    const pages = readdirSync(join(out, 'service/api/v1/forecasts')).filter((name) =>
      /json$/.test(name),
    )
    expect(pages.sort()).toEqual([
      'latest.json',
      ...[1, 2, 3, 4, 5].map((n) => `page-000${n}.json`),
    ])
  })
})

describe('a store that is none', () => {
  afterEach(() => remove('build.json'))

  it.each<[string, (method: string, url: string) => boolean, RegExp]>([
    [
      'answers a write with a fault and 200',
      (method) => method === 'PUT',
      /the store answers with 200 AccessDenied/,
    ],
    ['has no list', (_, url) => url.includes('list-type'), /with 200 AccessDenied/],
  ])('%s', async (_, meets, words) => {
    here.store.meddle = ({ method = '', url = '' }, response, pass) => {
      if (meets(method, url)) answer(response, 200, 'AccessDenied')
      else pass()
    }
    await expect(build(100)).rejects.toThrow(words)
    here.store.meddle = undefined
    expect(await objects()).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    ['a page for people', '<html>hello</html>', /is not a list of objects/],
    ['an empty list', '<ListBucketResult></ListBucketResult>', /is not in the list of objects/],
    [
      'a list without an end',
      '<ListBucketResult><NextContinuationToken>a</NextContinuationToken></ListBucketResult>',
      /is not a list of objects/,
    ],
  ])('answers with %s', async (_, body, words) => {
    here.store.meddle = ({ url = '' }, response, pass) => {
      if (url.includes('list-type')) response.end(body)
      else pass()
    }
    await expect(build(100)).rejects.toThrow(words)
    expect((await fetch(address('index.html'))).status).toBe(404)
  })
})
