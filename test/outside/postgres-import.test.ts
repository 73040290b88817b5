import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { sealHistory } from '../../src/history/seal.js'
import { verifyHistory } from '../../src/history/verify.js'
import { pullHistory } from '../../src/mirror/pull.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import { initHistory, openHistoryWriter } from '../../src/store/open.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { allOf, EPOCH, HOUR, inBatches, opened } from '../history/support.js'
import { LOG, seal } from '../log/sealed.js'
import { buildSite } from '../site/build-site.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN, foreproof } from '../support/run.js'
import { eventually } from '../support/service/serve.js'
import { startPostgres } from './servers.js'

const NOW = (EPOCH + 5000 * HOUR) * 1000
const folder = temporaryFolder()
const server = await startPostgres()
let files = 0

async function freshHistory(): Promise<string> {
  const url = server.database()
  await initHistory(url)
  return url
}

function fileOf(values: readonly unknown[]): string {
  const path = join(folder, `${++files}.ndjson`)
  writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  return path
}

/** Forecasts of `hours` origins, four each, that say this price. */
function forecasts(hours: number, price: number) {
  const all = []
  for (let n = 0; n < hours * 4; n++) {
    const row = sample({ hour: Math.floor(n / 4), horizon: 1 + (n % 4), model: 'ἄλφα 𝛼' })
    all.push({ ...row, estimate: { price_usd: price, change_pct: price / 500 - 100 } })
  }
  return all
}

async function contentOf(path: string) {
  const reader = opened(path)
  const lines = await allOf(exportLines(path))
  const entries = await inBatches(reader.logEntries(0, 1e9))
  const logs = await reader.logs()
  return { lines, entries, logs }
}

describe('history import into PostgreSQL', () => {
  /** New rows, the same again near and far, others under a key that is taken, attempts, and rows kept whole. */
  function mixed(): unknown[] {
    const rows = forecasts(400, 50_000)
    return rows.flatMap((row, n) => {
      const again = rows[n - (n % 7) * 150]
      const other = { ...row, estimate: { price_usd: 50_001, change_pct: 0.002 } }
      const attempt = sampleAttempt({ hour: n, model: n % 2 === 0 ? 'ἄλφα 𝛼' : 'b', horizon: 1 })
      const whole = { ...row, lineage: { ...row.lineage, note: n } }
      return [
        n % 13 === 0 ? whole : row,
        ...(n % 5 === 0 && again !== undefined ? [again] : []),
        ...(n % 11 === 0 ? [other] : []),
        ...(n % 9 === 0 ? [attempt] : []),
        ...(n % 27 === 0 ? [{ ...attempt, reason: 'other' }] : []),
      ]
    })
  }

  it.each([undefined, 160])(
    'comes to what it does in SQLite (batches of %s rows)',
    async (batchRows) => {
      const values = mixed()
      const paths = [join(folder, `like-${batchRows}.sqlite`), await freshHistory()]
      const results = []
      for (const path of paths) {
        const half = values.slice(0, values.length / 2)
        const first = await importFiles(path, [fileOf(half)], { now: NOW, batchRows })
        const second = await importFiles(path, [fileOf(values)], { now: NOW, batchRows })
        const findings = [...first.findings, ...second.findings].map(
          ({ file, ...finding }) => finding,
        )
        results.push([{ ...first, findings: [] }, { ...second, findings: [] }, findings])
      }
      expect(results[1]).toEqual(results[0])
      expect(results[0]?.[2]).not.toEqual([])
      expect(await contentOf(paths[1] ?? '')).toEqual(await contentOf(paths[0] ?? ''))
    },
  )

  it('keeps the first of two imports at once, whole, and one order of the log', async () => {
    const history = await freshHistory()
    const lines = [50_001, 50_002].map((price) => fileOf(forecasts(500, price)))
    const ran = await Promise.all(
      lines.map((file) =>
        foreproof(['history', 'import', file, '--history', history, '--format', 'json']),
      ),
    )
    const written = ran.map(({ stdout }) => JSON.parse(stdout).written).sort((a, b) => a - b)
    expect(written).toEqual([0, 2000])
    const conflicts = ran.map(({ stdout }) => JSON.parse(stdout).forecasts.conflicts)
    expect(conflicts.sort((a, b) => a - b)).toEqual([0, 2000])
    const { lines: kept, entries } = await contentOf(history)
    expect(new Set(kept.map((line) => JSON.parse(line).estimate.price_usd)).size).toBe(1)
    expect(entries.map(({ index }) => index)).toEqual([...Array(2000).keys()])
    expect((await verifyHistory(history)).findings).toEqual([])
  })

  it('lets other writers wait, but not for ever', async () => {
    const history = await freshHistory()
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(() => openHistoryWriter(history, NOW)),
    )
    await first?.begin()
    const late = [second, third].map((writer) =>
      expect(writer?.begin()).rejects.toMatchObject({ code: 'unavailable' }),
    )
    await Promise.all(late)
    await third?.close()
    const goesOn = second?.begin().then(() => 'went on')
    await first?.commit()
    expect(await goesOn).toBe('went on')
    await first?.close()
    await second?.close()
  })

  it('leaves nothing of an import that is killed', async () => {
    const history = await freshHistory()
    const child = spawn(process.execPath, [BIN, 'history', 'import', '-', '--history', history])
    const text = forecasts(2000, 50_000).map((row) => `${JSON.stringify(row)}\n`)
    child.stdin.on('error', () => {})
    child.stdin.write(text.join(''))
    const waiting = `SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'foreproof' AND state = 'idle in transaction' AND query LIKE 'COPY%'`
    await eventually(() => server.sql(waiting) === '1')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await contentOf(history)).toEqual({ lines: [], entries: [], logs: [] })
    const values = forecasts(10, 50_000)
    expect((await importResources(history, values, { now: NOW })).written).toBe(40)
    expect((await verifyHistory(history)).findings).toEqual([])
  })

  it('names a row that PostgreSQL cannot hold, and writes none', async () => {
    const history = await freshHistory()
    const odd = sample({ hour: 1 })
    const { lineage } = odd
    const { source } = lineage
    const values: [string, unknown][] = [
      ['source_name', { ...odd, lineage: { ...lineage, source: { ...source, name: 'a\0b' } } }],
      ['model', sample({ hour: 1, model: 'm'.repeat(3000) })],
    ]
    for (const [column, value] of values) {
      const { findings, written } = await importResources(history, [sample(), value], { now: NOW })
      expect(written).toBe(0)
      expect(findings).toMatchObject([{ code: 'row-refused' }])
      expect(JSON.stringify(findings)).toContain(column)
    }
    expect((await contentOf(history)).lines).toEqual([])
  })
})

describe('history seal and pull with PostgreSQL', () => {
  it('mirrors a site with its log, and seals, as SQLite does', async () => {
    const origin = await freshHistory()
    const values = [...forecasts(80, 50_000), sampleAttempt({ hour: 2, model: 'late' })]
    await importResources(origin, values, { now: NOW })
    expect(await sealHistory(origin, { log: LOG })).toMatchObject({ size: 321, sealed: 321 })
    await seal(origin)
    const site = join(folder, 'site')
    await buildSite(origin, site, NOW)
    const mirrors = [join(folder, 'mirror.sqlite'), await freshHistory()]
    const contents = []
    for (const path of mirrors) {
      const pull = () => pullHistory({ deployment: folderDeployment(site), path, now: NOW })
      const first = await pull()
      expect(first).toMatchObject({ findings: [], written: 321, complete: true })
      expect(first.log).toMatchObject({ entries: 321, newCheckpoints: 1 })
      expect(await pull()).toMatchObject({ findings: [], written: 0, complete: true })
      expect(await sealHistory(path, { log: 'example.org/mirror' })).toMatchObject({ appended: 0 })
      expect((await verifyHistory(path)).findings).toEqual([])
      const reader = opened(path)
      const mirrored = await inBatches(reader.logEntries(0, 1e9, LOG))
      contents.push({ ...(await contentOf(path)), mirrored })
    }
    expect(contents[1]).toEqual(contents[0])
    expect(contents[1]?.lines).toEqual((await contentOf(origin)).lines)
  })
})
