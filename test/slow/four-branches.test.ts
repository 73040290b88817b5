import { generateKeyPairSync } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type Instant,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
} from '../../src/contract/instant.js'
import { leastImprovement } from '../../src/evaluation/result/readings.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { toVerifierKey } from '../../src/log/verifier-key.js'
import { ledgerPath, readLedgerFile } from '../../src/protocol/ledger-file.js'
import { hourAt, LEAD_IN, madeRows } from '../evaluation/made.js'
import { audited, scoreWorld } from '../evaluation/score-into.js'
import {
  END_HOURS,
  LOG_NAME,
  LogWitnesses,
  seal,
  stampRegistration,
  type Witnesses,
  witnesses,
} from '../evaluation/stamped-world.js'
import { at, forecastLine, type MadeVintage, makeWorld, type World } from '../evaluation/world.js'
import { MEMORY, temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'

// What takes most of the time on a disk is to sync some 10,000 transactions.
const folder = temporaryFolder('foreproof-', MEMORY)
const HOURS = 24 * 10
/** The forecasts of so many hours are committed at once, which the lag allows. */
const STEP = 2
const LAG = 90
const REGISTERED = at('2024-12-15T00:00:00Z') + MICROS_PER_MINUTE
/** After so many hours the branch that turned out best is gone on with, and the others are deleted. */
const BLOCK = 16
/** How far up or down each branch forecasts, in standard deviations of the walk. */
const BRANCHES = [1, 0.4, -0.4, -1]
/** Of an hour of the walk: that of four uniform numbers, times 0.006. */
const DEVIATION = 0.006 * Math.sqrt(4 / 12)

const key = generateKeyPairSync('ed25519').privateKey
const of = new LogWitnesses(toVerifierKey(LOG_NAME, key), ['w0', 'w1', 'w2', 'w3'], 3)
const historyOf = (branch: string | number) => join(folder, `${branch}.sqlite`)
let by: Witnesses

async function importInto(branch: string | number, rows: readonly PairingRow[], now: Instant) {
  const file = join(folder, 'rows.ndjson')
  writeFileSync(file, `${rows.map(forecastLine).join('\n')}\n`)
  await importFiles(historyOf(branch), [file], {
    ...{ now, stdin: process.stdin, onProgress: () => undefined },
    batchRows: undefined,
  })
}

const moved = (row: PairingRow, by: number): PairingRow => {
  const forecast = Number(row.sourcePrice) * Math.exp(by * DEVIATION * Math.sqrt(row.horizon))
  return { ...row, forecast, quantiles: [forecast * 0.98, forecast, forecast * 1.02] }
}

/** How far off forecasts were whose targets are past. */
function lossOf(rows: readonly PairingRow[], vintage: MadeVintage, now: Instant): number {
  const errors = rows.flatMap(({ originAt, horizon, forecast }) => {
    const target = at(originAt) + horizon * MICROS_PER_HOUR
    const close = target <= now ? vintage.closeAt(target) : undefined
    return close === undefined ? [] : [Math.abs(Math.log(Number(forecast) / close))]
  })
  return errors.reduce((sum, each) => sum + each, 0) / errors.length
}

/** One log that is honest, and four branches of it, all sealed, stamped and brought to the witnesses every two hours. */
async function forecastAll(world: Pick<World, 'folder'>, vintage: MadeVintage): Promise<void> {
  const cosigning = {
    key,
    witnesses: { policy: of.policy(), now: () => Math.floor(by.now / MICROS_PER_SECOND) },
  }
  const rows = [...madeRows(HOURS, vintage, [{ name: 'seer', sight: 0 }], false)]
  const ledger = readLedgerFile(ledgerPath(join(world.folder, 'protocols')))!
  const registrations = [ledger.lines.at(-1)!.entry.entry_sha256]
  const origin = { originAt: '2024-12-14T00:00:00+00:00', targetAt: '2024-12-14T02:00:00+00:00' }
  by.now = REGISTERED
  const earlier = { ...rows[0]!, ...origin, generatedAt: origin.originAt, horizon: 2 }
  await importInto('honest', [earlier], by.now)
  await seal(historyOf('honest'), by, undefined, { ...cosigning, registrations })
  for (const branch of BRANCHES.keys()) cpSync(historyOf('honest'), historyOf(branch))
  const next = numbers(9)
  const since = BRANCHES.map((): PairingRow[] => [])
  for (let hour = STEP - 1; hour < HOURS; hour += STEP) {
    const due = rows.slice((hour - STEP + 1) * 4, hour * 4 + 4)
    const now = hourAt(LEAD_IN + hour)
    by.now = now + 5 * MICROS_PER_MINUTE
    const shifts = Array.from({ length: STEP }, () => 2 * next() - 1)
    const own = due.map((row, index) => moved(row, shifts[Math.floor(index / 4)]!))
    await importInto('honest', own, now)
    await seal(historyOf('honest'), by, undefined, cosigning)
    for (const [branch, shift] of BRANCHES.entries()) {
      const own = due.map((row) => moved(row, shift))
      since[branch]!.push(...own)
      await importInto(branch, own, now)
      await seal(historyOf(branch), by, undefined, cosigning)
    }
    if (hour % BLOCK < BLOCK - 1) continue
    const losses = since.map((each) => lossOf(each, vintage, hourAt(LEAD_IN + hour + 1)))
    const best = losses.indexOf(Math.min(...losses))
    for (const branch of BRANCHES.keys()) {
      since[branch] = []
      if (branch !== best) cpSync(historyOf(best), historyOf(branch))
    }
  }
  by.now = hourAt(LEAD_IN + HOURS + END_HOURS)
  for (const branch of ['honest', ...BRANCHES.keys()]) {
    await seal(historyOf(branch), by, undefined, cosigning)
  }
}

const options = { hours: HOURS, replicates: 4000 }
const lag = { due_minutes: LAG }

const onBranch = (world: World, branch: string | number): World => ({
  ...world,
  paths: { ...world.paths, history: historyOf(branch) },
})

it('pays with stamps alone to keep four branches of a log, and not with witnesses', async () => {
  by = await witnesses('alpha')
  await of.start(folder, () => Math.floor(by.now / MICROS_PER_SECOND))
  const witnessed = await makeWorld({
    ...options,
    over: { ...lag, commitment: 'witnessed', time: { ...by.time(1), witnesses: of.rule } },
    fill: forecastAll,
  })
  const stamped = await makeWorld({
    ...options,
    over: { ...lag, commitment: 'stamped', commitment_log: LOG_NAME, time: by.time(1) },
    fill: async () => undefined,
  })
  by.now = REGISTERED
  for (const world of [witnessed, stamped]) await stampRegistration(world, by)

  const all = HOURS * 4
  const chosen = await scoreWorld(onBranch(stamped, 0), 'chosen')
  if (!chosen.ok) throw new Error(JSON.stringify(chosen.findings))
  expect(chosen.result.time?.commitment?.models).toMatchObject([{ expected: all, committed: all }])
  expect(await audited(join(stamped.folder, 'chosen'))).toMatchObject({ ok: true })
  // Without any skill.
  expect(leastImprovement(chosen.result.reading, 'seer')).toBeGreaterThan(0.2)

  for (const branch of BRANCHES.keys()) {
    const scored = await scoreWorld(onBranch(witnessed, branch), `branch-${branch}`)
    expect(scored.ok ? [] : scored.findings.map(({ code }) => code)).toEqual(['log-ends-early'])
  }
  const honest = await scoreWorld(onBranch(witnessed, 'honest'), 'honest')
  if (!honest.ok) throw new Error(JSON.stringify(honest.findings))
  const { models, witnessed: seen } = honest.result.time!.commitment!
  expect(models).toMatchObject([{ expected: all, committed: all }])
  expect(seen).toMatchObject({ checkpoints: HOURS / STEP + 1, liars_needed: 2 })
  expect(leastImprovement(honest.result.reading, 'seer')).toBeLessThan(0)
  // Ten days are tested by the bootstrap, which decides nothing.
  expect(honest.result).toMatchObject({ kind: 'not_decided', reading: { dispositions: null } })
  expect(await audited(join(witnessed.folder, 'honest'))).toMatchObject({ ok: true })
}, 900_000)
