import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Result, SeriesProtocol } from '../../src/contract/types.js'
import { draftPlan } from '../../src/registration/template.js'
import { exampleFolder } from '../registration/series-examples.js'
import { temporaryFolder } from '../support/folder.js'
import { doneInProcess, inProcess } from '../support/in-process.js'
import { put } from '../support/text-file.js'

const FOLDER = '../shared/data/flusight'
const PLACES = ['06', '12', '17', '25', '36', '39', '48', '53', '55', '56', 'US']
const MODELS = ['CMU-TimeSeries', 'FluSight-ensemble', 'UMass-flusion']
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const textOf = (name: string) => gunzipSync(readFileSync(join(FOLDER, name))).toString()

const write = (name: string, text: string) => put(at(name), text)

/** Runs a line in which @ is the folder. */
const run = (line: string) => inProcess(line.replaceAll('@', folder))

const done = (line: string) => doneInProcess(line.replaceAll('@', folder))

/** The forecasts as their hub keeps them: a file for each model and reference date. */
function writeHub(): string[] {
  const [head = '', ...rows] = textOf('forecasts-2025-26.csv.gz').trimEnd().split('\n')
  const columns = head.slice(head.indexOf(',') + 1)
  const files = new Map<string, string[]>()
  for (const row of rows) {
    const [model = '', date = ''] = row.split(',', 2)
    const name = `hub/model-output/${model}/${date}-${model}.csv`
    const lines = files.get(name) ?? [columns]
    lines.push(row.slice(model.length + 1))
    files.set(name, lines)
  }
  for (const [name, lines] of files) write(name, `${lines.join('\n')}\n`)
  return [...new Set(rows.map((row) => row.split(',')[7] ?? ''))].sort()
}

const KNOWN = { anchor: 'end', offset: 'P5D' } as const
/** Judges by what was public 28 days later. */
const WEEKLY: SeriesProtocol = JSON.parse(
  readFileSync(join(exampleFolder('weekly'), 'draft.json'), 'utf8'),
)
const LAG = WEEKLY.outcome
const LATEST: SeriesProtocol['outcome'] = {
  known: KNOWN,
  over: 'period',
  release: { rule: 'as_of_instant', at: '2026-07-18T04:00:00Z' },
}
/** The first files are of the day on which the week ended. */
const FIRST: SeriesProtocol['outcome'] = {
  known: { anchor: 'end', offset: 'P0D' },
  over: 'period',
  release: { rule: 'first', wait: 'P14D' },
}

/** Freezes the protocol of a rule of release. @returns what freezing said. */
async function freeze(
  version: string,
  outcome: SeriesProtocol['outcome'],
  horizons: readonly number[],
  levels: readonly string[],
  primary = 'identity',
) {
  const own = (id: string) => ({
    ...{ id, kind: 'weighted_interval' },
    ...(id === primary && { primary: true }),
  })
  const draft = {
    ...WEEKLY,
    ...{ protocol_version: version, horizons, outcome },
    series: PLACES.map((id) => ({ id, unit: 'admissions', source: 'the hub' })),
    forecast: { ...WEEKLY.forecast, levels },
    scores: [
      own('identity'),
      { ...own('log_shift_1'), transform: { kind: 'log_shift', offset: '1' } },
      { id: 'coverage_80', kind: 'coverage', lower: '0.1', upper: '0.9' },
    ],
    comparisons: { required: [...WEEKLY.comparisons.required, 'FluSight-baseline'] },
    dependence: { ...WEEKLY.dependence, minimum_pairs: 20 },
  }
  write(`${version}.json`, JSON.stringify(draft))
  return await run(`freeze @/${version}.json --dir @/protocols --periods @/weeks.csv`)
}

/** Registers the season of 28 weeks. @returns what registering said. */
async function register(version: string) {
  const window = { from: '2025-W47', to: '2026-W21' }
  const plan = {
    ...draftPlan({ mode: 'backtest', window, source: 'hub' }),
    ...{ name: version, candidates: MODELS },
  }
  write(`${version}.plan.json`, JSON.stringify(plan))
  const protocol = `--protocol @/protocols/${version}.json`
  return await run(`register @/${version}.plan.json ${protocol} --out @/${version}.reg.json`)
}

const importTruth = (version: string, out: string, more = '') => {
  const columns = '--columns series=location,period=target_end_date --source hub'
  const protocol = `--protocol @/protocols/${version}.json`
  return run(`outcomes import @/truth.csv ${protocol} ${columns}${more} --out @/${out}`)
}

const score = (version: string, vintage: string) =>
  run(
    `score --registration @/${version}.reg.json --protocol @/protocols --history @/h.sqlite --outcomes @/${vintage} --out @/out-${version}`,
  )

interface Figure {
  readonly count: number
  readonly loss: number
  readonly coverage: number
}

const SCALES = ['identity', 'log_shift_1'] as const
const resultOf = (version: string): Result =>
  JSON.parse(readFileSync(at(`out-${version}/result.json`), 'utf8'))

/** The means over all places, by the names of the oracle. Every place has as many dates as the others, so they are the means of all rows. */
function measured(version: string, release: string): [string, Figure][] {
  const { measures } = resultOf(version).reading
  const own = measures.filter((each) => each.scope === 'all' && typeof each.step === 'number')
  return own.flatMap(({ model, step, pairs, means }) =>
    SCALES.map((scale): [string, Figure] => {
      const { [scale]: loss, coverage_80: coverage } = means
      const count = pairs[scale] ?? Number.NaN
      return [
        [release, scale, model, step].join(),
        { count, loss: loss ?? Number.NaN, coverage: coverage ?? Number.NaN },
      ]
    }),
  )
}

/** The same of the score that decides and of coverage, under another rule. */
function besideRule(version: string, rule: string, names: string): [string, Figure][] {
  const own = resultOf(version).reading.other_rules.filter((each) => each.rule === rule)
  return own.map(({ model, step, pairs: count, mean, coverage }) => [
    [names, model, step].join(),
    { count, loss: mean ?? Number.NaN, coverage: coverage?.coverage_80 ?? Number.NaN },
  ])
}

const STEPS = [-1, 0, 1, 2, 3]
const COMPLETE = ' --complete-to 2026-07-18'

describe.runIf(existsSync(FOLDER))('a season of a hub, from its files to the results', () => {
  let levels: readonly string[]

  beforeAll(async () => {
    levels = writeHub()
    write('truth.csv', textOf('truth-vintages.csv.gz'))
    const weeks = '--weeks sunday --zone America/New_York --from 2022-01-30 --to 2026-06-27'
    await done(`periods ${weeks} --out @/weeks.csv`)
    for (const [version, outcome, horizons, primary] of [
      ['lag', LAG, STEPS, 'identity'],
      ['lag-log', LAG, STEPS, 'log_shift_1'],
      ['latest', LATEST, STEPS, 'identity'],
      ['first', FIRST, STEPS.slice(1), 'identity'],
    ] as const) {
      expect(await freeze(version, outcome, horizons, levels, primary)).toMatchObject({ code: 0 })
      const registered = await register(version)
      expect([version, registered.code]).toEqual([version, 0])
      // One season decides nothing: that is known when it is registered, and said.
      expect(registered.stdout).toContain('warning window-too-short')
    }
    const history = '--protocol @/protocols/lag.json --history @/h.sqlite'
    const said = await done(`history import @/hub --from hubverse ${history}`)
    expect(said).toContain('5445 new')
    for (const version of ['lag', 'first']) {
      const truth = await importTruth(version, `truth-${version}`, COMPLETE)
      expect(truth.code, truth.stdout + truth.stderr).toBe(0)
    }
    // Every row of the file changes what is in force, but those that begin with NA.
    const [, ...rows] = textOf('truth-vintages.csv.gz').trimEnd().split('\n')
    const manifest = JSON.parse(readFileSync(at('truth-lag/manifest.json'), 'utf8'))
    const absent = rows.filter((row) => row.split(',')[3] === 'NA')
    expect([absent.length, manifest.series]).toEqual([17, PLACES.length])
    expect(manifest.rows).toBe(rows.length - absent.length)
  }, 180_000)

  it('cannot be judged by first values where a forecast is due after them', async () => {
    const { code, stdout } = await freeze('first-all', FIRST, STEPS, levels)
    expect(code).toBe(1)
    // The first origin with a step of -1 in the list: due on Wednesday, when its target was over since Sunday.
    expect(stdout).toContain('2022-W06')
    expect(stdout).toContain('2022-W05')
  })

  it('is not judged by first values that are dated before they could be known', async () => {
    const outcome = { ...FIRST, known: KNOWN }
    expect(await freeze('first-early', outcome, STEPS, levels)).toMatchObject({ code: 0 })
    expect((await register('first-early')).code).toBe(0)
    const { code, stdout } = await score('first-early', 'truth-first')
    expect([code, existsSync(at('out-first-early'))]).toEqual([1, false])
    expect(stdout).toContain('error truth-rule')
  })

  it('is scored only when all of it has settled', async () => {
    expect((await importTruth('lag', 'truth-short')).code).toBe(0)
    const { code, stdout } = await score('lag', 'truth-short')
    expect([code, existsSync(at('out-lag'))]).toEqual([1, false])
    // Six targets of the last three dates, of 11 places and 9 models. The last, of 20 June, settles four weeks later.
    expect(stdout).toContain('594 forecasts are not settled: 2026-W22 and later')
    expect(stdout).toContain('2026-06-28T04:00:00Z')
    expect(stdout).toContain('2026-07-19T04:00:00Z')
  })

  it('has the 108 figures that were computed elsewhere', async () => {
    for (const version of ['lag', 'lag-log', 'latest', 'first']) {
      const truth = version === 'first' ? 'truth-first' : 'truth-lag'
      const scored = await score(version, truth)
      expect(scored.code, scored.stdout + scored.stderr).toBe(0)
    }
    const figures = new Map([
      ...besideRule('lag', 'first', 'first,identity'),
      ...besideRule('lag-log', 'first', 'first,log_shift_1'),
      // In place of those beside the rule, but at the step at which it cannot decide.
      ...measured('first', 'first'),
      ...measured('lag', 'as_of_lag_28d'),
      ...measured('latest', 'latest'),
    ])
    // What is shown beside a rule is what would decide under it. Baselines forecast otherwise there: their quantiles go by
    // the transform of the primary score, and what they see by when values can be known.
    const baselines = new Set(WEEKLY.baselines.map(({ id }) => id))
    const beside = [
      ...besideRule('lag', 'latest', 'latest,identity'),
      ...besideRule('lag-log', 'latest', 'latest,log_shift_1'),
      ...besideRule('first', 'latest', 'latest,identity'),
    ]
    for (const [name, { loss }] of beside) {
      if (baselines.has(name.split(',')[2] as string)) continue
      expect([name, loss]).toEqual([name, figures.get(name)?.loss])
    }
    const [, ...oracle] = readFileSync(join(FOLDER, 'oracle.csv'), 'utf8').trimEnd().split('\n')
    expect(oracle).toHaveLength(108)
    for (const line of oracle) {
      const [release, scale, model, horizon, n, wis, coverage] = line.split(',')
      const name = [release, scale, model, horizon].join()
      const figure = figures.get(name)
      expect([name, figure?.count]).toEqual([name, Number(n)])
      expect(Math.abs(Number(figure?.loss) / Number(wis) - 1), name).toBeLessThan(1e-12)
      expect(Math.abs(Number(figure?.coverage) - Number(coverage)), name).toBeLessThan(1e-12)
    }
    expect(readFileSync(at('out-lag/report.html'), 'utf8')).toMatch(
      /Under first the order of CMU-TimeSeries and FluSight-baseline turns at step −1/,
    )
  })
})
