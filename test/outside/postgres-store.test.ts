import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatStored, instantOrNaN } from '../../src/contract/instant.js'
import type { ProvenanceRow } from '../../src/forecast/row.js'
import type { StoredKey } from '../../src/log/log-entry.js'
import type { HistoryReader } from '../../src/store/history-reader.js'
import type { HistoryWriter } from '../../src/store/history-writer.js'
import { initHistory, openHistory, openHistoryWriter } from '../../src/store/open.js'
import { openPool } from '../../src/store/postgres/pool.js'
import { EPOCH, inBatches, inTransaction, opened } from '../history/support.js'
import { storeContract } from '../store/store-contract.js'
import { attempt, forecast, origin } from '../store/store-rows.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { eventually } from '../support/service/serve.js'
import { frozenAt, WEEKS } from '../truth/sample.js'
import { type Asked, answersOf, type Marks, marksOf } from './answers.js'
import { startPostgres } from './servers.js'

const folder = temporaryFolder()
const server = await startPostgres()
const database = server.database()
let histories = 0

storeContract('PostgreSQL', () => {
  // A name that has to be quoted wherever it is.
  const url = `${database}?schema=${encodeURIComponent(`my "own" $${++histories}`)}`
  return {
    reader: () => opened(url),
    async writer(version) {
      await initHistory(url)
      return openHistoryWriter(url, EPOCH * 1000, version)
    },
  }
})

describe('a pool whose connections break', () => {
  it('answers what was asked, also what waits for a connection', async () => {
    const pool = openPool(database, { pool: 2 })
    const ofPool = `FROM pg_stat_activity WHERE application_name = 'foreproof' AND query LIKE '%pg_sleep%'`
    const asked = Array.from({ length: 6 }, (_, n) => pool.ask(`SELECT ${n}, pg_sleep(0.5)::text`))
    const answers = Promise.all(asked)
    await eventually(() => server.sql(`SELECT count(*) ${ofPool}`) === '2')
    server.sql(`SELECT pg_terminate_backend(pid) ${ofPool}`)
    expect((await answers).map(([row]) => row?.[0])).toEqual([0, 1, 2, 3, 4, 5])
    await pool.close()
    await eventually(() => server.sql(`SELECT count(*) ${ofPool}`) === '0')
  })
})

describe('what was committed last', () => {
  const schema = 'followed'
  const url = `${database}?schema=${schema}`
  const name = new URL(database).pathname.slice(1)
  const revision = (to?: string) => {
    if (to !== undefined) server.sql(`UPDATE ${schema}.state SET revision = ${to}`, name)
    return Number(server.sql(`SELECT revision FROM ${schema}.state`, name))
  }
  const commit = () => inTransaction(openHistoryWriter(url, EPOCH * 1000), async () => undefined)

  it('has no number that comes again where a failover lost it, nor where the clock was put back', async () => {
    await initHistory(url)
    await commit()
    const before = revision()
    const reader = opened(url)
    await commit()
    const lost = await reader.version()
    // A server that never heard of that commit, and is written to before it is asked.
    revision(String(before))
    await commit()
    expect(await reader.version()).not.toEqual(lost)
    const ahead = revision('revision + 86400000000')
    await commit()
    expect(revision()).toBe(ahead + 1)
    expect(await reader.version()).toMatchObject({ revision: ahead + 1 })
  })
})

/** Names by whose order UTF-16, a language and code points differ, and names that SQL could trip over. */
const NAMES = [
  ...['', ' ', 'a b', '\t', '\n', '\r', '\u0001', '\u200b', '\u202e'],
  ...'a A b B ä z a-b a_b ab é \u00e9 e\u0301 ß ss ж Ж א ب क 中 〇 あ ア \uac00 \ue000'.split(' '),
  ...'\uff21 \ufffd \uffff \u{10000} 😀 👩‍👩‍👧 \u{1d400} \u{2a6d6} \u{10ffff}'.split(' '),
  ...`' " \\ \\. \\N $1 %s ;-- , {} NULL`.split(' '),
]
const name = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.string({ unit: 'binary', maxLength: 4 }).filter((text) => !text.includes('\0')),
)
const optionalName = fc.option(name)
const micros = fc.oneof(
  fc.constantFrom(0, 1, 2, 999_999, 1_000_000, 3_600_000_000).map((more) => EPOCH * 1000 + more),
  fc.constantFrom(-1, 0, 1, -62_135_596_800_000_000 / 8, 2 ** 53 - 1 - 720 * 3_600_000_000),
)
const instant = micros.map(formatStored)
const optionalInstant = fc.option(instant)
// SQLite has no zero with a sign, and no document shows one.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const optionalNumber = fc.option(number)
const provenance: fc.Arbitrary<ProvenanceRow | undefined> = fc.option(
  fc.record({
    inputAvailableAt: optionalInstant,
    selectionDataThrough: optionalInstant,
    vintageId: optionalName,
    vintageSha256: optionalName,
  }),
  { nil: undefined },
)
const key = fc.record({
  originAt: instant,
  model: name,
  horizonHours: fc.constantFrom(1, 2, 24, 720, 2_147_483_647),
})
const forecasts = fc.record({
  key,
  row: fc.record({
    priceUsd: number,
    changePct: number,
    q10Usd: optionalNumber,
    q50Usd: optionalNumber,
    q90Usd: optionalNumber,
    modelAgreement: optionalNumber,
    provenance,
  }),
  // A whole resource comes with the run that it names.
  kept: fc.option(fc.record({ whole: fc.json(), runId: optionalName })),
})
const attempts = fc.record({
  key,
  row: fc.record({
    status: fc.constantFrom('failed', 'abstained'),
    reason: name,
    recordedAt: optionalInstant,
    provenance,
  }),
})
const origins = fc.record({
  generatedAt: instant,
  sourceName: optionalName,
  pair: optionalName,
  sourcePriceUsd: number,
  runId: optionalName,
  configurationId: optionalName,
  manifestJson: fc.option(fc.json()),
})
const leaves = fc.record({
  seed: fc.nat(),
  key: fc.option(key),
})
const checkpoints = fc.record({
  size: fc.constantFrom(1, 2, 10),
  note: name,
})
const steps = <K extends string, T>(kind: K, weight: number, of: fc.Arbitrary<T>) => ({
  weight,
  arbitrary: of.map((each) => ({ kind, ...each })),
})
const step = fc.oneof(
  steps('forecast', 4, forecasts),
  steps('attempt', 2, attempts),
  steps('leaf', 1, leaves),
  steps('checkpoint', 1, checkpoints),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A transaction: the origins that its rows may need are put before them. */
const transaction = fc.record({
  steps: fc.array(step, { maxLength: 12 }),
  origins: fc.array(origins, { minLength: 12, maxLength: 12 }),
  end: fc.constantFrom('commit', 'commit', 'commit', 'rollback'),
})
type Transaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never

/** Puts a row as the import does; what the writer said on the way. */
async function put(writer: HistoryWriter, one: Step, originOf: object): Promise<unknown> {
  if (one.kind === 'checkpoint') {
    const stamp = { authority: one.note, token: Buffer.from(one.note) }
    const added = await writer.addCheckpoint(one.size, one.note)
    const stamped = await writer.addCheckpointStamp(one.size, stamp)
    return [added, stamped, await writer.newestCheckpoint()]
  }
  if (one.kind === 'leaf') {
    const leaf = createHash('sha256').update(`${one.seed}`).digest()
    const of = one.key === null ? undefined : ({ kind: 'forecast', ...one.key } as const)
    const index = await writer.appendLeaf({ leaf, key: of })
    return [index, await writer.logHash(0, index), await writer.logSize()]
  }
  if (one.kind === 'attempt') {
    if ((await writer.attempt(one.key)) !== undefined) return 'there'
    await writer.addAttempt({ ...attempt(0, ''), ...one.key, ...one.row } as never)
    return await writer.attempt(one.key)
  }
  const { originAt, horizonHours } = one.key
  const known = await writer.origin(originAt)
  if (known === undefined) await writer.addOrigin({ ...origin(0), ...originOf, originAt })
  const targetAt = formatStored(instantOrNaN(originAt) + (horizonHours % 1000) * 3_600_000_000)
  const kept = one.kept && { whole: one.kept.whole, origin: origin(0, one.kept.runId) }
  const row = { ...forecast(0, '', 2), ...one.key, ...one.row, ...kept, targetAt }
  return [known, await writer.addForecast(row), await writer.forecast(one.key)]
}

async function run(path: string, { steps, origins, end }: Transaction): Promise<unknown[]> {
  const writer = await openHistoryWriter(path, EPOCH * 1000)
  const said = []
  try {
    await writer.begin()
    for (const [index, one] of steps.entries()) {
      said.push(await put(writer, one, origins[index] ?? {}))
    }
    await writer[end as 'commit' | 'rollback']()
  } finally {
    await writer.close()
  }
  return said
}

function askedOf(transactions: readonly Transaction[]): Asked {
  const steps = transactions.flatMap((each) => each.steps)
  const keys: StoredKey[] = steps.flatMap((one) =>
    'key' in one && one.key !== null ? [one.key] : [],
  )
  const some = keys.slice(0, 4)
  const kept = steps.map((one) => ('kept' in one ? one.kept?.runId : undefined))
  const runs = [...kept, ...transactions.map(({ origins }) => origins[0]?.runId)]
  const from = some[0] && instantOrNaN(some[0].originAt)
  const to = some[1] && instantOrNaN(some[1].originAt)
  return {
    keys: some.map((key) => ({ ...key, origin: instantOrNaN(key.originAt) })),
    logKeys: some.map((key) => ({ ...key, kind: 'forecast' })),
    filters: [
      ...some.map(({ model }) => ({ model })),
      ...some.slice(0, 2).map(({ horizonHours }) => ({ horizonHours })),
      ...runs.flatMap((runId) => (runId ? [{ runId }] : [])),
      { originFrom: from, originTo: to },
      { originFrom: to },
    ],
    windows: [{ from, to }, { to: from }, { from: to }] as Asked['windows'],
  }
}

describe('a history in PostgreSQL and one in SQLite, with the same rows', () => {
  it('give the same answers to all questions', { timeout: 280_000 }, async () => {
    let runs = 0
    const transactions = fc.array(transaction, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(transactions, async (all) => {
        const [sqlite, postgres] = [join(folder, `${++runs}.sqlite`), `${database}?schema=s${runs}`]
        await initHistory(postgres)
        const readers: HistoryReader[] = [openHistory(sqlite), openHistory(postgres)]
        try {
          // SQLite makes its file in the first transaction.
          const empty = { steps: [], origins: [], end: 'commit' as const }
          await run(sqlite, empty)
          let marks: Marks[] = []
          for (const one of all) {
            marks = await Promise.all(readers.map(marksOf))
            expect(await run(postgres, one)).toEqual(await run(sqlite, one))
          }
          const asked = askedOf(all)
          const [wanted, given] = await Promise.all(
            readers.map((reader, index) => answersOf(reader, asked, marks[index] as Marks)),
          )
          expect(given).toEqual(wanted)
        } finally {
          for (const reader of readers) await reader.close()
          rmSync(sqlite, { force: true })
        }
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })

  it('have names of all scripts in the order of their code points', async () => {
    const postgres = `${database}?schema=names`
    await initHistory(postgres)
    await inTransaction(openHistoryWriter(postgres, EPOCH * 1000), async (writer) => {
      await writer.addOrigin(origin(0))
      for (const model of new Set(NAMES)) await writer.addForecast(forecast(0, model, 2))
    })
    const byCodePoint = [...new Set(NAMES)].sort((a, b) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
    )
    const reader = opened(postgres)
    expect(await reader.models()).toEqual(byCodePoint)
    const rows = await reader.page({ limit: 1000 })
    expect(rows.map(({ model }) => model)).toEqual(byCodePoint)
  })
})

/** More keys than go to the server at once. */
const ROWS = Array.from({ length: 2250 }, (_, at) => {
  const week = WEEKS[at % 10]?.label
  const model = `m${String(Math.floor(at / 50)).padStart(2, '0')}`
  const key = `${at % 2 ? 'US' : '06'},${week},${Math.floor((at % 50) / 10) - 1},${model}`
  return at % 7 === 0
    ? `${key},,,,failed,"no ""data"", \u00fc"`
    : `${key},${at},${at - 1},${at + 0.5},,`
})
const TABLE = `series,origin,horizon,model,value,q0.1,q0.9,status,reason\n${ROWS.join('\n')}\n`

it('a history of any series is the same in SQLite and in PostgreSQL', async () => {
  const at = (name: string) => join(folder, name)
  const [sqlite, postgres] = [at('h.sqlite'), `${database}?schema=series`]
  await initHistory(postgres)
  const protocol = frozenAt(folder, ['0.1', '0.9'], ['US', '06'], WEEKS)
  writeFileSync(at('rows.csv'), TABLE)
  const done = async (...words: string[]) => {
    const { code, stdout, stderr } = await inProcess(words)
    expect(code, stdout + stderr).toBe(0)
    return stdout
  }
  const lines: string[] = []
  for (const history of [sqlite, postgres]) {
    const importing = ['history', 'import', at('rows.csv'), '--protocol', protocol]
    const of = ['--history', history]
    const first = await done(...importing, ...of)
    expect(first).toMatch(/forecasts +1928 new.*\nattempts +322 new/)
    expect(await done(...importing, ...of)).toMatch(/1928 already there.*\n.*322 already there/)
    await done('history', 'seal', '--log', 'example.org/weekly', ...of)
    expect(await done('history', 'verify', ...of)).toContain('no problems found')
    lines.push(await done('history', 'export', ...of))
  }
  expect(lines[1]).toBe(lines[0])
  const [a, b] = [opened(sqlite), opened(postgres)]
  const origins = WEEKS.slice(0, 10).map(({ label }) => label)
  expect(await inBatches(b.seriesRows(origins))).toEqual(await inBatches(a.seriesRows(origins)))
  expect(await b.newestCheckpoint()).toEqual(await a.newestCheckpoint())
  const { bytes, journal_mode, ...stats } = await a.stats()
  expect(await b.stats()).toMatchObject(stats)
  const [there, back] = [`${database}?schema=copied`, at('back.sqlite')]
  await initHistory(there)
  await done('history', 'copy', sqlite, there)
  await done('history', 'copy', there, back)
  expect(await done('history', 'export', '--history', back)).toBe(lines[0])
  const [key = ''] = ROWS.filter((row) => row.startsWith('US,') && !row.includes('failed'))
  const id = key.split(',').slice(0, 4).join()
  const proofs = [postgres, back].map((each) => done('history', 'prove', id, '--history', each))
  expect(await proofs[1]).toBe(await proofs[0])
})
