import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { formatUtc, type Instant, MICROS_PER_DAY } from '../../src/contract/instant.js'
import { silenceFindings } from '../../src/lint/silence.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import type { TruthVintage } from '../../src/truth/releases-vintage.js'
import {
  DAYS,
  makeSeriesFolder,
  PLAN,
  replaceTruth,
  truthLines,
} from '../evaluation/series-folder.js'
import { exampleOf } from '../registration/series-examples.js'
import { inProcess } from '../support/in-process.js'

/** Weeks from 2022-W01 on; the last value, by its errors of a year of weeks, at least 20 of them. */
const { periods, protocol: example } = await exampleOf('weekly')
const protocol = { ...example, comparisons: { required: ['last_value'] } }
const at = (label: string) => periods.findIndex((each) => each.label === label)

/** Values up to a week, each public five days after it, and not before an archive begins. */
function vintage({ to, archive }: { readonly to: string; readonly archive?: string }) {
  const until = periods[at(to)]!.end + 5 * MICROS_PER_DAY
  const begins = archive === undefined ? -Infinity : periods[at(archive)]!.end
  const known = (end: Instant) => Math.max(begins, end + 5 * MICROS_PER_DAY)
  return {
    manifest: { complete_to: formatUtc(until) },
    releases: (_series: string, label: string) => {
      const { end } = periods[at(label)]!
      return end + 5 * MICROS_PER_DAY > until ? [] : [{ asOf: known(end), value: 100 }]
    },
  } as unknown as TruthVintage
}
const found = (from: number, to: number, outcomes?: TruthVintage, under = protocol) =>
  silenceFindings(
    { window: { from: periods[from]!.label, to: periods[to]!.label } },
    compileRules({ ...protocol, ...under }, periods),
    periods,
    outcomes,
  )

describe('own errors of a comparator', () => {
  const archive = at('2025-W01')
  /**
   * When forecasts of a week are due, the newest value is that of two weeks before. So errors at a step begin with the
   * first week that is due with any value, and 20 of them are there 21 weeks and that step later.
   */
  const silentFrom = (first: number, window: number) =>
    protocol.horizons.reduce((sum, step) => sum + first + step + 21 - window, 0)

  it('are too few where all values were archived at once', () => {
    const outcomes = vintage({ to: '2026-W40', archive: '2025-W01' })
    const [first, ...others] = found(archive + 1, archive + 60, outcomes)
    const keys = 60 * 5
    const silent = silentFrom(archive + 1, archive + 1)
    const of = protocol.series.length
    expect(others).toEqual([])
    expect(first).toMatchObject({
      ...{ code: 'own-errors-few', severity: 'warning', pointer: '/window' },
      args: {
        ...{ comparator: 'last_value', minimum: 20, silent: silent * of, keys: keys * of },
        ...{ seriesSilent: silent, seriesKeys: keys, next: periods[archive + 25]!.label },
      },
    })
    expect(first && formatMessage(first).help).toContain('From 2025-W26 on it has enough')
    // From there on it has enough, and so it has with values as they became public.
    expect(found(archive + 25, archive + 60, outcomes)).toEqual([])
    expect(found(archive + 1, archive + 60, vintage({ to: '2026-W40' }))).toEqual([])
  })

  it('are too few before a window that lies ahead', () => {
    // Known up to the archive, and from then on as soon as can be.
    const outcomes = vintage({ to: '2025-W01', archive: '2025-W01' })
    const [first] = found(archive + 2, archive + 61, outcomes)
    const silent = silentFrom(archive + 1, archive + 2)
    expect(first?.args).toMatchObject({ seriesSilent: silent, seriesKeys: 300 })
    expect(found(archive + 60, archive + 120, outcomes)).toEqual([])
  })

  it('are too few where the list begins shortly before the window', () => {
    const [first] = found(1, 60)
    expect(first?.args).toMatchObject({ seriesSilent: silentFrom(2, 1), seriesKeys: 300 })
    expect(found(30, 90)).toEqual([])
    const archived = vintage({ to: '2026-W40', archive: '2025-W01' })
    const [all] = found(archive + 1, archive + 10, archived)
    expect(all && formatMessage(all).help).toContain('No origin of the window has enough')
  })

  it('are not asked for where a baseline has none, or no quantiles', () => {
    const baselines = protocol.baselines.map(({ errors: _, ...each }) => each)
    expect(found(1, 60, undefined, { ...protocol, baselines })).toEqual([])
    const forecast = { ...protocol.forecast, levels: [] }
    expect(found(1, 60, undefined, { ...protocol, forecast })).toEqual([])
  })

  it('leave a test fewer pairs than it needs, as too few values of a season do', () => {
    // Of each year two weeks end within seven days of the same day: five values are there after 156 weeks, for some 40 of
    // 80 origins at each of five steps, where a test needs 50.
    const required = { comparisons: { required: ['usual_season'] } }
    const of = protocol.series.length
    const [first, ...others] = found(118, 197, undefined, { ...protocol, ...required })
    expect(others).toEqual([])
    expect(first).toMatchObject({
      ...{ code: 'comparator-pairs-few', severity: 'warning', pointer: '/window' },
      args: {
        comparator: 'usual_season',
        keys: 80,
        minimum: 50,
        horizon: -1,
        cells: 5 * of,
        next: periods[157]!.label,
      },
    })
    expect(found(140, 219, undefined, { ...protocol, ...required })).toEqual([])
  })
})

it('register and power say so of an archive, before anything is spent', async () => {
  const world = await makeSeriesFolder()
  // The last value needs 20 errors; all days up to the fifth of the window were archived at once.
  const archived = DAYS[65]!.end
  const late = (line: string) => {
    const [series, label, value, asOf] = line.split(',')
    const date = Date.parse(asOf ?? '') * 1000
    return date < archived ? [series, label, value, formatUtc(archived)].join() : line
  }
  await replaceTruth(world, truthLines(world).map(late))
  const { folder } = world
  const ends = { from: DAYS[66]!.label, to: DAYS[150]!.label }
  const plan = { ...PLAN, mode: 'backtest', window: ends }
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan))
  const given = `--protocol ${folder}/protocols/daily-1.json --outcomes ${folder}/vintage`
  const lines = [
    `power --plan ${folder}/plan.json ${given}`,
    `register ${folder}/plan.json ${given} --dry-run`,
  ]
  for (const line of lines) {
    const { code, stdout } = await inProcess(line)
    expect([code, stdout]).toEqual([0, expect.stringContaining('warning own-errors-few')])
    expect(stdout).toContain('fewer than 20 of its own earlier errors are public')
    if (line.startsWith('power')) expect(stdout).toContain('A backtest has no verdict')
  }
})

it('lint, power and register say what waiting is worth, by the list', async () => {
  const { folder } = await makeSeriesFolder()
  const window = { from: DAYS[66]!.label, to: DAYS[150]!.label }
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...PLAN, mode: 'backtest', window }))
  const protocol = `${folder}/protocols/daily-1.json`
  // Due 6 hours after the end of a day, when that of the day before is seen: of 48 and 72 hours 18 and 42 are left.
  const [one, two] = [Math.sqrt(48), Math.sqrt(72)]
  const worth = 100 * (1 - ((one * 18) / 48 + (two * 42) / 72) / (one + two))
  const said = `at least ${(worth + 3).toFixed(1)}\u202f% lower. That is the floor of 3.0\u202f% plus ${worth.toFixed(1)}\u202f% for waiting`
  for (const line of [
    `lint ${protocol}`,
    `power --plan ${folder}/plan.json --protocol ${protocol}`,
    `register ${folder}/plan.json --protocol ${protocol} --outcomes ${folder}/vintage --dry-run`,
  ]) {
    const { stdout } = await inProcess(line)
    expect(stdout).toContain(said)
    if (line.startsWith('power')) {
      // Outcomes would change nothing, so they are not asked for.
      expect(stdout).toContain('plan a prospective window')
      expect(stdout).not.toContain('Give --outcomes')
    }
  }
})
