import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHECKSUMS_FILE, HEAD_FILE, LATEST_FILE, pageFile } from '../../../src/site/layout.js'
import { type Any, forEach, type Mutant, mutantsOf } from './mutant.js'
import { readJson } from './world.js'

/** Changes a file of a built site, and leaves nothing that would show it. */
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
/** Changes a file of a site as text. */
const text =
  (path: string, change: (text: string) => string): Edit =>
  (folder) => {
    const file = join(folder, path)
    writeFileSync(file, change(readFileSync(file, 'utf8')))
  }
const renamed =
  (from: string, to: string): Edit =>
  (folder) =>
    renameSync(join(folder, from), join(folder, to))
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
export const SITE_MUTANTS: readonly Mutant<Edit>[] = mutantsOf<Edit>({
  'head-file': {
    'no first page': (folder) => rmSync(join(folder, HEAD_FILE)),
  },
  'latest-file': {
    'no latest.json': (folder) => rmSync(join(folder, LATEST_FILE)),
  },
  'body-json': {
    'a page cut short': text(pageFile(3), () => '{"api_version":'),
    'NaN on a page': text(pageFile(3), (it) => it.replace(/"price_usd":[\d.]+/, '"price_usd":NaN')),
  },
  'api-version': {
    'a page of version 2': page(3, (it) => (it.api_version = 'v2')),
    'a page without version': page(3, (it) => delete it.api_version),
  },
  envelope: {
    'a page without pagination': page(3, (it) => delete it.pagination),
    'a page without snapshot_at': page(3, (it) => delete it.snapshot_at),
    'a page without page_size': page(3, (it) => delete it.pagination.page_size),
    'a page without next_url': page(3, (it) => delete it.pagination.next_url),
    'a latest.json without data': latest((it) => delete it.data),
    'page_size 0': page(3, (it) => (it.pagination.page_size = 0)),
    'next_url to latest.json': next(2, 'latest.json'),
    'next_url false': next(1, false),
  },
  'resource-timestamps': {
    'a naive snapshot_at': page(3, (it) => (it.snapshot_at = it.snapshot_at.slice(0, 19))),
  },
  'latest-null': {
    'a latest.json of null': latest((it) => (it.data = null)),
    'the head emptied': head((it) => (it.data = [])),
  },
  'latest-is-newest': {
    'a latest.json of the second forecast': latest(
      (it, folder) => (it.data = readJson(join(folder, HEAD_FILE)).data[1]),
    ),
    'a latest.json of another price': latest((it) => (it.data.estimate.price_usd += 0.5)),
    'the newest row missing in the head': head((it) => it.data.shift()),
  },
  snapshot: {
    'a latest.json of another build': latest((it) => (it.snapshot_at = '2026-01-02T00:00:00Z')),
    'a page of a later build': page(2, (it) => (it.snapshot_at = '2099-01-01T00:00:00Z')),
  },
  'page-freshness': {
    'another observation in latest.json': latest(
      (it) => (it.freshness.observed_at = '2026-01-01T00:00:00Z'),
    ),
    'another observation in the head': head(
      (it) => (it.freshness.observed_at = '2026-01-01T00:00:00Z'),
    ),
    'another observation on a page': page(
      2,
      (it) => (it.freshness.observed_at = it.data[0].origin_at),
    ),
  },
  'freshness-age': {
    'another age in latest.json': latest((it) => (it.freshness.age_seconds += 100)),
    'age 0 in the head': head((it) => (it.freshness.age_seconds = 90_000)),
    'all ages 0': everyPage((it) => {
      for (const row of it.data) row.freshness.age_seconds = 0
    }),
  },
  'freshness-classes': {
    'another status in latest.json': latest((it) => (it.freshness.status = 'stale')),
    'both statuses of latest.json others': latest((it) => {
      it.freshness.status = 'stale'
      it.data.freshness.status = 'stale'
    }),
    'an old page called fresh': page(1, (it) => {
      for (const row of it.data) row.freshness.status = 'fresh'
    }),
    'a fresh forecast called stale': head((it) => {
      for (const row of it.data.slice(0, 8)) row.freshness.status = 'stale'
    }),
  },
  'freshness-observed': {
    'all observed at the snapshot': everyPage((it) => {
      for (const row of it.data)
        Object.assign(row.freshness, { observed_at: it.snapshot_at, age_seconds: 0 })
    }),
  },
  'page-full': {
    'a row missing in a page': page(3, (it) => it.data.splice(40, 1)),
    'the last row of a page missing': page(3, (it) => it.data.pop()),
    'a row missing in the oldest page': page(1, (it) => it.data.pop()),
    'the oldest page emptied': page(1, (it) => (it.data = [])),
    'page_size larger than the pages': everyPage((it) => (it.pagination.page_size = 200)),
    'page_size larger than one page': page(3, (it) => (it.pagination.page_size = 500)),
  },
  'build-record': {
    'a row missing in the head': head((it) => it.data.splice(40, 1)),
  },
  'page-full chain-ends': {
    'a page emptied': page(3, (it) => (it.data = [])),
  },
  'page-size': {
    'page_size smaller than the pages': page(3, (it) => (it.pagination.page_size = 50)),
    'another page_size in the head': head((it) => (it.pagination.page_size = 90)),
  },
  'next-url': {
    'a page of another name': (folder) => {
      renamed(pageFile(3), join(dirname(pageFile(3)), 'older.json'))(folder)
      next(4, 'older.json')(folder)
    },
    'a page number without zeros': (folder) => {
      renamed(pageFile(3), join(dirname(pageFile(3)), 'page-3.json'))(folder)
      next(4, 'page-3.json')(folder)
    },
    'an empty next_url': next(2, ''),
    'an empty next_url in the head': head((it) => (it.pagination.next_url = '')),
    'next_url to another host': next(2, `https://elsewhere.example/${pageFile(1)}`),
    'next_url with credentials': next(2, `https://user:secret@elsewhere.example/${pageFile(1)}`),
    'next_url to a script': next(2, 'javascript:alert(1)'),
    'next_url that is no address': next(2, 'http://['),
    'next_url out of the API': next(2, '../../../../index.html'),
  },
  'page-order': {
    'rows reversed': page(3, (it) => it.data.reverse()),
    'two rows exchanged': page(3, (it) => exchange(it.data, 4, 5)),
    'by model before horizon': page(3, (it) =>
      it.data.sort(
        (a: Any, b: Any) =>
          b.origin_at.localeCompare(a.origin_at) || a.model.name.localeCompare(b.model.name),
      ),
    ),
    'pages in another order': (folder) => {
      const [a, b] = [2, 3].map((number) => readJson(join(folder, pageFile(number))))
      writeFileSync(join(folder, pageFile(3)), JSON.stringify({ ...a, pagination: b.pagination }))
      writeFileSync(join(folder, pageFile(2)), JSON.stringify({ ...b, pagination: a.pagination }))
    },
  },
  'each-once': {
    'a forecast twice on a page': page(3, (it) => it.data.splice(5, 1, it.data[4])),
    'a forecast on two pages': page(3, (it, folder) =>
      it.data.splice(0, 1, readJson(join(folder, pageFile(4))).data[99]),
    ),
    'one page twice': (folder) => {
      const { pagination } = readJson(join(folder, pageFile(2)))
      const copy = readJson(join(folder, pageFile(3)))
      writeFileSync(join(folder, pageFile(2)), JSON.stringify({ ...copy, pagination }))
    },
  },
  'chain-complete': {
    'a page that is gone': (folder) => rmSync(join(folder, pageFile(2))),
  },
  'chain-ends': {
    'a chain that leads back': next(1, 'page-0003.json'),
    'a chain that stays': next(2, 'page-0002.json'),
    'a chain that leads to the head': next(1, '../forecasts.json'),
  },
  'pages-reachable': {
    'a chain that skips a page': next(4, 'page-0002.json'),
    'a chain that ends early': next(3, null),
    'a head that is the only page': head((it) => (it.pagination.next_url = null)),
    'a page that no page leads to': (folder) =>
      cpSync(join(folder, pageFile(1)), join(folder, pageFile(9))),
  },
})

/** What can be wrong with a site without forecasts. */
export const EMPTY_SITE_MUTANTS: readonly Mutant<Edit>[] = mutantsOf<Edit>({
  'page-freshness': {
    'an empty head called fresh': head((it) => (it.freshness.status = 'fresh')),
    'an empty latest called fresh': latest((it) => (it.freshness.status = 'fresh')),
  },
})

/** What only the files show. */
export const FOLDER_MUTANTS: readonly Mutant<Edit>[] = mutantsOf<Edit>({
  checksums: {
    'a file that was touched': text('404.html', () => 'x'),
    'a file that is gone': (folder) => rmSync(join(folder, 'index.html')),
    'a checksum of a file outside': text(
      CHECKSUMS_FILE,
      (it) => `${it}${'0'.repeat(64)}  ../../etc/passwd\n`,
    ),
    'another checksum': text(CHECKSUMS_FILE, (it) =>
      it.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    ),
    ...forEach(
      [pageFile(2), `${pageFile(2)}.gz`, HEAD_FILE, LATEST_FILE],
      '%s missing from the checksums',
      (path) =>
        text(CHECKSUMS_FILE, (it) => {
          const lines = it.split('\n')
          return lines.filter((line) => !line.endsWith(`  ${path}`)).join('\n')
        }),
    ),
  },
  encodings: {
    'a compressed copy of something else': renamed(`${pageFile(1)}.gz`, `${pageFile(2)}.gz`),
    'a compressed copy that is none': text(`${HEAD_FILE}.br`, () => 'x'),
  },
  'build-record': {
    'another count in build.json': edit('build.json', (it) => (it.forecasts += 1)),
  },
})

/** What an earlier copy shows. */
export const LATER_MUTANTS: readonly Mutant<Edit>[] = mutantsOf<Edit>({
  'sealed-unchanged': {
    'another price on a sealed page': page(2, (it) => (it.data[7].estimate.price_usd += 0.5)),
    'another model on a sealed page': page(2, (it) => (it.data[7].model.configuration_id = 'x')),
    'a forecast gone from a sealed page': page(2, (it) => it.data.splice(7, 1)),
    'a sealed page gone': (folder) => rmSync(join(folder, pageFile(1))),
  },
})
