import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyHistory } from '../../src/history/copy.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { sealHistory } from '../../src/history/seal.js'
import { verifyHistory } from '../../src/history/verify.js'
import { pullHistory } from '../../src/mirror/pull.js'
import { folderDeployment } from '../../src/remote/deployment.js'
import { initHistory, openHistoryWriter } from '../../src/store/open.js'
import { makeWorld, NOW, type World } from '../evaluation/world.js'
import { sample, sampleAttempt, samples } from '../history/samples.js'
import { allOf, alter, EPOCH, inBatches, inTransaction, opened, stamp } from '../history/support.js'
import { seal, stamperOf } from '../log/sealed.js'
import { at, buildSite } from '../site/build-site.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN, foreproof } from '../support/run.js'
import { eventually } from '../support/service/serve.js'
import { filesIn } from '../time/stamped-folder.js'
import { expectHidden } from './postgres-history.js'
import { ROLE, startPostgres } from './servers.js'

const PROVENANCE = { input_available_at: stamp(EPOCH), vintage_id: 'naïve 源' }

const folder = temporaryFolder()
const server = await startPostgres()

async function freshHistory(): Promise<string> {
  const url = server.database()
  await initHistory(url)
  return url
}

let world: World
let there = ''
let back = ''

beforeAll(async () => {
  world = await makeWorld({ replicates: 500 })
  const { history } = world.paths
  await addOtherRows(history)
  await seal(history, [await stamperOf('tsa.example')])
  await inTransaction(openHistoryWriter(history, NOW), (writer) =>
    writer.note('pull somewhere', '{"a":1}'),
  )
  there = server.database()
  back = join(world.folder, 'back.sqlite')
  await copyHistory(history, there, { now: NOW })
  await copyHistory(there, back, { now: NOW })
})

/** Rows of every sort beside those of the world: attempts, provenance, resources kept whole, microseconds, a regime. */
async function addOtherRows(history: string): Promise<void> {
  const [plain, whole] = [sample({ hour: 3, model: 'Ünïcode 模型' }), sample({ hour: 4 })]
  const exact = JSON.stringify(sample({ hour: 5 })).replaceAll(/(T0[57]:00:00)\+/g, '$1.000001+')
  const values = [
    { ...plain, lineage: { ...plain.lineage, provenance: PROVENANCE } },
    { ...whole, lineage: { ...whole.lineage, note: 'beyond the columns' } },
    JSON.parse(exact),
    sampleAttempt({ hour: 3, model: 'late' }),
    { ...sampleAttempt({ hour: 6 }), provenance: PROVENANCE },
  ]
  const { findings, written } = await importResources(history, values, { now: NOW - 1 })
  expect(findings).toEqual([])
  expect(written).toBe(values.length)
  alter(
    history,
    `UPDATE forecast_origins SET regime = 'calm', last_seen_at = '2026-05-05T05:05:05.123456+00:00'
    WHERE origin_at > '2026-01-01T03'`,
  )
}

/** Everything a history holds, by way of its reader. */
async function contentOf(path: string) {
  const reader = opened(path)
  return {
    lines: (await allOf(exportLines(path))).join(''),
    rows: await inBatches(reader.pairingRows()),
    origins: await inBatches(reader.origins()),
    regimes: await reader.regimes({}),
    notes: await reader.notes(),
    runs: await reader.page({ filters: { runId: 'run-1' }, limit: 99 }),
    log: await reader.log(),
    entries: await inBatches(reader.logEntries(0, 1e9)),
    checkpoints: await allOf(reader.checkpoints()),
  }
}

describe('a history copied to PostgreSQL and back', () => {
  it('holds the same, down to the log with its checkpoints and stamps', async () => {
    const before = await contentOf(world.paths.history)
    expect(before.checkpoints).toMatchObject([{ stamps: [{ authority: 'tsa.example' }] }])
    expect(before.notes).toEqual(new Map([['pull somewhere', '{"a":1}']]))
    expect(before.lines).toContain('05:00:00.000001+00:00')
    expect(await contentOf(there)).toEqual(before)
    expect(await contentOf(back)).toEqual(before)
    const written = (path: string) => foreproof(['history', 'export', '--history', path])
    const [file, server] = [await written(world.paths.history), await written(there)]
    expect([server.code, server.stdout]).toEqual([0, file.stdout])
    expectHidden(server.stderr)
  })

  it('verifies, and has nothing new to seal', async () => {
    for (const path of [there, back]) {
      const { findings, ...verified } = await verifyHistory(path)
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(verified.attempts).toBe(2)
      expect(await sealHistory(path)).toMatchObject({ appended: 0, sealed: 0, left: 0 })
    }
  })

  it('is not put upon another one, and nothing is left of what cannot be carried', async () => {
    await expect(copyHistory(world.paths.history, there, { now: NOW })).rejects.toThrow('already')
    await expect(copyHistory(there, back, { now: NOW })).rejects.toThrow('already')
    const ran = await foreproof(['history', 'copy', back, there])
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('already') })
    expectHidden(ran.stderr)
    expect(await contentOf(there)).toEqual(await contentOf(world.paths.history))
    const broken = join(world.folder, 'broken.sqlite')
    await copyHistory(back, broken, { now: NOW })
    alter(broken, `UPDATE foreproof_attempts SET reason = x'61' WHERE model_name = 'late'`)
    const elsewhere = `${server.database()}?schema=other`
    const { findings } = await copyHistory(broken, elsewhere, { now: NOW })
    const [row, detail] = ['late', 'reason'].map((text) => expect.stringContaining(text))
    const args = { fault: 'copy', row, detail }
    expect(findings).toMatchObject([{ code: 'row-refused', args }])
    await initHistory(elsewhere)
    const reader = opened(elsewhere)
    expect(await reader.extent()).toBeUndefined()
    expect(await inBatches(reader.origins())).toEqual([])
  })

  it('is found where a hash that it keeps of its log is another', async () => {
    const url = await freshHistory()
    await importResources(url, samples(0, 300), { now: NOW })
    const zeros = `decode(repeat('00', 32), 'hex')`
    server.sql(`UPDATE foreproof.log_subtrees SET hash = ${zeros}`, new URL(url).pathname.slice(1))
    const { findings } = await verifyHistory(url)
    const args = { fault: 'hash', first: 0, last: 255 }
    expect(findings).toMatchObject([{ code: 'log-kept', args }])
  })
})

it('history init names the right that is missing, which is enough', async () => {
  const url = server.database()
  const database = new URL(url).pathname.slice(1)
  server.sql(`ALTER DATABASE ${database} OWNER TO admin`, database)
  const refused = await foreproof(['history', 'init', url])
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain('CREATE on the database')
  expectHidden(refused.stderr)
  server.sql(`GRANT CREATE ON DATABASE ${database} TO ${ROLE}`, database)
  expect(await foreproof(['history', 'init', url])).toMatchObject({ code: 0, stderr: '' })
})

describe('a command on a history in PostgreSQL', () => {
  it('scores with the same result, and shows no password', async () => {
    const results = []
    for (const history of [world.paths.history, there]) {
      const cwd = join(folder, `scored-${results.length}`)
      cpSync(world.folder, cwd, { recursive: true })
      const inputs = ['--registration', 'registration.json', '--outcomes', 'vintage']
      const line = ['score', ...inputs, '--history', history, '--out', 'evidence']
      const { code, stdout, stderr } = await foreproof(line, { cwd })
      expect([code, stderr]).toEqual([0, ''])
      const files = filesIn(join(cwd, 'evidence'))
      expectHidden(stdout, ...Object.values(files))
      const { result_sha256 } = JSON.parse(files['result.json'] ?? '{}')
      expect(result_sha256).toMatch(/^[0-9a-f]{64}$/)
      results.push([result_sha256, files['pairs.ndjson.gz']])
    }
    expect(results[1]).toEqual(results[0])
  })

  it('publishes the same site, and mirrors it with its log', async () => {
    const [made, url] = [join(folder, 'made.sqlite'), server.database()]
    const values = [...forecasts(80, 50_000), sampleAttempt({ hour: 2, model: 'late' })]
    await importResources(made, values, { now: NOW })
    await seal(made)
    const copied = await foreproof(['history', 'copy', made, url])
    expect(copied, copied.stderr).toMatchObject({ code: 0 })
    expectHidden(copied.stdout, copied.stderr)
    const sites = ['of-sqlite', 'of-postgres'].map((name) => join(folder, name))
    for (const [n, site] of sites.entries()) await buildSite([made, url][n] ?? '', site, at(5000))
    const [one = {}, other = {}] = sites.map((site) => filesIn(realpathSync(site)))
    expect(Object.keys(other)).toEqual(Object.keys(one))
    // The record of a build has the store's own words for the last attempt.
    const others = Object.keys(one).filter((path) => one[path] !== other[path])
    expect(others.sort()).toEqual(['build.json', 'checksums.txt'])

    const contents = []
    for (const path of [join(folder, 'mirror.sqlite'), await freshHistory()]) {
      const deployment = folderDeployment(sites[1] ?? '')
      const pull = () => pullHistory({ deployment, path, now: at(5000) })
      const first = await pull()
      expect(first).toMatchObject({ findings: [], written: 321, complete: true })
      expect(first.log).toMatchObject({ entries: 321, newEntries: 321 })
      expect(await pull()).toMatchObject({ findings: [], written: 0, complete: true })
      expect(await sealHistory(path, { log: 'example.org/mirror' })).toMatchObject({ appended: 0 })
      expect((await verifyHistory(path)).findings).toEqual([])
      contents.push(await contentOf(path))
    }
    expect(contents[0]?.log).toMatchObject({ name: 'example.org/mirror', size: 321 })
    expect({ ...contents[1], notes: 0 }).toEqual({ ...contents[0], notes: 0 })
    expect(contents[1]?.lines).toEqual((await contentOf(url)).lines)
  })
})

let files = 0

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

describe('history import into PostgreSQL', () => {
  /** New rows, the same again near and far, others under a key that is taken, attempts, and rows kept whole. */
  function mixed(): unknown[] {
    const rows = forecasts(250, 50_000)
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
      const paths = [join(folder, `like-${batchRows}.sqlite`), await freshHistory()] as const
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
      expect(await contentOf(paths[1])).toEqual(await contentOf(paths[0]))
    },
  )

  it('keeps the first of two imports at once, whole, and one order of the log', async () => {
    const history = await freshHistory()
    const lines = [50_001, 50_002].map((price) => fileOf(forecasts(500, price)))
    const line = (file: string) => ['history', 'import', file, '--history', history]
    const ran = await Promise.all(
      lines.map((file) => foreproof([...line(file), '--format', 'json'])),
    )
    const counts = ran.map(({ stdout }) => {
      const { written, forecasts } = JSON.parse(stdout)
      return `${written} ${forecasts.conflicts}`
    })
    expect(counts.sort()).toEqual(['0 2000', '2000 0'])
    const { lines: kept, entries } = await contentOf(history)
    const prices = kept.match(/"price_usd":5000[12]\b/g)
    expect([prices?.length, new Set(prices).size]).toEqual([2000, 1])
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
    // Rows that are not committed take space already.
    const written = "SELECT pg_relation_size('foreproof.forecasts') > 0"
    const database = new URL(history).pathname.slice(1)
    await eventually(() => server.sql(written, database) === 't')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await contentOf(history)).toMatchObject({
      lines: '',
      rows: [],
      log: undefined,
      entries: [],
    })
    const values = forecasts(10, 50_000)
    expect((await importResources(history, values, { now: NOW })).written).toBe(40)
    expect((await verifyHistory(history)).findings).toEqual([])
  })

  it('names a row that PostgreSQL cannot hold, and writes none', async () => {
    const history = await freshHistory()
    const odd = sample({ hour: 1 })
    Object.assign(odd.lineage.source, { name: 'a\0b' })
    const values: [string, unknown][] = [
      ['source_name', odd],
      ['model', sample({ hour: 1, model: 'm'.repeat(3000) })],
    ]
    for (const [column, value] of values) {
      const { findings, written } = await importResources(history, [sample(), value], { now: NOW })
      expect(written).toBe(0)
      expect(findings).toMatchObject([{ code: 'row-refused' }])
      expect(JSON.stringify(findings)).toContain(column)
    }
    expect((await contentOf(history)).lines).toBe('')
  })
})
