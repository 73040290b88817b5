import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { MICROS_PER_DAY } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { renderHtml } from '../../src/report/html/page.js'
import {
  evaluated,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
} from '../evaluation/made.js'
import { copied, type Game, played, several } from '../evaluation/played.js'
import { type Over, scoreInto } from '../evaluation/score-into.js'
import { DAYS, makeSeriesFolder, type SeriesFolderOptions } from '../evaluation/series-folder.js'
import { changedIn } from '../protocol/sample.js'
import { sampleResult } from '../report/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { standard } from '../support/standard.js'
import { hasChromium, launch } from './launch.js'
import { openFile, widerThanScreen } from './looks.js'

/**
 * Every sentence about how a forecast is judged, in a report that needs it. `PICTURES=folder` takes a picture of the
 * top of each.
 */

const after = (offset: string) => ({ anchor: 'end', offset }) as const
const WEEK = standard({ seasons: ['week'] })
const rules = (
  origins: SeriesProtocol['origins'],
  outcome: Pick<SeriesProtocol['outcome'], 'known' | 'over'> & Partial<SeriesProtocol['outcome']>,
): Partial<SeriesProtocol> => ({
  ...{ ...WEEK, origins },
  outcome: { release: { rule: 'unrevised', wait: 'PT1H' }, ...outcome },
  dependence: { block_origins: 9, minimum_blocks: 10, minimum_pairs: 50 },
})

/** A quarter of each move is over when forecasts are due. */
const COPIED = copied(8, () => 0.25)
const NONE = several(3, { loss: 1 })
const GOOD = several(10, { loss: 0.7 })
const LATE = rules({ due: after('PT6H') }, { known: after('PT6H'), over: 'end' })
const TASK = { waiting: 'part_of_the_task', waiting_reason: 'Prices move on.' } as const
const last = (before: number) => before

/** Games, and what their reports have to say. */
const GAMES: Readonly<Record<string, readonly [game: Game, ...says: string[]]>> = {
  waiting: [
    { series: NONE, ...COPIED, protocol: LATE },
    'Forecasts were accepted up to 6 hours after the end of their origin. Without any skill, this can lower a loss by 25.0 %',
    'Were it a mean or a total, a part would be known',
    'lower, as is required',
    'It is too small if an end is later than the moment its value belongs to',
  ],
  'given-away': [
    { series: NONE, ...COPIED, protocol: { ...LATE, origins: { due: after('PT6H'), ...TASK } } },
    'Eligible, waiting given away (25.0 %)',
    'The protocol makes waiting part of the task',
  ],
  'too-long': [
    {
      ...{ series: NONE, says: last, dated: 7 * MICROS_PER_DAY },
      protocol: rules({ due: after('PT0S') }, { over: 'end', known: after('P7D') }),
    },
    'Waiting until forecasts are due is worth 87.5 % of the loss of persistence (limit 60 %)',
  ],
  nowcasts: [
    {
      ...{ series: NONE, says: last },
      protocol: rules({ due: after('PT3H') }, { over: 'period', known: after('PT3H') }),
    },
    'so no candidate can be eligible by these nowcasts alone',
    'No comparator copied the newest reading from inside the last period',
  ],
  'nowcast-beside': [
    {
      series: GOOD,
      protocol: {
        ...rules(
          { due: { anchor: 'start', offset: 'PT18H' } },
          { over: 'period', known: after('PT0S') },
        ),
        horizons: [0, 1],
      },
    },
    'a nowcast decides nothing but its limit of harm',
    'Such nowcasts are shown and decide nothing but their limit of harm',
  ],
  'outcomes-missing': [
    {
      series: several(10, { loss: 1 }),
      isLeftOut: (_, at, worse) => at > 60 && at <= 180 && worse > 0.3,
    },
    'of the outcomes of the window are missing (limit 2 %), so no candidate can be eligible or negative',
    'lower, as is required; missing outcomes count as the worst: against last (',
  ],
  'stand-ins': [
    {
      series: several(60, { loss: 0.7 }),
      isLeftOut: (id, at) => id === 's10' && at > 60 && at % 5 < 3,
      protocol: { scaling: { kind: 'seasonal_naive', period_steps: 1 } },
    },
    '1 cell of s10 has no outcome at more than half of the keys and is in no figure here.',
  ],
  'values-missing-before': [
    { series: GOOD, isLeftOut: (_, at) => at < 50 && at % 2 === 0 },
    'of the values expected before the window are missing (limit 10 %)',
    'Enough would be a list from D47.',
  ],
  groups: [
    {
      series: [
        ...several(8, { loss: 0.6, group: 'adults' }),
        ...several(2, { loss: 1.35, group: 'children' }, 'c'),
      ],
    },
    'In the group children the loss may be worse by more than the limit of 5.0 %',
    'mine is worse than last by more than the limit of 5.0 % in 2 of 10 series',
  ],
  negative: [
    { series: several(10, { loss: 1.25 }) },
    'Persistence saw values on the median 0 minutes after their end',
    'a negative verdict would not hold',
    'is significantly higher',
  ],
  eligible: [
    { series: GOOD, protocol: standard({ seasons: ['week', 'year'] }) },
    'Eligible for human review, the year not asked',
    'The year was not asked of every series',
    'the values before the window are too few, or its season is not longer than a period',
    'Times are the candidate’s own word',
    'In no series is ',
    'a season of a fortnight, a month or a tide, or the part of a moving mean that is already known',
  ],
  'far-off': [
    {
      series: GOOD,
      value: (before, noise) => before + 20 + 2 * noise,
      says: (before) => before + 20,
      protocol: standard(),
    },
    'over 1.5 times that of the best standard comparator',
  ],
  'first-values': [
    {
      series: GOOD,
      protocol: {
        outcome: { known: after('PT0S'), over: 'end', release: { rule: 'first', wait: 'P2D' } },
      },
    },
    'What counts is the first value, and comparators see corrected ones',
  ],
  'whole-numbers': [
    {
      series: GOOD,
      value: (before, noise) => Math.round(before + 30 * noise),
      says: (before, value) => Math.round(value - 0.7 * (value - before)),
      protocol: { forecast: { point: 'median', levels: [], integer: true, minimum: '0' } },
    },
    'a constant has a loss 3 to 4 % lower without any skill',
  ],
  preliminary: [
    {
      series: GOOD,
      protocol: {
        outcome: { known: after('PT0S'), over: 'end', release: { rule: 'as_of_lag', lag: 'PT6H' } },
      },
    },
    'Comparators take preliminary values as they are',
  ],
  'lax-and-late': [
    {
      series: [...GOOD, { id: 'late', loss: 0.7, from: 'D150' }],
      protocol: {
        limits: {
          availability: '0.05',
          availability_stratum: '0.1',
          harm: '0.2',
          practical_effect: '0.01',
        },
      },
    },
    'Laxer than the reference (its number in brackets)',
    '(a series at a step) is in no test',
  ],
  'no-test-at': [
    {
      series: several(10, { loss: 0.7, from: 'D130' }),
      protocol: {
        horizons: [1, 2],
        dependence: { block_origins: 5, minimum_blocks: 10, minimum_pairs: 52 },
      },
    },
    'No test at step 1: fewer than 52 origins of the window have such a target.',
  ],
  silent: [
    { series: NONE, isSilent: (worse) => worse > 0.3 },
    'of its forecasts could not be scored',
    'expected attempts were not scored',
  ],
  'too-few-days': [
    { series: GOOD, length: MICROS_PER_DAY / 96 },
    'The loss could not be tested (too few days): against last overall and at step 1.',
  ],
  'backtest-higher': [
    { series: several(10, { loss: 1.6 }), plan: { mode: 'backtest' } },
    'no error rate holds',
    'Higher',
  ],
  shortened: [
    { series: GOOD, through: 170, plan: { mode: 'backtest' } },
    'from D60 to D170 (registered: to D179)',
    'The window was shortened when it was scored.',
  ],
  'backtest-lower': [{ series: GOOD, plan: { mode: 'backtest' } }, 'no error rate holds', 'Lower'],
}

const HOURS = 24 * 60

/** A model that knows the way ahead, under a changed protocol of version 1 or registration. */
async function hourly(
  change: Parameters<typeof madeRegistration>[1],
  protocol = madeProtocol(200),
) {
  const vintage = madeVintage(HOURS)
  const models = ['champion', 'seer'].map((name, at) => ({ name, sight: 0.3 * at }))
  const rows = madeRows(HOURS, vintage, models, false)
  return (await evaluated(madeRegistration(HOURS, change, protocol), vintage, rows, protocol))
    .result
}

const HOURLY: Readonly<
  Record<string, readonly [() => ReturnType<typeof hourly>, ...says: string[]]>
> = {
  'not-decided': [
    async () => sampleResult({ method: 'percentile-bootstrap', strata: false }) as never,
    'is not judged, because its protocol decides by a bootstrap',
  ],
  'too-lax': [
    () => hourly({}, changedIn(madeProtocol(200), { '/design/practical_effect_floor': 0.001 })),
    'The protocol is too lax for any candidate to be eligible',
  ],
  substituted: [
    () =>
      hourly({
        comparators: [
          { source: 'history', name: 'champion', required_as: ['persistence', 'incumbent'] },
        ],
      }),
    'The required persistence was not computed',
    'no candidate can be eligible by it',
  ],
  'chosen-by-plan': [
    () => {
      const required = ['persistence', 'ar1', 'drift_24h', 'incumbent']
      const protocol = changedIn(madeProtocol(200), { '/estimands/comparisons/required': required })
      const comparators = required.map((name) =>
        name === 'incumbent'
          ? { source: 'history' as const, name: 'champion', required_as: [name] }
          : { source: 'built_in' as const, name, required_as: [name] },
      )
      return hourly({ comparators }, protocol)
    },
    'the plan chose: incumbent is the model champion of the history.',
  ],
  lag: [
    () => hourly({ due_minutes: 60 }),
    'Forecasts were accepted up to 60 minutes after their origin',
  ],
}

/** What only files bring: an earlier registration of the ledger, a history in another unit. */
const FOLDERS: Readonly<
  Record<string, readonly [made: SeriesFolderOptions, over: Over, ...says: string[]]>
> = {
  'registered-before': [
    {
      before: {
        name: 'earlier',
        window: { from: DAYS[80]?.label ?? '', to: DAYS[110]?.label ?? '' },
      },
    },
    {},
    'Registered before: the alpha of this evaluation is 0.83 %, the protocol’s 5.0 % divided by 6',
  ],
  implausible: [
    {
      line: (cells) =>
        cells[0] === 'b' ? cells.map((cell, at) => (at > 3 && at < 7 ? `${cell}e2` : cell)) : cells,
    },
    { implausible: true },
    'was scored although its forecasts seem to be in another unit than the outcomes',
  ],
}

describe.runIf(hasChromium)('a report says', () => {
  const folder = temporaryFolder()
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })

  async function expectSaid(name: string, html: string, says: readonly string[]) {
    const file = join(folder, `${name}.html`)
    writeFileSync(file, html)
    const { page } = await openFile(browser, file, {
      viewport: { width: 1280, height: 1500 },
    })
    const pictures = process.env.PICTURES
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) })
    const text = (await page.locator('body').textContent())?.replaceAll('\u202f', ' ') ?? ''
    expect(says.filter((sentence) => !text.includes(sentence))).toEqual([])
    expect(await widerThanScreen(page)).toBe(0)
  }

  it.each(Object.entries(GAMES))('%s', async (name, [game, ...says]) => {
    await expectSaid(name, renderHtml((await played(game)).result), says)
  })

  it.each(Object.entries(FOLDERS))('%s', async (name, [made, over, ...says]) => {
    const { result } = await scoreInto(await makeSeriesFolder(made), 'first', over)
    await expectSaid(name, renderHtml(result), says)
  })

  it.each(Object.entries(HOURLY))('%s', async (name, [made, ...says]) => {
    await expectSaid(name, renderHtml(await made()), says)
  })
})
