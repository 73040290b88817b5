import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HEAD_FILE, LATEST_FILE, pageFile } from '../../../src/site/layout.js'
import type { Any, Mutant } from './mutant.js'
import { readJson } from './world.js'

/** Changes a file of a built site, and leaves nothing that would tell so. */
export type Edit = (folder: string) => void

/** Changes a JSON file of a site. */
export const edit =
  (path: string, change: (body: Any, folder: string) => unknown): Edit =>
  (folder) => {
    const file = join(folder, path)
    const body = readJson(file)
    change(body, folder)
    writeFileSync(file, JSON.stringify(body))
  }
const head = (change: (body: Any, folder: string) => unknown) => edit(HEAD_FILE, change)
const latest = (change: (body: Any, folder: string) => unknown) => edit(LATEST_FILE, change)
const page = (number: number, change: (body: Any, folder: string) => unknown) =>
  edit(pageFile(number), change)
const everyPage =
  (change: (body: Any) => unknown): Edit =>
  (folder) => {
    for (const path of [HEAD_FILE, pageFile(1), pageFile(2), pageFile(3), pageFile(4)]) {
      edit(path, change)(folder)
    }
  }
const next = (number: number, url: unknown) => page(number, (it) => (it.pagination.next_url = url))
const exchange = (list: Any[], a: number, b: number) => ([list[a], list[b]] = [list[b], list[a]])

/** What can be wrong with the pages of a site of 480 forecasts: four full pages below a head of 80. */
export const SITE_MUTANTS: readonly Mutant<Edit>[] = [
  ['no first page', 'head-file', (folder) => rmSync(join(folder, HEAD_FILE))],
  ['no latest.json', 'latest-file', (folder) => rmSync(join(folder, LATEST_FILE))],
  [
    'a page cut short',
    'body-json',
    (folder) => writeFileSync(join(folder, pageFile(3)), '{"api_version":'),
  ],
  [
    'a name twice',
    'body-json',
    (folder) => {
      const file = join(folder, pageFile(3))
      writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"api_version":"v1",'))
    },
  ],
  [
    'NaN on a page',
    'body-json',
    (folder) => {
      const file = join(folder, pageFile(3))
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/"price_usd":[\d.]+/, '"price_usd":NaN'),
      )
    },
  ],
  ['a page of version 2', 'api-version', page(3, (it) => (it.api_version = 'v2'))],
  ['a page without version', 'api-version', page(3, (it) => delete it.api_version)],
  ['a latest.json without version', 'api-version', latest((it) => delete it.api_version)],
  ['a page without pagination', 'envelope', page(3, (it) => delete it.pagination)],
  ['a page without data', 'envelope', page(3, (it) => delete it.data)],
  ['a page without snapshot_at', 'envelope', page(3, (it) => delete it.snapshot_at)],
  ['a latest.json without snapshot_at', 'envelope', latest((it) => delete it.snapshot_at)],
  ['a page without freshness', 'envelope', page(3, (it) => delete it.freshness)],
  ['a latest.json without freshness', 'envelope', latest((it) => delete it.freshness)],
  ['a page without page_size', 'envelope', page(3, (it) => delete it.pagination.page_size)],
  ['a page without next_url', 'envelope', page(3, (it) => delete it.pagination.next_url)],
  [
    'a naive snapshot_at',
    'resource-timestamps',
    page(3, (it) => (it.snapshot_at = it.snapshot_at.slice(0, 19))),
  ],
  ['page_size as text', 'envelope', page(3, (it) => (it.pagination.page_size = '100'))],
  ['a latest.json without data', 'envelope', latest((it) => delete it.data)],
  ['a latest.json of null', 'latest-null', latest((it) => (it.data = null))],
  [
    'a latest.json of the second forecast',
    'latest-is-newest',
    latest((it, folder) => (it.data = readJson(join(folder, HEAD_FILE)).data[1])),
  ],
  [
    'a latest.json of an old forecast',
    'latest-is-newest',
    latest((it, folder) => (it.data = readJson(join(folder, pageFile(2))).data[5])),
  ],
  [
    'a latest.json of another price',
    'latest-is-newest',
    latest((it) => (it.data.estimate.price_usd += 0.5)),
  ],
  ['a latest.json of another run', 'latest-is-newest', latest((it) => (it.data.run.id = 'x'))],
  [
    'a latest.json of another build',
    'snapshot',
    latest((it) => (it.snapshot_at = '2026-01-02T00:00:00Z')),
  ],
  [
    'a page of a later build',
    'snapshot',
    page(2, (it) => (it.snapshot_at = '2099-01-01T00:00:00Z')),
  ],
  [
    'another observation in latest.json',
    'page-freshness',
    latest((it) => (it.freshness.observed_at = '2026-01-01T00:00:00Z')),
  ],
  [
    'another age in latest.json',
    'freshness-age',
    latest((it) => (it.freshness.age_seconds += 100)),
  ],
  [
    'another status in latest.json',
    'freshness-classes',
    latest((it) => (it.freshness.status = 'stale')),
  ],
  [
    'both statuses of latest.json others',
    'freshness-classes',
    latest((it) => {
      it.freshness.status = 'stale'
      it.data.freshness.status = 'stale'
    }),
  ],
  [
    'another observation in the head',
    'page-freshness',
    head((it) => (it.freshness.observed_at = '2026-01-01T00:00:00Z')),
  ],
  ['another age in the head', 'freshness-age', head((it) => (it.freshness.age_seconds += 100))],
  ['age 0 in the head', 'freshness-age', head((it) => (it.freshness.age_seconds = 90_000))],
  [
    'another status in the head',
    'freshness-classes',
    head((it) => (it.freshness.status = 'stale')),
  ],
  [
    'another observation on a page',
    'page-freshness',
    page(2, (it) => (it.freshness.observed_at = it.data[0].origin_at)),
  ],
  [
    'an old page called fresh',
    'freshness-classes',
    page(1, (it) => {
      for (const row of it.data) row.freshness.status = 'fresh'
    }),
  ],
  [
    'a fresh forecast called stale',
    'freshness-classes',
    head((it) => {
      for (const row of it.data.slice(0, 8)) row.freshness.status = 'stale'
    }),
  ],
  [
    'all ages 0',
    'freshness-age',
    everyPage((it) => {
      for (const row of it.data) row.freshness.age_seconds = 0
    }),
  ],
  [
    'ages in milliseconds',
    'freshness-age',
    everyPage((it) => {
      for (const row of it.data) row.freshness.age_seconds *= 1000
    }),
  ],
  [
    'all observed at the snapshot',
    'freshness-observed',
    everyPage((it) => {
      for (const row of it.data)
        Object.assign(row.freshness, { observed_at: it.snapshot_at, age_seconds: 0 })
    }),
  ],
  ['a row missing in a page', 'page-full', page(3, (it) => it.data.splice(40, 1))],
  ['the first row of a page missing', 'page-full', page(3, (it) => it.data.shift())],
  ['the last row of a page missing', 'page-full', page(3, (it) => it.data.pop())],
  ['a row missing in the oldest page', 'page-full', page(1, (it) => it.data.pop())],
  ['a row missing in the head', 'build-record', head((it) => it.data.splice(40, 1))],
  ['the newest row missing in the head', 'latest-is-newest', head((it) => it.data.shift())],
  ['a page emptied', ['page-full', 'chain-ends'], page(3, (it) => (it.data = []))],
  ['the oldest page emptied', 'page-full', page(1, (it) => (it.data = []))],
  ['the head emptied', 'latest-null', head((it) => (it.data = []))],
  [
    'page_size larger than the pages',
    'page-full',
    everyPage((it) => (it.pagination.page_size = 200)),
  ],
  ['page_size larger than one page', 'page-full', page(3, (it) => (it.pagination.page_size = 500))],
  [
    'page_size smaller than the pages',
    'page-size',
    page(3, (it) => (it.pagination.page_size = 50)),
  ],
  ['another page_size in the head', 'page-size', head((it) => (it.pagination.page_size = 90))],
  [
    'a page of another name',
    'next-url',
    (folder) => {
      renameSync(join(folder, pageFile(3)), join(folder, dirname(pageFile(3)), 'older.json'))
      next(4, 'older.json')(folder)
    },
  ],
  [
    'a page number without zeros',
    'next-url',
    (folder) => {
      renameSync(join(folder, pageFile(3)), join(folder, dirname(pageFile(3)), 'page-3.json'))
      next(4, 'page-3.json')(folder)
    },
  ],
  ['page_size 0', 'envelope', page(3, (it) => (it.pagination.page_size = 0))],
  ['rows reversed', 'page-order', page(3, (it) => it.data.reverse())],
  ['two rows exchanged', 'page-order', page(3, (it) => exchange(it.data, 4, 5))],
  [
    'by model before horizon',
    'page-order',
    page(3, (it) =>
      it.data.sort(
        (a: Any, b: Any) =>
          b.origin_at.localeCompare(a.origin_at) || a.model.name.localeCompare(b.model.name),
      ),
    ),
  ],
  [
    'pages in another order',
    'page-order',
    (folder) => {
      const [a, b] = [2, 3].map((number) => readJson(join(folder, pageFile(number))))
      writeFileSync(join(folder, pageFile(3)), JSON.stringify({ ...a, pagination: b.pagination }))
      writeFileSync(join(folder, pageFile(2)), JSON.stringify({ ...b, pagination: a.pagination }))
    },
  ],
  ['a forecast twice on a page', 'each-once', page(3, (it) => it.data.splice(5, 1, it.data[4]))],
  [
    'a forecast on two pages',
    'each-once',
    page(3, (it, folder) => it.data.splice(0, 1, readJson(join(folder, pageFile(4))).data[99])),
  ],
  [
    'one page twice',
    'each-once',
    (folder) => {
      const { pagination } = readJson(join(folder, pageFile(2)))
      const copy = readJson(join(folder, pageFile(3)))
      writeFileSync(join(folder, pageFile(2)), JSON.stringify({ ...copy, pagination }))
    },
  ],
  ['a page that is gone', 'chain-complete', (folder) => rmSync(join(folder, pageFile(2)))],
  ['a chain that leads back', 'chain-ends', next(1, 'page-0003.json')],
  ['a chain that stays', 'chain-ends', next(2, 'page-0002.json')],
  ['a chain that leads to the head', 'chain-ends', next(1, '../forecasts.json')],
  ['a chain that skips a page', 'pages-reachable', next(4, 'page-0002.json')],
  ['a chain that ends early', 'pages-reachable', next(3, null)],
  [
    'a head that is the only page',
    'pages-reachable',
    head((it) => (it.pagination.next_url = null)),
  ],
  [
    'a page that nobody leads to',
    'pages-reachable',
    (folder) => cpSync(join(folder, pageFile(1)), join(folder, pageFile(9))),
  ],
  ['an empty next_url', 'next-url', next(2, '')],
  ['an empty next_url in the head', 'next-url', head((it) => (it.pagination.next_url = ''))],
  ['a next_url of spaces', 'next-url', next(2, '  ')],
  ['next_url to another host', 'next-url', next(2, `https://elsewhere.example/${pageFile(1)}`)],
  [
    'next_url with credentials',
    'next-url',
    next(2, `https://user:secret@elsewhere.example/${pageFile(1)}`),
  ],
  ['next_url to a script', 'next-url', next(2, 'javascript:alert(1)')],
  ['next_url to a local file', 'next-url', next(2, 'file:///etc/passwd')],
  ['next_url that is no address', 'next-url', next(2, 'http://[')],
  ['next_url to latest.json', 'envelope', next(2, 'latest.json')],
  ['next_url out of the API', 'next-url', next(2, '../../../../index.html')],
  ['next_url false', 'envelope', next(1, false)],
]

/** What can be wrong with a site without forecasts. */
export const EMPTY_SITE_MUTANTS: readonly Mutant<Edit>[] = [
  ['an empty head called fresh', 'page-freshness', head((it) => (it.freshness.status = 'fresh'))],
  [
    'an empty latest called fresh',
    'page-freshness',
    latest((it) => (it.freshness.status = 'fresh')),
  ],
]

/** What only the files show. */
export const FOLDER_MUTANTS: readonly Mutant<Edit>[] = [
  [
    'a file that was touched',
    'checksums',
    (folder) => writeFileSync(join(folder, '404.html'), 'x'),
  ],
  ['a file that is gone', 'checksums', (folder) => rmSync(join(folder, 'index.html'))],
  [
    'a checksum of a file outside',
    'checksums',
    (folder) => {
      const file = join(folder, 'checksums.txt')
      writeFileSync(file, `${readFileSync(file, 'utf8')}${'0'.repeat(64)}  ../../etc/passwd\n`)
    },
  ],
  ...[pageFile(2), `${pageFile(2)}.gz`, HEAD_FILE, LATEST_FILE].map(
    (path): Mutant<Edit> => [
      `${path} missing from the checksums`,
      'checksums',
      (folder) => {
        const file = join(folder, 'checksums.txt')
        const lines = readFileSync(file, 'utf8').split('\n')
        writeFileSync(file, lines.filter((line) => !line.endsWith(`  ${path}`)).join('\n'))
      },
    ],
  ),
  [
    'another checksum',
    'checksums',
    (folder) => {
      const file = join(folder, 'checksums.txt')
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      )
    },
  ],
  [
    'a compressed copy of something else',
    'encodings',
    (folder) => renameSync(join(folder, `${pageFile(1)}.gz`), join(folder, `${pageFile(2)}.gz`)),
  ],
  [
    'a compressed copy that is none',
    'encodings',
    (folder) => writeFileSync(join(folder, `${HEAD_FILE}.br`), 'x'),
  ],
  ['another count in build.json', 'build-record', edit('build.json', (it) => (it.forecasts += 1))],
]

/** What an earlier copy shows. */
export const LATER_MUTANTS: readonly Mutant<Edit>[] = [
  [
    'another price on a sealed page',
    'sealed-unchanged',
    page(2, (it) => (it.data[7].estimate.price_usd += 0.5)),
  ],
  [
    'another model on a sealed page',
    'sealed-unchanged',
    page(2, (it) => (it.data[7].model.configuration_id = 'x')),
  ],
  ['a forecast gone from a sealed page', 'sealed-unchanged', page(2, (it) => it.data.splice(7, 1))],
  ['a sealed page gone', 'sealed-unchanged', (folder) => rmSync(join(folder, pageFile(1)))],
]
