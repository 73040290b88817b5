import { describe, expect, test } from 'vitest'
import { checkCellLine, checkEvaluation } from '../../src/contract/generated/check-result.js'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { CellLine, Registration } from '../../src/contract/types.js'
import { sha256Hex } from '../../src/document/digest.js'
import { hourlyTask } from '../../src/evaluation/hourly-task.js'
import { type Paired, pairRegistered } from '../../src/evaluation/pair.js'
import type { HourlyBasis } from '../../src/evaluation/plan.js'
import { hourlyReading, seriesReading } from '../../src/evaluation/reading/inputs.js'
import { type EvaluationInput, makeEvaluation } from '../../src/evaluation/reading/result.js'
import { resultDigest } from '../../src/evaluation/result-digest.js'
import { seriesTask } from '../../src/evaluation/series-task.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { firstOf, sameHourly, sameSeries } from './compared-readings.js'
import {
  batches,
  HALVES,
  LIMITS,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
  runMetadata,
  VERDICT,
} from './made.js'
import { LARGE_WORLDS, type SeriesWorldOptions, seriesWorld } from './series-world.js'

const GROUPS = 'eight steps of four candidates in three groups'
/** Directions are asked, in groups too. */
const DIRECTED: SeriesWorldOptions['protocol'] = {
  scores: [
    { id: 'ae', kind: 'absolute_error', transform: { kind: 'log' }, primary: true },
    { id: 'up', kind: 'direction', epsilon: '0.01' },
    { id: 'coverage_80', kind: 'coverage', lower: '0.1', upper: '0.9' },
  ],
  limits: {
    ...{ availability: '0.05', availability_stratum: '0.1', harm: '0.05' },
    ...{ practical_effect: '0.03', direction: '0.02' },
  },
}

/** A result in one form: sealed, by its schema, and with a line of every cell. */
async function made(of: (paired: Paired) => EvaluationInput, first: Paired, second?: Paired) {
  const metadata = runMetadata(first.pairs)
  const { result, cells } = await makeEvaluation(of(first), second && of(second), metadata, {})
  const lines = cells
    .split('\n')
    .slice(0, -1)
    .map((line): CellLine => JSON.parse(line))
  expect(checkEvaluation(result)).toEqual([])
  for (const line of lines) expect(checkCellLine(line)).toEqual([])
  expect(result.cells).toEqual({ lines: lines.length, sha256: sha256Hex(cells) })
  expect(result.result_sha256).toBe(resultDigest(result))
  return { result, lines, reading: result.reading }
}

/** Both forms of what was paired once. @param lateAt - how long after an origin its forecasts were committed. */
async function hourly(
  change: Partial<Registration>,
  days = 30,
  edit?: (row: PairingRow) => object,
  lateAt?: (hour: number) => number,
) {
  const hours = 24 * days
  const vintage = madeVintage(hours)
  const candidates = ['seer', 'other'].map((name) => ({ source: 'history' as const, name }))
  const registration = madeRegistration(hours, {
    ...{ inference: VERDICT, candidates, publication_lag_minutes: 5, limits: LIMITS },
    ...change,
  })
  const strata = registration.strata.map(({ name, levels = [] }) => ({
    name,
    levels: levels.map(({ level }) => level),
    levelOf: (origin: number) => (origin % 24 < 12 ? 'am' : 'pm'),
  }))
  const protocol = madeProtocol()
  const committed = (hour: number) => hour * MICROS_PER_HOUR + (lateAt?.(hour) ?? 0)
  const own: HourlyBasis = { registration, vintage, strata, protocol }
  const basis = lateAt ? { ...own, commitments: { committed } } : own
  const models = [
    { name: 'other', sight: 0.05 },
    { name: 'seer', sight: 0.3 },
  ]
  const rows = [...madeRows(hours, vintage, models, false)].map((row) => ({
    ...row,
    ...edit?.(row),
  }))
  const task = hourlyTask(basis)
  const pair = (plan: typeof task.plan) =>
    pairRegistered({ ...task, plan }, batches(rows), () => undefined, {})
  const paired = await pair(task.plan)
  const second = lateAt && (await pair({ ...task.plan, lateCounts: true }))
  const old = await task.finish(paired, second, runMetadata(paired.pairs), {})
  return { made: await made((of) => hourlyReading(basis, of), paired, second), old }
}

describe('a reading in one form', () => {
  test.each<[string, Partial<Registration>, number]>([
    ['with strata and two candidates', { strata: HALVES }, 30],
    ['of sixty days', {}, 60],
  ])('is that of hourly closes %s', async (_, change, days) => {
    const { made: one, old } = await hourly(change, days)
    sameHourly(one, old)
    expect(old.tests.some(({ p }) => p !== null)).toBe(true)
  })

  test('is that of forecasts with gaps', async () => {
    let count = 0
    const { made: one, old } = await hourly({ strata: HALVES }, 30, ({ model }) => {
      count++
      if (model === 'seer' && count % 40 < 3) return { attempt: 'failed', forecast: null }
      return count % 9 === 0 ? { quantiles: [null, null, null] } : {}
    })
    sameHourly(one, old)
  })

  test('has a second reading, of which the worse counts', async () => {
    const { made: one, old } = await hourly({ commitment: 'witnessed' }, 60, undefined, (hour) =>
      hour % 60 === 7 ? 2 * MICROS_PER_HOUR : 1,
    )
    sameHourly(one, firstOf(old))
    const { second_reading: second } = one.result
    const { second_reading: before } = old
    const lines = one.lines.map((line) => ({ ...line, ...line.second }))
    sameHourly({ reading: second!.reading, lines }, { ...old, ...before })
    expect(second).toMatchObject({ late: before!.late, counts_for: before!.counts_for })
  })

  test.each<[string, SeriesWorldOptions]>([
    ['six series in groups, with releases', {}],
    [GROUPS, LARGE_WORLDS[GROUPS] as SeriesWorldOptions],
    ['directions', { protocol: DIRECTED }],
  ])('is that of %s', async (_, options) => {
    const { rows, ...basis } = seriesWorld(options)
    const task = seriesTask(basis)
    const paired = await pairRegistered(task, batches(rows), () => undefined, {})
    const old = await task.finish(paired, undefined, runMetadata(paired.pairs), {})
    sameSeries(await made((of) => seriesReading(basis, of), paired), old)
  })
})
