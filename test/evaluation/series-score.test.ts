import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import type { Instant } from '../../src/contract/instant.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { implausibleCandidates } from '../../src/evaluation/pair.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { seriesTask } from '../../src/evaluation/task.js'
import type { SeriesScale } from '../../src/scoring/scales.js'
import { inProcess } from '../support/in-process.js'
import { readText } from '../support/text-file.js'
import { Forger } from './forger.js'
import { SERIES_FORGERIES } from './forgeries/series.js'
import { batches, cellsIn, type ReadResult, read } from './made.js'
import { audited, type Over, scoredCopies, scoreWorld } from './score-into.js'
import {
  DAYS,
  makeSeriesFolder,
  PLAN,
  PROTOCOL,
  replaceTruth,
  SCALED,
  type SeriesFolderOptions,
  truthLines,
} from './series-folder.js'
import { seriesWorld } from './series-world.js'
import { at, makeWorld } from './world.js'

/** A made world, scored, and what is said where it is not. */
async function scored(options: SeriesFolderOptions = {}, over: Over = {}) {
  const world = await makeSeriesFolder(options)
  const found = await scoreWorld(world, 'first', over)
  const said = found.ok ? [] : found.findings.map((each) => formatMessage(each).text)
  const result = found.ok ? read(found.result) : undefined
  const folder = join(world.folder, 'first')
  const cells = found.ok ? cellsIn(readText(join(folder, FILES.cells))) : []
  return { world, found, said, result, cells, folder }
}
const HOLDS = { ok: true, findings: [] }
const IDENTITY: Readonly<Record<string, (x: number) => number>> = { identity: (x) => x }

describe('forged evidence', () => {
  const copy = scoredCopies(() => makeSeriesFolder(SCALED), 'first')

  it.each(SERIES_FORGERIES)('an audit names %s', async (_, says, forge) => {
    const at = new Forger(copy())
    await forge(at)
    const { ok, findings } = await audited(at.run)
    const [first] = findings
    const said = first === undefined ? '' : `${first.pointer ?? ''} ${formatMessage(first).text}`
    expect([said, ok]).toEqual([expect.stringMatching(says), first === undefined])
  })
})

it('a second registration over the same days has less alpha, and its audit holds', async () => {
  const window = { from: DAYS[80]!.label, to: DAYS[110]!.label }
  const { result, folder } = await scored({ before: { name: 'earlier', window } })
  // The second time: 1 / (2 × 3).
  const registrations = { repetition: 2, divisor: 6, others: [{ window, overlaps: true }] }
  expect(result).toMatchObject({ registrations })
  expect(await audited(folder)).toMatchObject(HOLDS)
})

it('an eligible candidate is called so with what was not asked, wherever that is said', async () => {
  // Half a year of days: a week can be asked, a year cannot.
  const { paths, folder } = await makeSeriesFolder()
  const { registration, protocol, history, outcomes } = paths
  const inputs = `--registration ${registration} --protocol ${protocol} --history ${history} --outcomes ${outcomes}`
  const { stdout } = await inProcess(`score ${inputs} --out ${folder}/run`)
  const read = (file: string) => readFileSync(join(folder, 'run', file), 'utf8')
  for (const said of [stdout, read('report.md').replaceAll('\\', ''), read('report.html')]) {
    expect(said).toContain('Eligible for human review, the year not asked')
  }
  expect(read('ro-crate-metadata.json')).toContain('eligible_for_human_review, the year not asked')
})

it('an audit without outcomes takes what only their dates show from the result', async () => {
  const release = { rule: 'as_of_lag', lag: 'P2D' } as const
  const world = await makeSeriesFolder({ protocol: { outcome: { ...PROTOCOL.outcome, release } } })
  const later = (asOf: string, hours: number) =>
    new Date(Date.parse(asOf) + hours * 3_600_000).toISOString()
  // Each value comes three hours after it could be known, and a tenth too large; it is corrected a day later.
  const lines = truthLines(world).flatMap((line, index) => {
    const [series, period, value, asOf] = line.split(',') as [string, string, string, string]
    if (index === 0) return [line]
    const first = [series, period, Number(value) * 1.1, later(asOf, 3)].join()
    return [first, [series, period, value, later(asOf, 24)].join()]
  })
  await replaceTruth(world, lines)
  const made = await scoreWorld(world, 'first')
  expect(made.ok && made.result.window).toMatchObject({
    ...{ seen_after_end: 15 * 3600, lower_if_final: expect.closeTo(0.9, 0) },
  })
  const folder = join(world.folder, 'first')
  expect(await audited(folder)).toMatchObject(HOLDS)
  const { ok, findings, links } = await audited(folder, { without: ['outcomes'] })
  expect([ok, findings]).toEqual([true, []])
  expect(links).toContainEqual(
    expect.objectContaining({ link: 'computation', state: 'not_checked' }),
  )
})

it('a history of one version is not paired under a protocol of the other', async () => {
  const hourly = await makeWorld({ replicates: 100 })
  const { paths } = await makeSeriesFolder()
  const says = (text: string) => ({ code: 'invalid-input', message: expect.stringContaining(text) })
  const series = pairHistory({ ...hourly.paths, history: paths.history })
  await expect(series).rejects.toMatchObject(says('it holds forecasts of any series'))
  const prices = pairHistory({ ...paths, history: hourly.paths.history })
  await expect(prices).rejects.toMatchObject(says('it holds hourly forecasts'))
})

describe('scales', async () => {
  const SCALING = { scaling: { kind: 'seasonal_naive' as const, period_steps: 7 } }
  const REGISTERED = at('2024-02-05T00:00:00Z')
  const lines = truthLines(await makeSeriesFolder())

  /** By the definition, of the days whose line says that they were public at an instant. */
  const scalesBy = (until: Instant, transforms = IDENTITY): SeriesScale[] =>
    ['a', 'b'].flatMap((series) => {
      const values = lines
        .map((line) => line.split(','))
        .filter(([of, , , asOf]) => of === series && at(asOf ?? '') <= until)
        .map(([, , value]) => Number(value))
      // Days up to 3 February were public: 54 of them, and 47 pairs a week apart.
      if (until === REGISTERED) expect(values).toHaveLength(54)
      return Object.entries(transforms).map(([transform, on]) => {
        const apart = values.slice(7).map((value, t) => Math.abs(on(value) - on(values[t]!)))
        const sum = apart.reduce((all, one) => all + one, 0)
        return { series, transform, value: sum / apart.length }
      })
    })
  const scaled = (scales: readonly SeriesScale[], scaledAt?: Instant) =>
    scored({ protocol: SCALING, scales: [scales, scaledAt] })

  it('are the numbers that the values in force at registration give, and no others', async () => {
    const [a, b] = scalesBy(REGISTERED) as [SeriesScale, SeriesScale]
    const { said, folder, world } = await scaled([a, b])
    expect(said).toEqual([])
    expect(await audited(folder)).toMatchObject(HOLDS)
    const other = await scaled([a, { ...b, value: b.value * 1.000001 }])
    expect(other.found).toMatchObject({ link: 'outcomes' })
    expect(other.said).toEqual([
      `1 of 2 scales is not what the values in force at 2024-02-05T00:00:00Z give: registered for b (transform identity) is ${b.value * 1.000001}, and these outcomes give ${b.value}`,
    ])
    const both = [a, b].map((each) => ({ ...each, value: each.value / 2 }))
    expect((await scaled(both)).said[0]).toContain('2 of 2 scales are not what')
    // The link of the outcomes breaks where these lack what was published by then.
    const later = lines.filter((line) => !line.includes('2024-01-0'))
    await replaceTruth(world, later)
    const { ok, links, findings } = await audited(folder)
    expect([ok, findings[0]?.code]).toEqual([false, 'series-scale-differs'])
    expect(links).toContainEqual({ link: 'outcomes', state: 'broken' })
    const without = await audited(folder, { without: ['outcomes'] })
    const open = { link: 'outcomes', state: 'not_checked', because: 'without-input' }
    expect(without.links).toContainEqual({ ...open, missing: ['outcomes'] })
  })

  it('are one for each transform: each score is divided by its own, and coverage by none', async () => {
    const on = { 'log_shift 1': (x: number) => Math.log(x + 1), sqrt: Math.sqrt }
    const scales = scalesBy(REGISTERED, on)
    const { said, cells, folder } = await scored({ ...SCALED, scales: [scales] })
    expect(said).toEqual([])
    expect(await audited(folder)).toMatchObject(HOLDS)
    // The mean of the candidate's scores, from the pairs, by the definitions.
    const pairs = readText(join(folder, 'pairs.ndjson.gz')).trim().split('\n')
    const own = pairs.map((line) => JSON.parse(line)).filter(({ model }) => model === 'mine')
    const divisor = (series: string, transform: string) =>
      scales.find((each) => each.series === series && each.transform === transform)!.value
    const meanOf = (series: string, loss: (pair: (typeof own)[number]) => number) => {
      const cell = own.filter((pair) => pair.series === series && pair.step === 1)
      return cell.reduce((sum, pair) => sum + loss(pair), 0) / cell.length
    }
    for (const { series, models } of cells.filter(({ step }) => step === 1)) {
      const { means } = models.mine!
      const errors = meanOf(series, ({ value, outcome }) => {
        return Math.abs(on.sqrt(value) - on.sqrt(outcome)) / divisor(series, 'sqrt')
      })
      const intervals = meanOf(series, ({ quantiles, outcome }) => {
        const log = on['log_shift 1']
        const terms = [0.1, 0.5, 0.9].map((q, at) => {
          const apart = log(outcome) - log(quantiles[at])
          return 2 * Math.max(q * apart, (q - 1) * apart)
        })
        return terms.reduce((sum, one) => sum + one, 0) / 3 / divisor(series, 'log_shift 1')
      })
      const covered = meanOf(series, ({ quantiles: [low, , high], outcome }) =>
        Number(low <= outcome && outcome <= high),
      )
      expect(means.error).toBeCloseTo(errors, 10)
      expect(means.wis).toBeCloseTo(intervals, 10)
      expect(means.coverage_80).toBeCloseTo(covered, 12)
    }
    // A table of losses has the same.
    const { stdout } = await inProcess(`export ${folder} losses --format ndjson`)
    const losses = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const table = losses.filter(
      (row) => row.model === 'mine' && row.series === 'a' && row.horizon === 1,
    )
    const mean = table.reduce((sum, row) => sum + row.error, 0) / table.length
    const cell = cells.find(({ series, step }) => step === 1 && series === 'a')
    expect(mean).toBeCloseTo(cell!.models.mine!.means.error!, 12)
  })

  it('may be of an earlier instant, up to which the outcomes of the registration were complete', async () => {
    const earlier = at('2024-02-01T00:00:00Z')
    expect((await scaled(scalesBy(earlier), earlier)).said).toEqual([])
    const late = at('2024-02-09T00:00:00Z')
    expect((await scaled(scalesBy(late), late)).said).toEqual([
      expect.stringContaining(
        '2024-02-09T00:00:00Z, but the protocol and the rest of the registration give',
      ),
    ])
  })

  it('are said by register to be of the values in force at an instant', async () => {
    const { folder } = await makeSeriesFolder({ protocol: SCALING })
    const window = { from: '2024-02-10', to: '2024-06-10' }
    const plan = JSON.stringify({ ...PLAN, mode: 'backtest', window })
    writeFileSync(join(folder, 'plan.json'), plan)
    const inputs = `--protocol ${folder}/protocols/daily-1.json --outcomes ${folder}/vintage`
    const line = `register ${folder}/plan.json ${inputs} --out ${folder}/backtest.json`
    const { code, stdout } = await inProcess(line)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^scales +of the values in force at 2024-07-01T12:00:00Z$/m)
  })
})

describe('a window that is scored in part', () => {
  const BACKTEST = { plan: { mode: 'backtest' as const }, origins: 70 }
  const FIRST = 60
  const label = (origin: number) => DAYS[FIRST + origin]!.label
  const scoredTo = (through: string) => scored(BACKTEST, { through })

  it('is the first part of a backtest, decides nothing and is audited as such', async () => {
    const { world, result, cells, folder } = await scoredTo(label(59))
    const [from, to, through] = [0, 69, 59].map(label)
    expect(result?.settings.window).toMatchObject({ from, to, origins: 70 })
    expect(result?.window).toMatchObject({ through, origins: 60 })
    const [{ disposition, reasons } = {}] = result?.dispositions ?? []
    expect([disposition, reasons?.[0]?.code]).toEqual(['blocked', 'window_shortened'])
    // The same figures as those of a window that was registered so.
    const own = await scored({ ...BACKTEST, origins: 60 })
    expect(own.result?.tests).toEqual(result!.tests)
    expect(own.cells).toEqual(cells)
    expect(await audited(folder)).toMatchObject(HOLDS)
    for (const name of ['report.html', 'report.md']) {
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('\\', '')
      expect(text).toContain(`to ${through} (registered: to ${to})`)
    }
    // Outcomes were seen: the whole window is no first reading any more.
    expect(await scoreWorld(world, 'second')).toMatchObject({ result: { earlier_readings: 1 } })
  })

  it('is the window where that is whole', async () => {
    const { result } = await scoredTo(label(69))
    expect(result?.window).toMatchObject({ through: null, origins: 70 })
  })

  it('is refused of a prospective window, and at what is no origin of it', async () => {
    const ahead = await scored({}, { through: label(9) })
    expect(ahead.said).toEqual([
      'a prospective window is scored as it is registered, or not at all',
    ])
    expect((await scoredTo(label(70))).said).toEqual([
      `${label(70)} is no origin of the registered window, ${label(0)} to ${label(69)}`,
    ])
  })

  it('is refused where values that were not there when it was registered are those of a running total', async () => {
    const world = await makeSeriesFolder()
    const totals = async (falls: number) => {
      const lines = truthLines(world).map((line, at) => {
        const [series, label, , asOf] = line.split(',')
        const value = label === DAYS[falls]?.label ? 0 : at
        return at === 0 ? line : [series, label, value, asOf].join()
      })
      await replaceTruth(world, lines)
      const found = await scoreWorld(world, 'first')
      return found.ok ? [] : found.findings.map((each) => formatMessage(each).text)
    }
    // Fewer than 100 values were known then: the first 100 count.
    expect(await totals(100)).toEqual([
      expect.stringMatching(/^the last 100 values of a never fall, as those of a running total/),
    ])
    expect(await totals(99)).toEqual([])
  })

  it('is offered where the end of a window of a backtest is not settled', async () => {
    const world = await makeSeriesFolder(BACKTEST)
    // Complete to the day 110, and settled two days later: target 108 is the last, of the origin 106, which is 27 March.
    const until = DAYS[110]!.label
    const settled = (line: string, at: number) => at === 0 || (line.split(',')[1] ?? '') <= until
    await replaceTruth(world, truthLines(world).filter(settled))
    const whole = await scoreWorld(world, 'first')
    const help = whole.ok ? '' : formatMessage(whole.findings[0]!).help
    expect(help).toContain('which decides nothing: --through 2024-03-27')
    expect(await scoreWorld(world, 'first', { through: '2024-03-28' })).toMatchObject({ ok: false })
    expect(await scoreWorld(world, 'first', { through: '2024-03-27' })).toMatchObject({ ok: true })
  })

  it.each([
    ['changed', label(59), label(58)],
    ['taken out', label(59), undefined],
    ['put in', label(69), label(59)],
  ])('is found where it was %s in a result', async (_, through, said) => {
    const at = new Forger((await scoredTo(through)).world.folder)
    at.result((result) => {
      Object.assign(result, { window: { ...result.window, through: said ?? null } })
    })
    await at.seal()
    expect(await audited(at.run)).toMatchObject({ ok: false })
  })
})

describe('a value of a forecast', () => {
  const WIS = { id: 'wis', kind: 'weighted_interval', primary: true } as const

  /** With another quantile of level 0.1 or 0.9 in some forecasts, by the number of their origin. */
  async function counted(
    change: (cells: string[], origin: number) => void,
    protocol?: SeriesFolderOptions['protocol'],
  ) {
    const line = (cells: string[], key: string) => {
      change(cells, Number(key.split(' ')[1]))
      return cells
    }
    const { result } = await scored({ line, ...(protocol && { protocol }) })
    const isAll = ({ model, step, scope }: ReadResult['accounting'][number]) =>
      `${model} ${step} ${scope}` === 'mine overall all'
    const codes = result?.dispositions[0]?.reasons.map(({ code }) => code)
    return { of: result?.accounting.find(isAll), codes }
  }

  it('without the transform of the score that decides is a failure, and no way out of an origin', async () => {
    const zero = (cells: string[], origin: number) => {
      if (origin < 20) cells[5] = '0'
    }
    const levels = ['0.1', '0.5', '0.9']
    const { of, codes } = await counted(zero, {
      scores: [{ ...WIS, transform: { kind: 'log' } }],
      forecast: { point: 'median', levels, minimum: '0.01', integer: false },
    })
    // 20 of 60 origins, of two series at two steps.
    expect(of).toMatchObject({ reasons: { out_of_range: 80 }, point: { scored: 160, failed: 80 } })
    expect(codes).toContain('availability_limit_exceeded')
    // With one more than the value there is a logarithm, and 0 may be the minimum.
    const shifted = { ...WIS, transform: { kind: 'log_shift', offset: '1' } } as const
    const point = { scored: 240 }
    expect((await counted(zero, { scores: [shifted] })).of).toMatchObject({ point })
  })

  it('beyond 1e100 is refused by an import, and one of 1e100 is scored', async () => {
    const put = (text: string) => (cells: string[], origin: number) => {
      if (origin === 8) cells[6] = text
    }
    const refused = /"json-number-range".*"pointer":"\/quantiles\/0.9"/
    await expect(counted(put('1.1e100'))).rejects.toThrow(refused)
    const { of } = await counted(put('1e100'))
    expect(of).toMatchObject({ point: { scored: 240, failed: 0 } })
  })

  it.each([1e15, 1e17, 1e97])(
    'of %d and more is scored, and what is written is read',
    async (unit) => {
      const large = (text: string) => String(Number(text) * unit)
      const line = (cells: string[]) => [
        ...cells.slice(0, 4),
        ...cells.slice(4, 7).map(large),
        cells[7]!,
      ]
      const world = await makeSeriesFolder({ line })
      const [header, ...rows] = truthLines(world).map((each) => each.split(','))
      const scaled = rows.map(([series, period, value, asOf]) => [
        series,
        period,
        large(value!),
        asOf,
      ])
      await replaceTruth(
        world,
        [header!, ...scaled].map((cells) => cells.join()),
      )
      const found = await scoreWorld(world, 'first')
      expect(found.ok && found.result.reading.measures[0]).toMatchObject({ pairs: { wis: 240 } })
      expect(await audited(join(world.folder, 'first'))).toMatchObject(HOLDS)
    },
  )
})

describe('a candidate in another unit', () => {
  /** All its forecasts of one series a hundred times as large, as centimetres of a river given in metres. */
  const centimetres = (cells: string[]) =>
    cells[0] === 'b' ? cells.map((cell, at) => (at > 3 && at < 7 ? `${cell}e2` : cell)) : cells
  const args = {
    model: 'mine',
    series: 'b',
    comparator: 'trend',
    rows: 120,
    of: 120,
    count: 1,
    all: 2,
  }
  const refused = { code: 'candidate-implausible', args: { fault: 'magnitude', ...args } }

  it('is refused before a reading is entered, and is scored as it is where that is asked for', async () => {
    const { found, world, said } = await scored({ line: centimetres })
    expect(found).toMatchObject({ ok: false, link: 'history', findings: [refused] })
    expect(said).toEqual([
      'the forecasts of mine for b are about 100 times those of trend, the nearest required comparator: 120 of 120 differ by more than a factor of 5',
    ])
    const { registration, protocol, history, outcomes } = world.paths
    const inputs = `--registration ${registration} --protocol ${protocol} --history ${history} --outcomes ${outcomes}`
    const run = await inProcess(`score ${inputs} --out ${world.folder}/run`)
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining(said[0]!) })
    expect(existsSync(join(world.paths.protocol, 'access'))).toBe(false)
    const asked = await scoreWorld(world, 'first', { implausible: true })
    const warned = { ...refused, severity: 'warning' }
    expect(asked).toMatchObject({ ok: true, findings: [warned] })
    const folder = join(world.folder, 'first')
    const first = { series: 'b', comparator: 'trend', keys: 120, beyond: 120 }
    const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))
    expect(result.implausible).toMatchObject([{ candidate: 'mine', series: 1, of: 2, first }])
    for (const name of ['report.html', 'report.md']) {
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('\\', '')
      expect(text).toContain('mine was scored although its forecasts seem to be in another unit')
    }
    // An audit makes it again, of the history or of the pairs alone, and says so.
    expect(await audited(folder)).toMatchObject({ ok: true, findings: [warned] })
    const stored = await audited(folder, { without: ['history'] })
    expect(stored.links).toContainEqual({ link: 'computation', state: 'holds' })
    expect(stored.findings).toMatchObject([warned])
    // Whoever takes it out of the result, says another thing than the forecasts.
    const at = new Forger(world.folder)
    at.result((of) => {
      of.implausible = []
    })
    await at.seal()
    const forged = await audited(at.run)
    expect(forged).toMatchObject({ ok: false, findings: [{ pointer: '/implausible/0' }] })
  })

  it('is found without a look at any outcome', async () => {
    const { rows, ...basis } = seriesWorld({ origins: 30 })
    const { plan, ...task } = seriesTask(basis)
    const target = () => expect.unreachable('an outcome was asked for')
    const blind = { ...task, plan: { ...plan, rules: { ...plan.rules, target, seen: target } } }
    const large = rows.map((row) => ({ ...row, forecast: row.forecast && row.forecast * 100 }))
    expect(await implausibleCandidates(blind, batches(rows))).toEqual([])
    // Of a series that starts late, the comparators have too few forecasts.
    expect(await implausibleCandidates(blind, batches(large))).toMatchObject([{ series: 5, of: 6 }])
  })

  it('is scored without a word where the unit is right, whatever the flag says', async () => {
    const { found, folder } = await scored({}, { implausible: true })
    expect(found).toMatchObject({ ok: true, findings: [] })
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')).implausible).toEqual([])
  })
})
