import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { describePeriods, type PeriodList, periodsText } from '../../src/periods/list.js'
import { checkSeriesDocument } from '../../src/protocol/rules/check-series.js'
import { checkSeriesPeriods } from '../../src/protocol/rules/series-periods.js'
import { lossTableColumns } from '../../src/tidy/losses.js'
import { argsOf } from '../contract/args-of.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { type Changes, changedIn } from './sample.js'
import { WEEKS, weekly } from './weekly.js'

const said = (found: ReturnType<typeof checkSeriesDocument>) =>
  found.map((each) => `${each.pointer} ${each.code} ${formatMessage(each).text}`)

const faultsOf = (changes: Changes) => said(checkSeriesDocument(changedIn(weekly(), changes)))

it('a protocol for any series has nothing wrong with it', () => {
  expect(faultsOf({})).toEqual([])
  expect(checkSeriesPeriods(weekly(), WEEKS)).toEqual([])
})

const TURNS = { id: 'turns', kind: 'direction', epsilon: '0.01' }
const FEW = { window: 104, minimum: 20 }
const ONCE = { '/outcome/release': { rule: 'first', wait: 'P28D' } }
const BEST = { id: 'best', kind: 'strongest', pool: ['last_value', 'best'], errors: FEW }
const DIRECTED = { '/limits/direction': '0.02' }

describe('direction', () => {
  const faultsIn = (changes: Changes) =>
    checkSeriesDocument(changedIn(weekly(), { ...DIRECTED, ...changes })).map(
      (each) => `${each.code} ${argsOf(each).fault ?? ''}`,
    )

  it('is a score beside the one that decides, once, on any transform', () => {
    const transform = { kind: 'log_shift', offset: '1' }
    expect(faultsIn({ '/scores/1': { ...TURNS, transform } })).toEqual([])
    expect(faultsIn({ '/scores/1': TURNS, '/scores/2': { ...TURNS, id: 'again' } })).toEqual([
      'series-rule directions',
    ])
    expect(faultsIn({ '/scores/0': { ...TURNS, primary: true } })).toContain('series-rule beside')
  })
})

const CALM = { level: 'calm', below: '0.1' }
const MOVES = { name: 'moves', by: 'past_volatility', series: 'US', changes: 8 }
const PARTS = {
  ...{ name: 'part', by: 'weekday' },
  levels: [
    { level: 'early', days: ['mon', 'tue', 'wed', 'thu'] },
    { level: 'late', days: ['fri', 'sat', 'sun'] },
  ],
}

it('a protocol may have strata', () => {
  const moves = { ...MOVES, levels: [CALM, { level: 'rough' }] }
  const logged = { ...moves, name: 'logged', transform: { kind: 'log' } }
  // What it leaves out is a question of design.
  const hours = { name: 'night', by: 'hour_of_day', levels: [{ level: 'night', hours: [0, 1] }] }
  expect(faultsOf({ '/strata': [PARTS, moves, logged, hours] })).toEqual([])
})

describe('what is wrong with strata is named by its place', () => {
  const rough = { level: 'rough' }
  it.each<[string, object[]]>([
    ['/strata item-count', []],
    ['/strata/0/by value-not-allowed', [{ ...PARTS, by: 'regime' }]],
    ['/strata/1/name listed-twice', [PARTS, PARTS]],
    [
      '/strata/0/levels/0/hours stratum-levels',
      [{ ...PARTS, by: 'weekday', levels: [{ level: 'a', days: ['mon'], hours: [1] }] }],
    ],
    [
      '/strata/0/levels/1/level listed-twice',
      [{ ...PARTS, levels: [PARTS.levels[0], { level: 'early', days: ['sun'] }] }],
    ],
    [
      '/strata/0/levels/1/days/0 stratum-levels mon already belongs to the level "early"',
      [{ ...PARTS, levels: [PARTS.levels[0], { level: 'late', days: ['mon'] }] }],
    ],
    ['/strata/0/changes stratum-levels "changes" has no effect', [{ ...PARTS, changes: 8 }]],
    [
      '/strata/0/series series-rule "EU" is not a series',
      [{ ...MOVES, series: 'EU', levels: [CALM, rough] }],
    ],
    ['/strata/0/changes out-of-bounds', [{ ...MOVES, changes: 1, levels: [CALM, rough] }]],
    ['/strata/0 missing-key', [{ ...MOVES, series: undefined, levels: [CALM, rough] }]],
    ['/strata/0/levels/0 missing-key', [{ ...MOVES, levels: [{ level: 'calm' }, rough] }]],
    [
      '/strata/0/levels/1/below stratum-levels the last level has no',
      [{ ...MOVES, levels: [CALM, { ...rough, below: '1' }] }],
    ],
    [
      '/strata/0/levels/1/below stratum-levels cut-points must ascend',
      [{ ...MOVES, levels: [CALM, { level: 'middle', below: '0.1' }, rough] }],
    ],
    [
      '/strata/0/levels/0/below stratum-levels cut-points must ascend, but 0 is not above 0',
      [{ ...MOVES, levels: [{ level: 'calm', below: '0' }, rough] }],
    ],
    [
      '/strata/0/transform missing-key',
      [{ ...MOVES, transform: { kind: 'log_shift' }, levels: [CALM, rough] }],
    ],
  ])('%s', (wanted, strata) => {
    const [found = ''] = faultsOf({ '/strata': strata })
    expect(found).toContain(wanted)
  })
})

describe('what is wrong with a document is named by its place', () => {
  it.each<[string, Changes]>([
    ['/schema_version wrong-value', { '/schema_version': 1 }],
    ['/hours unknown-key', { '/hours': 1 }],
    [' missing-key', { '/zone': undefined }],
    ['/zone series-rule', { '/zone': 'America/Gotham' }],
    ['/zone series-rule', { '/zone': 'europe/berlin' }],
    ['/series item-count', { '/series': [] }],
    ['/series/1/id series-rule', { '/series/1/id': 'US' }],
    ['/series/0/id malformed-text', { '/series/0/id': 'a,b' }],
    ['/series/0/id malformed-text', { '/series/0/id': 'x'.repeat(65) }],
    ['/periods/sha256 malformed-text', { '/periods/sha256': 'A' }],
    ['/periods/count out-of-bounds', { '/periods/count': 0 }],
    ['/origins/due missing-key', { '/origins/due/offset': undefined }],
    ['/origins/due/offset unknown-key', { '/origins/due/anchor': 'column' }],
    ['/origins/due/offset malformed-text', { '/origins/due/offset': 'P1W' }],
    ['/origins/due/offset malformed-text', { '/origins/due/offset': 'PT' }],
    ['/origins/due/anchor value-not-allowed', { '/origins/due/anchor': 'middle' }],
    ['/horizons/1 series-rule', { '/horizons': [2, 1] }],
    ['/horizons/1 listed-twice', { '/horizons': [1, 1] }],
    ['/horizons/0 wrong-type', { '/horizons': [1.5] }],
    ['/outcome/release missing-key', { '/outcome/release': { rule: 'first' } }],
    ['/outcome/release missing-key', { '/outcome/release/rule': 'unrevised' }],
    ['/outcome/release/lag malformed-text', { '/outcome/release/lag': '-P28D' }],
    [
      '/outcome/release/at invalid-timestamp',
      { '/outcome/release': { rule: 'as_of_instant', at: '2026-02-30T00:00:00Z' } },
    ],
    ['/forecast/point wrong-value', { '/forecast/point': 'mode' }],
    ['/forecast/levels/0 malformed-text', { '/forecast/levels/0': '0.10' }],
    ['/forecast/levels/0 wrong-type', { '/forecast/levels/0': 0.1 }],
    ['/forecast/levels/1 series-rule', { '/forecast/levels': ['0.5', '0.1', '0.9'] }],
    [
      '/forecast/levels series-rule a weighted interval score needs levels that are symmetric about 0.5: 0.75',
      { '/forecast/levels': ['0.1', '0.25', '0.9'] },
    ],
    ['/forecast/minimum malformed-text', { '/forecast/minimum': '-0' }],
    [
      '/scores series-rule exactly one score is primary; here it is none',
      { '/scores/0/primary': undefined },
    ],
    [
      '/scores series-rule exactly one score is primary; here it is 2',
      { '/scores/1': { id: 'mae', kind: 'absolute_error', primary: true } },
    ],
    ['/scores/1 series-rule coverage decides nothing', { '/scores/1/transform': { kind: 'log' } }],
    ['/scores/1/id series-rule', { '/scores/1/id': 'wis_log' }],
    [
      '/scores/1/id series-rule no score may have the id "below_0.1"',
      { '/scores/1/id': 'below_0.1' },
    ],
    ['/baselines/0 missing-key', { '/baselines/0/errors': undefined }],
    [
      '/baselines/1/errors/minimum series-rule a window of 104 errors never holds 105',
      { '/baselines/1/errors/minimum': 105 },
    ],
    [
      '/scores/1/upper series-rule the levels of an interval add up to 1: beside 0.1 it is 0.9',
      { '/scores/1/upper': '0.5' },
    ],
    ['/scores/1/lower series-rule 0.05 is none of the levels', { '/scores/1/lower': '0.05' }],
    ['/scores/1 missing-key', { '/scores/1/lower': undefined }],
    ['/scores/0/transform missing-key', { '/scores/0/transform': { kind: 'log_shift' } }],
    ['/scores/0/transform/offset unknown-key', { '/scores/0/transform/kind': 'log' }],
    ['/scores/0/kind value-not-allowed', { '/scores/0/kind': 'mae' }],
    ['/scaling missing-key', { '/scaling': { kind: 'seasonal_naive' } }],
    ['/baselines/1 missing-key', { '/baselines/1/season': undefined }],
    ['/baselines/0/season unknown-key', { '/baselines/0/season': 'day' }],
    ['/baselines/1/period_steps unknown-key', { '/baselines/1/period_steps': 52 }],
    [
      '/baselines/1 missing-key',
      { ...ONCE, '/baselines/1': { id: 'best', kind: 'strongest', errors: FEW } },
    ],
    [
      '/baselines/1/pool/1 series-rule strongest cannot choose "best"',
      { ...ONCE, '/baselines/1': BEST },
    ],
    [
      '/baselines/1/kind series-rule ema learns from values that are not revised; those of the rule as_of_lag are',
      { '/baselines/1': { id: 'level', kind: 'ema', errors: FEW } },
    ],
    ['/baselines/1/season value-not-allowed', { '/baselines/1/season': 'month' }],
    ['/baselines/1/errors unknown-key', { '/baselines/1/kind': 'seasonal_climatology' }],
    ['/comparisons/required item-count', { '/comparisons/required': [] }],
    ['/dependence/minimum_blocks out-of-bounds', { '/dependence/minimum_blocks': 9 }],
    ['/limits/harm malformed-text', { '/limits/harm': '1.5' }],
    ['/limits missing-key', { '/scores/1': TURNS }],
    ['/limits/direction unknown-key', { '/limits/direction': '0.02' }],
    ['/scores/1 missing-key', { '/scores/1': { id: 'turns', kind: 'direction' }, ...DIRECTED }],
    ['/scores/0/epsilon unknown-key', { '/scores/0/epsilon': '0.1' }],
    [
      '/forecast/minimum series-rule -1e+101 lies beyond ±1e100',
      { '/forecast/minimum': `-1${'0'.repeat(101)}` },
    ],
    [
      '/scores/0/transform/offset series-rule 1.5e+100 lies beyond ±1e100',
      { '/scores/0/transform/offset': `15${'0'.repeat(99)}` },
    ],
    ['/uncertainty/alpha series-rule', { '/uncertainty/alpha': '0.6' }],
    ['/uncertainty/method wrong-value', { '/uncertainty/method': 'bootstrap' }],
  ])('%s', (expected, change) => {
    expect(faultsOf(change)[0]?.slice(0, expected.length)).toBe(expected)
  })
})

it.each(
  lossTableColumns({ settings: { candidates: [], rules: { scores: [] } } } as never).map(
    ({ name }) => name,
  ),
)('no score has the id %s: the table of losses has a column of this name', (id) => {
  expect(faultsOf({ '/scores/1/id': id })[0]).toContain('no score may have the id')
})

describe('a protocol and its list of periods', () => {
  function together(changes: Changes, list: PeriodList = WEEKS): string[] {
    const protocol = { ...weekly(), periods: { ...describePeriods(list), made_by: '' } }
    return said(checkSeriesPeriods(changedIn(protocol, changes), list))
  }
  const withColumns = (columns: object) => WEEKS.map((week) => ({ ...week, ...columns }))

  it.each<[string, Changes, PeriodList?]>([
    [
      '/periods/count series-periods the list of periods has count 158; the protocol says 157',
      { '/periods/count': 157 },
    ],
    ['/periods/sha256 series-periods', { '/periods/sha256': 'f'.repeat(64) }],
    // Friday noon comes after the count of that day at midnight.
    [
      '/origins/due series-periods a forecast of "2025-W32" is due at 2025-08-15T16:00:00Z, later than its target "2025-W32"',
      { '/origins/due/offset': 'P5DT12H' },
    ],
    [
      '/origins/due series-periods the list of periods has no due for "2025-W32"',
      { '/origins/due': { anchor: 'column' } },
    ],
    [
      '/outcome/known series-periods the list of periods has no known for "2025-W32"',
      { '/outcome/known': { anchor: 'column' } },
    ],
    [
      '/horizons series-periods the origin "2025-W32" has the step 4, which is none of the horizons',
      {},
      withColumns({ origin: true, steps: [1, 4] }),
    ],
    [
      '/horizons/0 series-periods no origin has the step 500 to a period of the list',
      { '/horizons': [500] },
    ],
    // 158 weeks: the last is 157 steps from the first.
    [
      '/horizons/2 series-periods no origin has the step 158 to a period of the list',
      { '/horizons': [0, 157, 158] },
    ],
    [
      '/scaling/period_steps series-periods no two periods of the list lie 158 steps apart',
      { '/scaling': { kind: 'seasonal_naive', period_steps: 158 } },
    ],
    [
      '/horizons/3 series-periods no origin has the step 3 to a period of the list',
      {},
      withColumns({ origin: true, steps: [0, 1, 2] }),
    ],
    [
      '/outcome/release series-periods the value of "2025-W32" is settled at',
      { '/outcome/release/lag': 'P4D' },
    ],
    // The last horizon is 3; when a week is due, the one before it is the newest that is known: 3 - (-1).
    [
      '/dependence/block_origins series-periods block_origins is 3, and errors depend on each other over 4 origins',
      { '/dependence/block_origins': 3 },
    ],
    // Said to be public before its end, at the very instant of due: without a date it is not seen until the week has ended.
    [
      '/dependence/block_origins series-periods block_origins is 3, and errors depend on each other over 4 origins',
      {
        '/dependence/block_origins': 3,
        '/origins/due': { anchor: 'start', offset: 'P4D' },
        '/outcome/known': { anchor: 'start', offset: 'P4D' },
      },
    ],
  ])('%s', (expected, change, list) => {
    expect(together(change, list).map((text) => text.slice(0, expected.length))).toEqual([expected])
  })

  it('blocks count origins, not steps: every second week half as many', () => {
    const list = WEEKS.map((week, at) => ({ ...week, origin: at % 2 === 0 }))
    expect(together({ '/dependence/block_origins': 2 }, list)).toEqual([])
    expect(together({ '/dependence/block_origins': 1 }, list)).toHaveLength(1)
  })
})

describe('freeze and verify', () => {
  const folder = temporaryFolder()
  const draft = join(folder, 'draft.json')
  const list = join(folder, 'periods.csv')
  const dir = join(folder, 'protocols')
  const frozen = join(dir, 'admissions-1.json')
  const frozenList = join(dir, 'admissions-1.periods.csv')

  it('a protocol is frozen with its list, whose figures it may leave out', async () => {
    const { protocol_sha256: _, periods: __, ...rest } = weekly()
    writeFileSync(draft, JSON.stringify({ ...rest, periods: { made_by: 'weeks' } }))
    writeFileSync(list, periodsText(WEEKS).replaceAll('\n', '\r\n'))
    const without = await inProcess(['freeze', draft, '--dir', dir])
    expect([without.code, without.stdout]).toEqual([1, expect.stringMatching('with --periods')])
    const done = await inProcess(['freeze', draft, '--dir', dir, '--periods', list])
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(frozenList, 'utf8')).toBe(periodsText(WEEKS))
    expect(JSON.parse(readFileSync(frozen, 'utf8')).periods).toMatchObject(describePeriods(WEEKS))
    expect(await inProcess(['verify', dir])).toMatchObject({ code: 0 })
    const again = await inProcess(['freeze', draft, '--dir', dir, '--periods', list])
    expect(again.stdout).toContain('was frozen before')
  })

  it('a list that was changed, or is not there, is named', async () => {
    writeFileSync(frozenList, periodsText(WEEKS.slice(1)))
    expect((await inProcess(['verify', dir])).stdout).toContain('the list of periods has count')
    const other = join(folder, 'other')
    await inProcess(['freeze', draft, '--dir', other, '--periods', list])
    expect(existsSync(join(other, 'admissions-1.periods.csv'))).toBe(true)
    writeFileSync(join(folder, 'admissions-1.json'), readFileSync(frozen))
    const alone = await inProcess(['verify', join(folder, 'admissions-1.json')])
    expect(alone.stdout).toContain('is not there')
  })

  it('a list is for a protocol of version 2, and a fault in it shows no line of the draft', async () => {
    const first = join(ROOT, 'protocols', 'btcusd-hourly-4.json')
    const refused = await inProcess(['freeze', first, '--dir', folder, '--periods', list])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('--periods is for protocols of version 2')
    const broken = join(folder, 'broken.csv')
    writeFileSync(broken, 'period,start,end\na,2026-01-01T00:00:00Z,soon\n')
    const { stdout } = await inProcess(['freeze', draft, '--dir', folder, '--periods', broken])
    expect(stdout).toContain('the end "soon"')
    expect(stdout).not.toContain('schema_version')
  })
})

describe('what cannot be judged here is named, with the page that says so', () => {
  const KINDS = {
    mean: 'asks for a mean: a forecast is a median and quantiles',
    samples: 'asks for samples: a forecast is a median and quantiles',
    probabilities: 'asks for probabilities of events',
    due: 'asks for more than one due time: all steps of an origin are due at once',
    zones: 'asks for more than one time zone: a protocol has one',
  }
  const dues = [1, 2].map((horizon) => ({ horizon, anchor: 'end', offset: 'P3D' }))
  const byStep = { '1': { offset: 'P3D' }, '2': { offset: 'P4D' } }
  it.each<[keyof typeof KINDS, string, Changes]>([
    ['mean', '/forecast/point "mean"', { '/forecast/point': 'mean' }],
    ['mean', '/scores/0/kind "squared_error"', { '/scores/0/kind': 'squared_error' }],
    ['mean', '/scores/1/kind "RMSE"', { '/scores/1/kind': 'RMSE' }],
    ['mean', '/forecast/mean "mean"', { '/forecast/mean': true }],
    ['samples', '/forecast/samples "samples"', { '/forecast/samples': 100 }],
    ['samples', '/scores/0/kind "crps"', { '/scores/0/kind': 'crps' }],
    ['samples', '/forecast/point "ensemble"', { '/forecast/point': 'ensemble' }],
    ['probabilities', '/forecast/point "probability"', { '/forecast/point': 'probability' }],
    ['probabilities', '/scores/0/kind "brier"', { '/scores/0/kind': 'brier' }],
    ['probabilities', '/scores/0/kind "log_score"', { '/scores/0/kind': 'log_score' }],
    ['due', '/origins/due an array', { '/origins/due': Array(9).fill(dues[0]) }],
    ['due', '/origins/due [', { '/origins/due': dues.map(({ horizon }) => horizon) }],
    ['due', '/origins/due {', { '/origins/due': byStep }],
    ['due', '/origins/due_by_step "due_by_step"', { '/origins/due_by_step': byStep }],
    ['due', '/horizons/0 {', { '/horizons/0': { step: 0, due: 'P3D' } }],
    ['due', '/series/0/due "due"', { '/series/0/due': 'P3D' }],
    ['zones', '/zone [', { '/zone': ['Europe/Berlin', 'Europe/London'] }],
    ['zones', '/zones "zones"', { '/zones': ['Europe/Berlin'] }],
    ['zones', '/series/1/zone "zone"', { '/series/1/zone': 'Europe/Berlin' }],
    ['zones', '/series/1/timezone "timezone"', { '/series/1/timezone': 'Europe/Berlin' }],
  ])('%s: %s', (kind, place, changes) => {
    const found = checkSeriesDocument(changedIn(weekly(), changes))
    const [pointer, what] = place.split(' ')
    // One finding, whatever else the schema says of that place.
    expect(found).toMatchObject([{ code: 'series-rule', pointer, args: { fault: kind } }])
    const { text, help } = formatMessage(found[0]!)
    expect(text).toContain(KINDS[kind])
    expect(text.startsWith(what ?? '')).toBe(true)
    expect(help).toContain('docs/not-for.md')
  })

  it('and nothing else is: other words, and zones in another place', () => {
    const codes = (changes: Changes) =>
      checkSeriesDocument(changedIn(weekly(), changes)).map(({ code }) => code)
    expect(codes({ '/scores/0/kind': 'mean_absolute_error' })).toEqual(['value-not-allowed'])
    expect(codes({ '/zone': 7 })).toEqual(['wrong-type'])
    expect(codes({ '/periods/zone': 'Europe/Berlin' })).toEqual(['unknown-key'])
    expect(codes({ '/origins/due': '06:00' })).toEqual(['wrong-type'])
    expect(codes({ '/origins/lead': 'PT1H' })).toEqual(['unknown-key'])
  })
})
