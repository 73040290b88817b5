import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkedInstant, formatUtc } from '../../src/contract/instant.js'
import type { RulesData } from '../../src/contract/types.js'
import { sha256Hex } from '../../src/document/digest.js'
import { describePeriods, type PeriodList, periodsText } from '../../src/periods/list.js'
import { dayPeriods } from '../../src/periods/make.js'
import { later, type Offset, parseOffset } from '../../src/periods/offset.js'
import { openPeriods, openSessions } from '../../src/periods/read.js'
import { createSeriesTimes } from '../../src/periods/series-times.js'
import { parseSteps, stepsText } from '../../src/periods/steps.js'
import { argsOf } from '../contract/args-of.js'
import { temporaryFolder } from '../support/folder.js'
import { day, NEW_YORK } from '../truth/sample.js'

const folder = temporaryFolder()

function fileOf(text: string): string {
  const file = join(folder, 'periods.csv')
  writeFileSync(file, text)
  return file
}

async function listOf(text: string) {
  const read = await openPeriods(fileOf(text))
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  return read.periods
}

async function faultsOf(text: string): Promise<string[]> {
  const read = await openPeriods(fileOf(text))
  if (read.ok) return []
  return read.findings.map((found) => {
    return `${found.position?.line ?? '-'} ${found.code} ${argsOf(found).fault ?? ''}`
  })
}

const DAY = '2026-01-01T00:00:00Z,2026-01-02T00:00:00Z'
const NEXT = '2026-01-02T00:00:00Z,2026-01-03T00:00:00Z'

describe('the normal form of a list', () => {
  it('has the shortest instants, columns in one order, and none that says nothing', async () => {
    const list = await listOf(
      [
        'end,period,start,steps,origin,known,due',
        '2026-01-01T23:00:00-01:00,a b,2026-01-01T00:00:00.000Z,"1,2,3,5",yes,,',
        '2026-01-03T00:00:00Z,"c",2026-01-02T00:00:00+00:00,,,,\r',
      ].join('\r\n'),
    )
    const text = `period,start,end,origin,steps\na b,${DAY},yes,"1-3,5"\nc,${NEXT},,\n`
    expect(periodsText(list)).toBe(text)
    const facts = { sha256: sha256Hex(text), count: 2, first: 'a b', last: 'c' }
    expect(describePeriods(list)).toEqual(facts)
    expect(await listOf(text)).toEqual(list)
  })
})

describe('what is wrong with a list is named with its line', () => {
  it.each([
    ['period,start\na,2026-01-01T00:00:00Z\n', ['1 period-column missing']],
    [`period,start,end,orgin\na,${DAY},\n`, ['1 period-column unknown']],
    [`period,start,end,zone\na,${DAY},UTC\n`, ['1 period-column zones']],
    [`period,start,end,due_1,due 2\na,${DAY},,\n`, Array(2).fill('1 period-column due-steps')],
    ['period,start,end\n', ['- period-column no-rows']],
    [`period,start,end,origin\na,${DAY},\n`, ['- period-column no-origins']],
    [`period,start,end\n"a,b",${DAY}\n`, ['2 period-cell label']],
    [`period,start,end\n${'x'.repeat(65)},${DAY}\n`, ['2 period-cell label']],
    [`period,start,end\né,${DAY}\n`, ['2 period-cell label']],
    ['period,start,end\na,2026-01-01,2026-01-02T00:00:00Z\n', ['2 period-cell instant']],
    [`period,start,end,due\na,${DAY},2026-02-30T00:00:00Z\n`, ['2 period-cell instant']],
    [`period,start,end,origin\na,${DAY},no\nb,${NEXT},yes\n`, ['2 period-cell origin']],
    [`period,start,end,steps\na,${DAY},"2,1"\n`, ['2 period-cell steps']],
    [`period,start,end,origin,steps\na,${DAY},,1\nb,${NEXT},yes,\n`, ['2 period-cell steps-alone']],
    ['period,start,end\na,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z\n', ['2 period-order empty']],
    [`period,start,end\na,${NEXT}\nb,${DAY}\n`, ['3 period-order overlap']],
    [`period,start,end\na,${DAY}\na,${NEXT}\n`, ['3 period-order twice']],
    [`period,start,end\na,${DAY},1\n`, ['2 table-row cells']],
    ['', ['- table-empty ']],
  ])('%j', async (text, expected) => {
    expect(await faultsOf(text)).toEqual(expected)
  })

  it('once with a count where a column is wrong throughout', async () => {
    const row = (_: unknown, day: number) => `p${day},${formatUtc(day * 86_400_000_000)},later\n`
    const rows = Array.from({ length: 40 }, row).join('')
    const found = ['2 period-cell instant', '- more-findings ']
    expect(await faultsOf(`period,start,end\n${rows}`)).toEqual(found)
  })
})

describe('steps', () => {
  it.each([
    ['13-35', Array.from({ length: 23 }, (_, at) => at + 13)],
    ['-1,0,1-3', [-1, 0, 1, 2, 3]],
    ['-3--1', [-3, -2, -1]],
    ['5', [5]],
  ])('%s', (text, steps) => {
    expect(parseSteps(text)).toEqual(steps)
  })

  it.each(['', '1,1', '3-1', '1-', 'a', '1.5', '1-20000', '2,1'])('%j are none', (text) => {
    expect(parseSteps(text)).toBeUndefined()
  })

  it('come back from their shortest text', () => {
    const ascending = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 1 })
    fc.assert(
      fc.property(ascending, (given) => {
        const steps = given.sort((a, b) => a - b)
        expect(parseSteps(stepsText(steps))).toEqual(steps)
      }),
    )
  })
})

const SESSIONS = '../shared/data/sessions/xnys-2018-2022.csv'

describe.skipIf(!existsSync(SESSIONS))('the sessions of an exchange', () => {
  it('are periods as they are, early closes too', async () => {
    const read = await openSessions(SESSIONS)
    if (!read.ok) throw new Error('not read')
    expect(describePeriods(read.periods)).toMatchObject({ count: 1259, first: '2018-01-02' })
    const hours = read.periods.map(({ start, end }) => (end - start) / 3_600_000_000)
    // `awk` counts ten closes at 17:00Z or 18:00Z.
    expect(hours.filter((length) => length < 6.5)).toHaveLength(10)
    expect(read.periods.some(({ label }) => label === '2018-12-05')).toBe(false)
  })
})

const offset = (text: string) => parseOffset(text) as Offset

describe('offsets', () => {
  it.each([
    ['P28D', 28, 0],
    ['-PT73H', 0, -73 * 3.6e9],
    ['P1DT12H30M5S', 1, 45_005e6],
    ['PT0S', 0, 0],
  ])('%s', (text, days, time) => {
    expect(parseOffset(text)).toEqual({ days, time })
  })

  it.each(['P', 'PT', 'P1M', 'P1Y', 'P1W', '28D', 'P1DT', 'P1.5D', ''])('%j is none', (text) => {
    expect(parseOffset(text)).toBeUndefined()
  })

  it('in days move the date, in hours the instant', () => {
    // Midnight in New York, before the clock is put forward on 2026-03-08 and after.
    const midnight = checkedInstant('2026-03-01T05:00:00Z')
    expect(formatUtc(later(midnight, offset('P28D'), NEW_YORK))).toBe('2026-03-29T04:00:00Z')
    expect(formatUtc(later(midnight, offset('PT672H'), NEW_YORK))).toBe('2026-03-29T05:00:00Z')
    expect(formatUtc(later(midnight, offset('-P1D'), NEW_YORK))).toBe('2026-02-28T05:00:00Z')
  })
})

/** Days around the one of 2026 on which the clock is put forward. */
const DAYS = dayPeriods({ from: day('2026-03-06'), to: day('2026-03-09') }, NEW_YORK)

type Given = Pick<RulesData['outcome'], 'known'> & {
  readonly release: Partial<RulesData['outcome']['release']>
}

const settledBy = (release: Partial<RulesData['outcome']['release']>) => {
  return { rule: 'first' as const, wait: null, lag: null, at: null, ...release }
}

function timesOf({ known, release }: Given, periods: PeriodList = DAYS) {
  const times = createSeriesTimes(
    {
      zone: 'America/New_York',
      origins: { due: { anchor: 'start', offset: '-PT12H' } },
      outcome: { over: 'end', known, release: settledBy(release) },
      steps: [-1, 0, 2],
    },
    periods,
  )
  const all = (of: (at: number) => number) => periods.map((_, at) => formatUtc(of(at)))
  return { ...times, dues: all(times.due), knowns: all(times.known), settleds: all(times.settled) }
}

describe('times of periods', () => {
  const JUNE = '2026-06-01T00:00:00Z'
  const known = { anchor: 'end', offset: 'PT9H' } as const

  it('are due and known by anchor and offset', () => {
    const { dues, knowns } = timesOf({ known, release: { rule: 'first', wait: 'P1D' } })
    expect(dues[0]).toBe('2026-03-05T17:00:00Z')
    const wanted = ['07T14', '08T14', '09T13', '10T13']
    expect(knowns).toEqual(wanted.map((time) => `2026-03-${time}:00:00Z`))
  })

  it.each([
    // The second is known at 10:00 by the clock, which has been put forward.
    ['first', { wait: 'P1D' }, '2026-03-08T13:00:00Z', '2026-03-09T14:00:00Z'],
    ['unrevised', { wait: 'PT24H' }, '2026-03-08T14:00:00Z', '2026-03-09T14:00:00Z'],
    ['as_of_lag', { lag: 'P2D' }, '2026-03-09T04:00:00Z', '2026-03-10T04:00:00Z'],
    ['as_of_instant', { at: JUNE }, JUNE, JUNE],
  ] as const)('are settled by %s', (rule, more, first, second) => {
    const { settleds } = timesOf({ known, release: { rule, ...more } })
    expect(settleds.slice(0, 2)).toEqual([first, second])
  })

  it('are those of columns, and none where these are empty', () => {
    const at = checkedInstant('2026-03-07T12:00:00Z')
    const periods = DAYS.map((period, index) => (index === 0 ? { ...period, known: at } : period))
    const column = { anchor: 'column', offset: null } as const
    const release = settledBy({ wait: 'P1D' })
    const outcome = { over: 'end', known: column, release } as const
    const rules = { zone: 'UTC', origins: { due: column }, outcome, steps: [1] }
    const times = createSeriesTimes(rules, periods)
    expect([times.known(0), times.known(1), times.due(0)]).toEqual([at, Number.NaN, Number.NaN])
    expect(times.settled(1)).toBeNaN()
  })

  it('have targets by steps, where the list has them', () => {
    const outcome = { known, release: { rule: 'first', wait: 'P1D' } } as const
    const { targetsAt } = timesOf(outcome)
    const targets = [0, 1, 2, 3].map((at) => targetsAt(at).join(' '))
    expect(targets).toEqual(['0 2', '-1 0 2', '-1 0', '-1 0'])
    const own = DAYS.map((period, at) => ({ ...period, origin: at === 1, steps: [1, 2, 3] }))
    expect([0, 1].map(timesOf(outcome, own).targetsAt)).toEqual([[], [1, 2]])
  })
})
