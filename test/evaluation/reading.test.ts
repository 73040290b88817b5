import { describe, expect, test } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import { hourlyTask } from '../../src/evaluation/hourly-task.js'
import { pairRegistered } from '../../src/evaluation/pair.js'
import type { HourlyBasis } from '../../src/evaluation/plan.js'
import { makeReading } from '../../src/evaluation/reading/assemble.js'
import { hourlyReading, seriesReading } from '../../src/evaluation/reading/inputs.js'
import { seriesTask } from '../../src/evaluation/series-task.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { sameHourly, sameSeries } from './compared-readings.js'
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

/** Both forms of what was paired once. */
async function hourly(
  change: Partial<Registration>,
  days = 30,
  edit?: (row: PairingRow) => object,
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
  const basis: HourlyBasis = { registration, vintage, strata, protocol }
  const models = [
    { name: 'other', sight: 0.05 },
    { name: 'seer', sight: 0.3 },
  ]
  const rows = [...madeRows(hours, vintage, models, false)].map((row) => ({
    ...row,
    ...edit?.(row),
  }))
  const task = hourlyTask(basis)
  const paired = await pairRegistered(task, batches(rows), () => undefined, {})
  const old = await task.finish(paired, undefined, runMetadata(paired.pairs), {})
  return { made: await makeReading(hourlyReading(basis, paired), {}), old }
}

describe('a reading in one form', () => {
  test.each<[string, Partial<Registration>, number]>([
    ['with strata and two candidates', { strata: HALVES }, 30],
    ['of sixty days', {}, 60],
  ])('is that of hourly closes %s', async (_, change, days) => {
    const { made, old } = await hourly(change, days)
    sameHourly(made, old)
    expect(old.tests.some(({ p }) => p !== null)).toBe(true)
  })

  test('is that of forecasts with gaps', async () => {
    let count = 0
    const { made, old } = await hourly({ strata: HALVES }, 30, ({ model }) => {
      count++
      if (model === 'seer' && count % 40 < 3) return { attempt: 'failed', forecast: null }
      return count % 9 === 0 ? { quantiles: [null, null, null] } : {}
    })
    sameHourly(made, old)
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
    sameSeries(await makeReading(seriesReading(basis, paired), {}), old)
  })
})
