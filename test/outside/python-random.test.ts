import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { audited, scoreInto } from '../evaluation/score-into.js'
import {
  makeSeriesFolder,
  replaceTruth,
  type SeriesFolderOptions,
  truthLines,
} from '../evaluation/series-folder.js'
import { makeWorld, type World, type WorldOptions } from '../evaluation/world.js'
import { BY_VERDICT } from '../registration/made.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { runPackage } from '../support/python.js'
import { numbers } from '../support/random.js'
import { standard } from '../support/standard.js'

const COUNT = 50
const LEVELS = { '0.1': 5, '0.5': 4, '0.9': 6 } as const

const BY_DAY: NonNullable<SeriesProtocol['strata']> = [
  {
    name: 'day',
    by: 'weekday',
    levels: [
      { level: 'weekend', days: ['sat', 'sun'] },
      { level: 'week', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
    ],
  },
]

/** Rules and forecasts of one evaluation, drawn from a seed. */
function drawn(seed: number) {
  const next = numbers(seed)
  const oneOf = <T>(...of: readonly T[]): T => of[Math.floor(next() * of.length)]!
  const transform = oneOf(undefined, { kind: 'sqrt' }, { kind: 'log_shift', offset: '1' })
  const primary = oneOf<
    Pick<SeriesProtocol['scores'][number], 'kind' | 'level' | 'lower' | 'upper'>
  >(
    { kind: 'weighted_interval' },
    { kind: 'absolute_error' },
    { kind: 'interval', lower: '0.1', upper: '0.9' },
    { kind: 'pinball', level: '0.9' },
  )
  const asksDirection = next() < 0.5
  const over = oneOf('end' as const, 'period' as const)
  const scores: SeriesProtocol['scores'] = [
    { id: 'main', primary: true, ...primary, ...(transform && { transform }) } as never,
    { id: 'low', kind: 'pinball', level: '0.1' },
    { id: 'within', kind: 'coverage', lower: '0.1', upper: '0.9' },
    ...(asksDirection
      ? [{ id: 'up', kind: 'direction', epsilon: oneOf('0', '0.5') } as const]
      : []),
  ]
  const protocol: Partial<SeriesProtocol> = {
    scores,
    series: ['a', 'b'].map((id) => ({
      id,
      unit: 'units',
      source: 'made',
      ...(seed % 3 > 0 && { group: `g${id}` }),
    })),
    horizons: over === 'end' ? oneOf([1, 2], [1, 2, 3], [2, 3]) : oneOf([2], [2, 3], [0, 2]),
    scaling: oneOf({ kind: 'none' }, { kind: 'seasonal_naive', period_steps: oneOf(1, 7) }),
    origins: {
      due: { anchor: 'end', offset: 'PT6H' },
      ...(next() < 0.3 &&
        ({ waiting: 'part_of_the_task', waiting_reason: 'values are late' } as const)),
    },
    limits: {
      ...{ availability: '0.05', availability_stratum: '0.1', harm: oneOf('0.05', '0.2') },
      ...{ practical_effect: oneOf('0.01', '0.1'), ...(asksDirection && { direction: '0.05' }) },
    },
    outcome: {
      over,
      known: { anchor: 'end', offset: 'PT12H' },
      release: oneOf(
        { rule: 'first', wait: 'P2D' },
        { rule: 'as_of_lag', lag: 'P3D' },
        { rule: 'unrevised', wait: 'P2D' },
      ),
    },
    ...standard({
      seasons: ['week'],
      errors: { window: oneOf(50, 100), minimum: oneOf(20, 40) },
      last: 'last_day',
    }),
    dependence: { block_origins: 5, minimum_blocks: oneOf(10, 12), minimum_pairs: oneOf(40, 50) },
    ...(next() < 0.5 && { strata: BY_DAY }),
  }
  const [noise, bias, gone] = [oneOf(0, 2, 8), oneOf(0, 0, 3), oneOf(0, 0.01, 0.1)]
  const options: SeriesFolderOptions = {
    protocol,
    origins: oneOf(45, 60, 75),
    line(cells) {
      const off = noise * (next() - 0.5) + bias
      if (next() < gone) return undefined
      const moved = cells.map((cell, at) => (at > 3 && at < 7 ? String(Number(cell) + off) : cell))
      // Quantiles that cross, and a forecast that came too late.
      if (next() < gone / 2) moved[LEVELS['0.1']] = String(1e6)
      if (next() < gone / 2) moved[7] = '2024-06-01T00:00:00Z'
      return moved
    },
  }
  const missing = oneOf(0, 0.005, 0.05)
  // Scales are of what was public when it was registered.
  const isKept = (line: string) => line.slice(-20) < '2024-02-05' || next() >= missing
  return { options, isKept }
}

/** Hours of which some fail, with more or less sight. */
function drawnHours(seed: number): WorldOptions {
  const next = numbers(seed)
  const hours = 24 * (17 + Math.floor(3 * next()))
  const mode = next() < 0.5 ? 'prospective' : 'backtest'
  return { method: BY_VERDICT, hours, mode, sight: 0.1 * next() }
}

/** Every tenth is of hours. */
async function drawnWorld(seed: number): Promise<World> {
  if (seed % 10 === 0) return makeWorld(drawnHours(seed))
  const { options, isKept } = drawn(seed)
  const world = await makeSeriesFolder(options)
  const [head = '', ...lines] = truthLines(world)
  await replaceTruth(world, [head, ...lines.filter(isKept)])
  return world
}

it(`${COUNT} evaluations drawn at random are the same in Python`, async () => {
  const evidence = temporaryFolder()
  for (let seed = 1; seed <= COUNT; seed++) {
    const world = await drawnWorld(seed)
    await scoreInto(world, 'evidence')
    expect(await audited(join(world.folder, 'evidence'))).toMatchObject({ ok: true, findings: [] })
    const out = join(world.folder, 'history.ndjson')
    await inProcess(['history', 'export', '--history', world.paths.history, '--out', out])
    cpSync(world.folder, join(evidence, String(seed)), { recursive: true })
  }
  const tests = 'test_verify.Evidence.test_every_evaluation'
  const env = { FOREPROOF_EVIDENCE: evidence }
  const { code, said } = await runPackage(['-m', 'unittest', tests], { env })
  expect(code, said).toBe(0)
}, 900_000)
