import { cpSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyHistory } from '../../src/history/copy.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { rootAt, sealHistory } from '../../src/history/seal.js'
import { verifyHistory } from '../../src/history/verify.js'
import { checkpointBody } from '../../src/log/checkpoint.js'
import { initHistory, openHistoryWriter } from '../../src/store/open.js'
import { makeWorld, NOW, type World } from '../evaluation/world.js'
import { sample, sampleAttempt, samples } from '../history/samples.js'
import { allOf, alter, EPOCH, inBatches, inTransaction, opened, stamp } from '../history/support.js'
import { seal, stamperOf } from '../log/sealed.js'
import { buildSite } from '../site/build-site.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, type Ran } from '../support/run.js'
import { makeHistory } from '../support/service/history.js'
import { filesIn } from '../time/stamped-folder.js'
import { expectHidden } from './postgres-history.js'
import { ROLE, startPostgres } from './servers.js'

const MIRRORED = 'example.org/mirrored'
const PROVENANCE = { input_available_at: stamp(EPOCH), vintage_id: 'naïve 源' }

const folder = temporaryFolder()
const server = await startPostgres()
let world: World
let there = ''
let back = ''
/** The same rows, by the name of their store. */
const histories = { sqlite: '', postgres: '' }
type Store = keyof typeof histories
const STORES = Object.keys(histories) as Store[]

beforeAll(async () => {
  world = await makeWorld({ replicates: 500 })
  const { history } = world.paths
  await addOtherRows(history)
  await seal(history, [await stamperOf('tsa.example')])
  await addMirroredLog(history)
  there = server.database()
  back = join(world.folder, 'back.sqlite')
  await copyHistory(history, there, { now: NOW })
  await copyHistory(there, back, { now: NOW })
  Object.assign(histories, { sqlite: history, postgres: there })
})

/** Rows of every sort beside those of the world: attempts, provenance, resources kept whole, microseconds, a regime. */
async function addOtherRows(history: string): Promise<void> {
  const plain = sample({ hour: 3, model: 'Ünïcode 模型' })
  const { lineage } = sample({ hour: 4 })
  const whole = { ...sample({ hour: 4 }), lineage: { ...lineage, note: 'beyond the columns' } }
  const micros = '2026-01-01T05:00:00.000001+00:00'
  const exact = JSON.parse(
    JSON.stringify(sample({ hour: 5 })).replaceAll('2026-01-01T05:00:00+00:00', micros),
  )
  exact.target_at = '2026-01-01T07:00:00.000001+00:00'
  const values = [
    { ...plain, lineage: { ...plain.lineage, provenance: PROVENANCE } },
    whole,
    exact,
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

async function addMirroredLog(history: string): Promise<void> {
  const reader = opened(history)
  const rows = await inBatches(reader.logEntries(0, 3))
  await inTransaction(openHistoryWriter(history, NOW), async (writer) => {
    for (const { index, leaf, key } of rows) {
      await writer.appendLeaf({ leaf, key: index === 1 ? undefined : key }, MIRRORED)
    }
    const root = await rootAt(writer, 2, MIRRORED)
    const body = checkpointBody({ origin: MIRRORED, size: 2, root })
    await writer.addCheckpoint(2, body, MIRRORED)
    for (const name of ['a.example', 'b.example']) {
      const stamp = await stamperOf(name)
      await writer.addCheckpointStamp(2, await stamp(Buffer.from(body)), MIRRORED)
    }
    await writer.note('pull somewhere', '{"a":1}')
  })
}

/** Everything a history holds, by way of its reader. */
async function contentOf(path: string) {
  const reader = opened(path)
  const logs = await reader.logs()
  const read = async (log: string | undefined) => ({
    entries: await inBatches(reader.logEntries(0, 1e9, log)),
    checkpoints: await allOf(reader.checkpoints(log)),
  })
  return {
    lines: (await allOf(exportLines(path))).join(''),
    rows: await inBatches(reader.pairingRows()),
    origins: await inBatches(reader.origins()),
    regimes: await reader.regimes({}),
    notes: await reader.notes(),
    runs: await reader.page({ filters: { runId: 'run-1' }, limit: 99 }),
    logs,
    content: await Promise.all(logs.map(({ name, own }) => read(own ? undefined : name))),
  }
}

describe('a history copied to PostgreSQL and back', () => {
  it('holds the same, down to the logs with their checkpoints and stamps', async () => {
    const before = await contentOf(world.paths.history)
    expect(before.logs.map(({ own, size }) => own || size)).toEqual([true, 3])
    expect(before.notes).toEqual(new Map([['pull somewhere', '{"a":1}']]))
    expect(before.lines).toContain('05:00:00.000001+00:00')
    expect(await contentOf(there)).toEqual(before)
    expect(await contentOf(back)).toEqual(before)
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
    const url = server.database()
    await initHistory(url)
    await importResources(url, samples(0, 300), { now: NOW })
    server.sql(
      `UPDATE foreproof.log_subtrees SET hash = decode(repeat('00', 32), 'hex')`,
      new URL(url).pathname.slice(1),
    )
    const { findings } = await verifyHistory(url)
    const args = { fault: 'hash', log: 'the log', first: 0, last: 255 }
    expect(findings).toMatchObject([{ code: 'log-kept', args }])
  })
})

async function copied(from: string, to: string): Promise<void> {
  const ran = await foreproof(['history', 'copy', from, to])
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
  expectHidden(ran.stdout, ran.stderr)
}

/** Runs a command in a folder of its own for each store; nothing it says or writes has the password. */
async function onBoth(line: (store: Store) => readonly string[]) {
  const all: { ran: Ran; files: Readonly<Record<string, string>> }[] = []
  for (const store of STORES) {
    const cwd = join(folder, `${store}-${Math.random()}`)
    cpSync(world.folder, cwd, { recursive: true })
    mkdirSync(join(cwd, 'out'))
    const ran = await foreproof(line(store), { cwd })
    const files = filesIn(join(cwd, 'out'))
    expectHidden(ran.stdout, ran.stderr, ...Object.values(files))
    all.push({ ran, files })
  }
  return all as [(typeof all)[0], (typeof all)[0]]
}

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
  it('scores with the same result', async () => {
    const [sqlite, postgres] = await onBoth((store) => [
      ...['score', '--registration', 'registration.json', '--history', histories[store]],
      ...['--outcomes', 'vintage', '--out', 'out/evidence'],
    ])
    for (const { ran } of [sqlite, postgres]) expect(ran).toMatchObject({ code: 0, stderr: '' })
    const digest = ({ files }: typeof sqlite) =>
      JSON.parse(files['evidence/result.json'] ?? '{}').result_sha256
    expect(digest(sqlite)).toMatch(/^[0-9a-f]{64}$/)
    expect(digest(postgres)).toBe(digest(sqlite))
    const pairs = ({ files }: typeof sqlite) => files['evidence/pairs.ndjson']
    expect(pairs(postgres)).toBe(pairs(sqlite))
  })

  it('publishes the same site', async () => {
    const made = join(folder, 'made.sqlite')
    makeHistory(made)
    const paths = { sqlite: made, postgres: server.database() }
    await copied(made, paths.postgres)
    const now = Date.now() * 1000
    const sites = []
    for (const store of STORES) {
      await buildSite(paths[store], join(folder, `site-${store}`), now)
      sites.push(filesIn(realpathSync(join(folder, `site-${store}`))))
    }
    expect(Object.keys(sites[0] ?? {}).length).toBeGreaterThan(3)
    expect(sites[1]).toEqual(sites[0])
    const site = join(folder, 'site-postgres')
    const checked = await foreproof(['publish', '--check', '--history', made, '--out', site])
    expect(checked, checked.stdout).toMatchObject({ code: 0, stderr: '' })
  })
})
