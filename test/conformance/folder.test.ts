import { cpSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import { type CONFORMANCE_RULES, STATIC_RULES } from '../../src/contract/conformance-rules.js'
import { messageOf } from '../../src/contract/findings/finding.js'
import { openHistory } from '../../src/history/store/open.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { HEAD_FILE, LATEST_FILE, pageFile } from '../../src/site/layout.js'
import { publishSite } from '../../src/site/publish.js'
import { EPOCH, HOUR, temporaryFolder, writeProducer } from '../history/support.js'

const folder = temporaryFolder()
const sound = join(folder, 'sound')
let copies = 0

beforeAll(async () => {
  const rows = []
  for (let hour = 0; hour < 60; hour++) {
    for (const model of ['alpha', 'beta']) {
      for (const horizon of [2, 4, 8, 16]) rows.push({ hour, model, horizon, run: 'run' })
    }
  }
  const history = join(folder, 'history.sqlite')
  // The made rows state a change of 0.5 percent: let their prices say the same.
  writeProducer(history, rows)
  const db = openSqlite(history)
  db.exec(
    'UPDATE forecast_predictions SET predicted_change_pct = (predicted_price_usd / 50000.0 - 1) * 100',
  )
  db.close()
  const reader = openHistory(history)
  const settings = { baseUrl: undefined, inPlace: false, staleAfterSeconds: 10_800 }
  await publishSite({
    reader,
    out: join(folder, 'site'),
    now: (EPOCH + 60 * HOUR) * 1000,
    ...settings,
  })
  await reader.close()
  cpSync(realpathSync(join(folder, 'site')), sound, { recursive: true })
})

async function failing(dir: string, previous?: string): Promise<string[]> {
  const { verdicts, findings } = await checkDeployment(dir, { previous })
  for (const finding of findings) expect(messageOf(finding).text).toMatch(/^§\d/)
  return verdicts.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule)
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are broken on purpose
type Break = (body: any) => void

const edit = (path: string, change: Break) => (dir: string) => {
  const file = join(dir, path)
  const body = JSON.parse(readFileSync(file, 'utf8'))
  change(body)
  writeFileSync(file, JSON.stringify(body))
}
const page = (change: Break) => edit(pageFile(3), change)
const row = (change: Break) => page((body) => change(body.data[7]))

describe('a built site', { timeout: 30_000 }, () => {
  it('keeps every rule that a folder can show', async () => {
    const { verdicts } = await checkDeployment(sound, { previous: sound })
    expect(verdicts.map(({ rule }) => rule)).toEqual(STATIC_RULES)
    expect(verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  })

  const defects: readonly (readonly [
    string,
    keyof typeof CONFORMANCE_RULES,
    (dir: string) => void,
  ])[] = [
    ['no first page', 'head-file', (dir) => rmSync(join(dir, HEAD_FILE))],
    ['no latest.json', 'latest-file', (dir) => rmSync(join(dir, LATEST_FILE))],
    [
      'a page cut short',
      'body-json',
      (dir) => writeFileSync(join(dir, pageFile(3)), '{"api_version":'),
    ],
    [
      'a name twice in an object',
      'body-json',
      (dir) => {
        const file = join(dir, pageFile(3))
        writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"api_version":"v1",'))
      },
    ],
    ['another version', 'api-version', page((body) => (body.api_version = 'v2'))],
    ['no pagination', 'envelope', page((body) => delete body.pagination)],
    ['a field missing', 'resource-fields', row((forecast) => delete forecast.run)],
    ['a price as text', 'resource-fields', row((forecast) => (forecast.estimate.price_usd = '1'))],
    ['an id of another forecast', 'resource-id', row((forecast) => (forecast.forecast_id += '0'))],
    [
      'a time without offset',
      'resource-timestamps',
      row((forecast) => (forecast.target_at = forecast.target_at.slice(0, 19))),
    ],
    ['a horizon of zero', 'resource-horizon', row((forecast) => (forecast.horizon_hours = 0))],
    [
      'a target an hour off',
      'resource-target',
      row((forecast) => (forecast.target_at = forecast.target_at.replace(':00:00', ':30:00'))),
    ],
    ['crossing bounds', 'resource-interval', row((forecast) => (forecast.interval.upper_usd = 1))],
    ['a level of 80', 'resource-level', row((forecast) => (forecast.interval.level = 80))],
    [
      'an unexplained absence',
      'resource-confidence',
      row((forecast) => (forecast.confidence = { score: 0, label: 'unknown', evidence: {} })),
    ],
    [
      'a change of another price',
      'resource-change',
      row((forecast) => (forecast.estimate.change_pct = 7)),
    ],
    [
      'a key of another row',
      'resource-lineage',
      row((forecast) => (forecast.lineage.history_key.model_name = 'x')),
    ],
    [
      'a negative age',
      'freshness-fields',
      row((forecast) => (forecast.freshness.age_seconds = -5)),
    ],
    [
      'a fresh one older than a stale one',
      'freshness-classes',
      page((body) => (body.data[99].freshness.status = 'fresh')),
    ],
    [
      'an age of another time',
      'freshness-age',
      row((forecast) => (forecast.freshness.age_seconds += 4000)),
    ],
    ['two rows exchanged', 'page-order', page((body) => body.data.reverse())],
    [
      'pages in the wrong order',
      'page-order',
      (dir) => {
        const [a, b] = [2, 3].map((n) => JSON.parse(readFileSync(join(dir, pageFile(n)), 'utf8')))
        writeFileSync(join(dir, pageFile(3)), JSON.stringify({ ...a, pagination: b.pagination }))
        writeFileSync(join(dir, pageFile(2)), JSON.stringify({ ...b, pagination: a.pagination }))
      },
    ],
    [
      'a forecast on two pages',
      'each-once',
      (dir) => {
        const earlier = JSON.parse(readFileSync(join(dir, pageFile(4)), 'utf8'))
        page((body) => body.data.splice(0, 1, earlier.data[99]))(dir)
      },
    ],
    ['a page more than full', 'page-size', page((body) => (body.pagination.page_size = 50))],
    [
      'a latest that is not the newest',
      'latest-is-newest',
      edit(LATEST_FILE, (body) => {
        body.data = JSON.parse(readFileSync(join(sound, HEAD_FILE), 'utf8')).data[1]
      }),
    ],
    ['a latest of null', 'latest-null', edit(LATEST_FILE, (body) => (body.data = null))],
    [
      'heads of two builds',
      'snapshot',
      edit(LATEST_FILE, (body) => (body.snapshot_at = '2026-01-04T00:00:00Z')),
    ],
    [
      'the freshness of another origin',
      'page-freshness',
      edit(HEAD_FILE, (body) => (body.freshness.observed_at = '2026-01-01T00:00:00+00:00')),
    ],
    ['a page that is gone', 'chain-complete', (dir) => rmSync(join(dir, pageFile(2)))],
    [
      'a chain that leads back',
      'chain-ends',
      edit(pageFile(1), (body) => (body.pagination.next_url = `/${pageFile(3)}`)),
    ],
    [
      'a page that nobody leads to',
      'pages-reachable',
      (dir) => cpSync(join(dir, pageFile(1)), join(dir, pageFile(9))),
    ],
    [
      'a chain that ends early',
      'pages-reachable',
      page((body) => (body.pagination.next_url = null)),
    ],
    ['a file that was touched', 'checksums', (dir) => writeFileSync(join(dir, '404.html'), 'x')],
    [
      'a copy of something else',
      'encodings',
      (dir) => renameSync(join(dir, `${pageFile(1)}.gz`), join(dir, `${pageFile(2)}.gz`)),
    ],
    ['a copy that is none', 'encodings', (dir) => writeFileSync(join(dir, `${HEAD_FILE}.br`), 'x')],
  ]
  it.each(defects)('fails with %s: %s', async (_name, rule, damage) => {
    const copy = join(folder, `copy-${copies++}`)
    cpSync(sound, copy, { recursive: true })
    damage(copy)
    expect(await failing(copy)).toContain(rule)
  })

  it('fails when a sealed page is another than in an earlier copy', async () => {
    const copy = join(folder, `copy-${copies++}`)
    cpSync(sound, copy, { recursive: true })
    row((forecast) => (forecast.estimate.price_usd += 1))(copy)
    expect(await failing(copy, sound)).toContain('sealed-unchanged')
    expect(await failing(sound, sound)).toEqual([])
  })

  it('passes for an empty history', async () => {
    const history = join(folder, 'empty.sqlite')
    writeProducer(history, [])
    const reader = openHistory(history)
    const out = join(folder, 'empty')
    const settings = { baseUrl: undefined, inPlace: true, staleAfterSeconds: 10_800 }
    await publishSite({ reader, out, now: EPOCH * 1000, ...settings })
    await reader.close()
    expect(await failing(out)).toEqual([])
  })
})
