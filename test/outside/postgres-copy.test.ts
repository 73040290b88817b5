import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { copyHistory } from '../../src/history/copy.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { checkpointBody } from '../../src/history/log/checkpoint.js'
import { rootOf } from '../../src/history/log/merkle.js'
import { sealHistory } from '../../src/history/seal.js'
import { initHistory, openHistoryWriter } from '../../src/history/store/open.js'
import { verifyHistory } from '../../src/history/verify.js'
import { scoreInto } from '../evaluation/score-into.js'
import { makeWorld, NOW, type World } from '../evaluation/world.js'
import { seal, stamperOf } from '../history/log/sealed.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { allOf, alter, EPOCH, inBatches, opened, stamp } from '../history/support.js'
import { buildSite } from '../site/build-site.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import { expectHidden } from './postgres-history.js'
import { type Postgres, startPostgres } from './servers.js'

const MIRRORED = 'example.org/mirrored'
const PROVENANCE = { input_available_at: stamp(EPOCH), vintage_id: 'naïve 源' }

const copies = temporaryFolder()
let server: Postgres
let world: World
let there = ''
let back = ''

beforeAll(async () => {
  server = await startPostgres()
  world = await makeWorld({ replicates: 500 })
  const { history } = world.paths
  await addOtherRows(history)
  await seal(history, [await stamperOf('tsa.example')])
  await addMirroredLog(history)
  there = server.database()
  back = join(world.folder, 'back.sqlite')
  await copyHistory(history, there, { now: NOW })
  await copyHistory(there, back, { now: NOW })
})
afterAll(async () => {
  await server.remove()
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
  const writer = await openHistoryWriter(history, NOW)
  await writer.begin()
  for (const { index, leaf, key } of rows) {
    await writer.appendLeaf({ leaf, key: index === 1 ? undefined : key }, MIRRORED)
  }
  const root = await rootOf(2, (level, index) => writer.logHash(level, index, MIRRORED))
  await writer.addCheckpoint(2, checkpointBody({ origin: MIRRORED, size: 2, root }), MIRRORED)
  const body = Buffer.from(checkpointBody({ origin: MIRRORED, size: 2, root }))
  for (const stamp of [await stamperOf('a.example'), await stamperOf('b.example')]) {
    await writer.addCheckpointStamp(2, await stamp(body), MIRRORED)
  }
  await writer.note('pull somewhere', '{"a":1}')
  await writer.commit()
  await writer.close()
}

/** Everything a history holds, by way of its reader. */
async function contentOf(path: string) {
  const reader = opened(path)
  const logs = await reader.logs()
  const read = async (log: string | undefined) => ({
    entries: await inBatches(reader.logEntries(0, 1e9, log)),
    checkpoints: await allOf(reader.checkpoints(log)),
  })
  const content = {
    lines: (await allOf(exportLines(path))).join(''),
    rows: await inBatches(reader.pairingRows()),
    origins: await inBatches(reader.origins()),
    regimes: await reader.regimes({}),
    notes: await reader.notes(),
    runs: await reader.page({ filters: { runId: 'run-1' }, limit: 99 }),
    logs,
    content: await Promise.all(logs.map(({ name, own }) => read(own ? undefined : name))),
  }
  return content
}

/** The digest of each file of a site but those that say how far a build has come, by places in its store. */
function digestsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !['build.json', 'checksums.txt'].includes(file.name),
  )
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(folder, path), sha256Hex(readFileSync(path))]
    }),
  )
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

  it('is scored and published to the same bytes', async () => {
    const digests: string[] = []
    const sites: Map<string, string>[] = []
    for (const [at, history] of [world.paths.history, there, back].entries()) {
      // A folder of its own: who scores twice is told so by what the first time left.
      const folder = join(copies, `${at}`)
      cpSync(world.folder, folder, { recursive: true })
      const { registration, protocol, outcomes } = world.paths
      const moved = [registration, protocol, outcomes].map((path) =>
        path.replace(world.folder, folder),
      )
      const paths = {
        registration: moved[0] ?? '',
        protocol: moved[1] ?? '',
        outcomes: moved[2] ?? '',
        history,
      }
      await scoreInto({ ...world, folder, paths }, 'scored')
      const result = readFileSync(join(folder, 'scored', 'result.json'), 'utf8')
      digests.push(JSON.parse(result).result_sha256)
      const site = join(folder, 'site')
      await buildSite(history, site, NOW)
      sites.push(digestsOf(site))
    }
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(digests).size).toBe(1)
    expect(sites[0]?.size).toBeGreaterThan(5)
    for (const site of sites) expect(site).toEqual(sites[0])
  })

  it('is not put upon another one, and nothing is left of what cannot be carried', async () => {
    await expect(copyHistory(world.paths.history, there, { now: NOW })).rejects.toThrow('already')
    await expect(copyHistory(there, back, { now: NOW })).rejects.toThrow('already')
    for (const [from, to] of [
      [back, there],
      [there, back],
    ] as const) {
      const ran = await foreproof(['history', 'copy', from, to])
      expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('already') })
      expectHidden(ran.stderr)
    }
    expect(await contentOf(there)).toEqual(await contentOf(world.paths.history))
    const broken = join(world.folder, 'broken.sqlite')
    await copyHistory(back, broken, { now: NOW })
    alter(broken, `UPDATE foreproof_attempts SET reason = x'61' WHERE model_name = 'late'`)
    const elsewhere = `${server.database()}?schema=other`
    const { findings } = await copyHistory(broken, elsewhere, { now: NOW })
    expect(findings.map(({ code, args }) => [code, args])).toEqual([
      [
        'row-refused',
        { row: expect.stringContaining('late'), detail: expect.stringContaining('reason') },
      ],
    ])
    await initHistory(elsewhere)
    const reader = opened(elsewhere)
    expect(await reader.extent()).toBeUndefined()
    expect(await inBatches(reader.origins())).toEqual([])
  })

  it('is told of where a hash that it keeps of its log is another', async () => {
    const url = server.database()
    const rows = Array.from({ length: 300 }, (_, hour) => sample({ hour }))
    await initHistory(url)
    await importResources(url, rows, { now: NOW })
    server.sql(
      `UPDATE foreproof.log_subtrees SET hash = decode(repeat('00', 32), 'hex')`,
      new URL(url).pathname.slice(1),
    )
    const { findings } = await verifyHistory(url)
    expect(findings.map(({ code, args }) => [code, args])).toEqual([
      ['log-kept-hash', { from: 0, last: 255 }],
    ])
  })
})
