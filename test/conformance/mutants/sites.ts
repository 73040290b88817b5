import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHECKSUMS_FILE, HEAD_FILE, LATEST_FILE, pageFile } from '../../../src/site/layout.js'
import { type Any, forEach, type Mutant, mutantsOf } from './mutant.js'
import { readJson } from './world.js'

const LONG_AGO = '2026-01-01T00:00:00Z'

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
const inFile =
  (path: string, change: (bytes: Buffer) => Buffer | string): Edit =>
  (folder) => {
    const file = join(folder, path)
    writeFileSync(file, change(readFileSync(file)))
  }
/** Changes a file of a site as text. */
const text = (path: string, change: (text: string) => string) =>
  inFile(path, (bytes) => change(bytes.toString()))
const renamed =
  (from: string, to: string): Edit =>
  (folder) =>
    renameSync(join(folder, from), join(folder, to))
const gone =
  (path: string): Edit =>
  (folder) =>
    rmSync(join(folder, path), { recursive: true })
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
const everyFile =
  (change: (body: Any) => unknown): Edit =>
  (folder) => {
    everyPage(change)(folder)
    latest(change)(folder)
  }
const next = (number: number, url: unknown) => page(number, (it) => (it.pagination.next_url = url))
/** The third page under another name, to which the fourth one leads. */
const called =
  (name: string): Edit =>
  (folder) => {
    renamed(pageFile(3), join(dirname(pageFile(3)), name))(folder)
    next(4, name)(folder)
  }
const exchange = (list: Any[], a: number, b: number) => ([list[a], list[b]] = [list[b], list[a]])

/** What can be wrong with the pages of a site of 480 forecasts: four full pages below a head of 80. */
export const SITE_MUTANTS: readonly Mutant<Edit>[] = mutantsOf<Edit>({
  'head-file': { 'no first page': gone(HEAD_FILE) },
  'latest-file': { 'no latest.json': gone(LATEST_FILE) },
  'body-json': {
    'a page cut short': text(pageFile(3), () => '{"api_version":'),
  },
  'api-version': {
    'a page of version 2': page(3, (it) => (it.api_version = 'v2')),
  },
  envelope: {
    'a page without pagination': page(3, (it) => delete it.pagination),
    'a latest.json without data': latest((it) => delete it.data),
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
    'a latest.json of another manifest': latest((it) => (it.data.lineage.manifest.more = 1)),
    'the newest row missing in the head': head((it) => it.data.shift()),
  },
  snapshot: {
    'a latest.json of another build': latest((it) => (it.snapshot_at = '2026-01-02T00:00:00Z')),
    'a page of a later build': page(2, (it) => (it.snapshot_at = '2099-01-01T00:00:00Z')),
  },
  'page-freshness': {
    'another observation in latest.json': latest((it) => (it.freshness.observed_at = LONG_AGO)),
    'another observation in the head': head((it) => (it.freshness.observed_at = LONG_AGO)),
    'another observation on a page': page(
      2,
      (it) => (it.freshness.observed_at = it.data[0].origin_at),
    ),
  },
  'freshness-age': {
    'another age in latest.json': latest((it) => (it.freshness.age_seconds += 100)),
    'another age in the head': head((it) => (it.freshness.age_seconds = 90_000)),
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
  },
  'page-full': {
    'a row missing in a page': page(3, (it) => it.data.splice(40, 1)),
    'a row missing in the oldest page': page(1, (it) => it.data.pop()),
    'the oldest page emptied': page(1, (it) => (it.data = [])),
    'page_size larger than the pages': everyPage((it) => (it.pagination.page_size = 200)),
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
    'a page of another name': called('older.json'),
    'a page number without zeros': called('page-3.json'),
    'an empty next_url': next(2, ''),
    'an empty next_url in the head': head((it) => (it.pagination.next_url = '')),
    'next_url to another host': next(2, `https://elsewhere.example/${pageFile(1)}`),
    'next_url with credentials': next(2, `https://user:secret@elsewhere.example/${pageFile(1)}`),
    'next_url to a script': next(2, 'javascript:alert(1)'),
    'next_url that is no address': next(2, 'http://['),
    'next_url with a query': next(2, 'page-0001.json?v=2'),
    'next_url with a fragment': next(2, 'page-0001.json#rows'),
    'next_url with an empty query': next(2, 'page-0001.json?'),
    'next_url out of the API': next(2, '../../../../index.html'),
  },
  'page-order': {
    'rows reversed': page(3, (it) => it.data.reverse()),
    'two rows exchanged': page(3, (it) => exchange(it.data, 4, 5)),
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
  'chain-complete': { 'a page that is gone': gone(pageFile(2)) },
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
    'a file that is gone': gone('index.html'),
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
    'a sealed page gone': gone(pageFile(1)),
    'another manifest on a sealed page': page(2, (it) => {
      it.data[7].lineage.manifest.manifest_version = 2
    }),
    'a manifest that lost a member': page(2, (it) => {
      it.data[7].lineage.manifest = { another: 1 }
    }),
  },
  'forecasts-kept': {
    'another price in the head': head((it) => (it.data[40].estimate.price_usd += 0.5)),
    'another interval in the head': head((it) => (it.data[40].interval.level = 0.9)),
    'a forecast of the head withdrawn': head((it) => it.data.splice(40, 1)),
    'the newest forecast withdrawn': (folder) => {
      head((it) => it.data.shift())(folder)
      latest((it) => (it.data = readJson(join(folder, HEAD_FILE)).data[0]))(folder)
    },
    'all of the head withdrawn': head((it, folder) => {
      it.data = readJson(join(folder, pageFile(4))).data
      it.pagination.next_url = 'forecasts/page-0003.json'
    }),
  },
  'not-older': {
    'a site that is older than its copy': everyFile((it) => {
      it.snapshot_at = new Date(Date.parse(it.snapshot_at) - 60_000).toISOString()
    }),
  },
})

const inLog = (path: string) => `service/api/v1/log/${path}`
const list = (change: (body: Any) => unknown) => edit(inLog('checkpoints.json'), change)
const flipped = (bytes: Buffer) => {
  bytes[40]! ^= 1
  return bytes
}
const OTHER_ROOT = Buffer.alloc(32, 7).toString('base64')

/** What can be wrong with the log of a site of 480 forecasts, sealed at 240 and, with a stamp, at 480. */
export const LOG_MUTANTS: readonly Mutant<Edit>[] = mutantsOf<Edit>({
  'log-checkpoint': {
    'a log without its newest checkpoint': gone(inLog('checkpoint')),
    'a page of HTML for a checkpoint': inFile(inLog('checkpoint'), () => '<!doctype html>'),
  },
  'log-list': {
    'a log without a list': gone(inLog('checkpoints.json')),
    'a list that is none': inFile(inLog('checkpoints.json'), () => '[]'),
    'a list of another log': list((it) => (it.origin = 'elsewhere')),
    'a list without the newest': list((it) => it.checkpoints.pop()),
    'a list in another order': list((it) => it.checkpoints.reverse()),
    'a list with a path for a name': list((it) => (it.checkpoints[1].authorities = ['../x'])),
    'a list of more than there is': list((it) => (it.checkpoints[0].size = 100)),
    'a listed checkpoint gone': gone(inLog('checkpoints/240')),
    'a listed checkpoint that is another': (folder) => {
      const at = (size: number) => join(folder, inLog(`checkpoints/${size}`))
      copyFileSync(at(480), at(240))
    },
  },
  'log-root': {
    'a checkpoint of another root': text(inLog('checkpoints/240'), (it) =>
      it.replace(/[^\n]+\n$/, `${OTHER_ROOT}\n`),
    ),
    'a leaf of the partial tile that is another': inFile(inLog('tile/0/001.p/224'), flipped),
  },
  'log-tiles': {
    'a leaf that is another': inFile(inLog('tile/0/000'), flipped),
    'a tile gone': gone(inLog('tile/0/000')),
    'a partial tile gone': gone(inLog('tile/0/001.p/224')),
    'a tile cut': inFile(inLog('tile/0/000'), (bytes) => bytes.subarray(0, 8000)),
    'an upper tile that is another': inFile(inLog('tile/1/000.p/1'), () => Buffer.alloc(32)),
  },
  'log-stamps': {
    'a stamp gone': gone(inLog('checkpoints/480.made.tsr')),
    'a stamp that is none': inFile(inLog('checkpoints/480.made.tsr'), () => 'x'),
    'a stamp of another checkpoint': (folder) => {
      const at = (size: number) => join(folder, inLog(`checkpoints/${size}.made.tsr`))
      copyFileSync(at(480), at(240))
      list((it) => (it.checkpoints[0].authorities = ['made']))(folder)
    },
  },
})
