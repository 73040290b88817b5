import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { checkedInstant, formatUtc } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { dayPeriods, hourPeriods, weekPeriods } from '../../src/periods/make.js'
import type { PeriodNaming } from '../../src/periods/naming.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { toTable } from '../../src/table/table.js'
import { checkTruth } from '../../src/truth/check.js'
import { importTruth, type TruthImportOptions } from '../../src/truth/import.js'
import { ALWAYS } from '../../src/truth/releases.js'
import { readTruth } from '../../src/truth/releases-vintage.js'
import { writeVintage } from '../../src/truth/vintage-files.js'
import { temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'
import { written } from '../table/made.js'
import { day, NEW_YORK, protocolOf, UNREVISED } from './sample.js'

const folder = temporaryFolder()
const DAY = 86_400_000_000
const NOW = checkedInstant('2027-01-01T00:00:00Z')

/** Weeks that end on Saturdays, and a protocol of two places. */
const WEEKS = weekPeriods({ from: day('2026-01-04'), to: day('2026-02-01') }, 'sunday', NEW_YORK)
const WEEKLY = protocolOf(['US', '06'], 'America/New_York', WEEKS)
const first: SeriesProtocol['outcome'] = {
  over: 'period',
  known: { anchor: 'end', offset: 'P5D' },
  release: { rule: 'first', wait: 'P30D' },
}

const GAPS = / truth-gaps /
let files = 0
async function imported(text: string | Buffer, options: Partial<TruthImportOptions> = {}) {
  const file = join(folder, `table-${files++}.csv`)
  writeFileSync(file, text)
  const result = await importTruth(file, { protocol: WEEKLY, periods: WEEKS, now: NOW, ...options })
  const all = result.findings.map((each) => {
    const { text } = formatMessage(each)
    return `${each.severity} ${each.code} ${each.position?.line ?? '-'}: ${text}`
  })
  // Most tables here are a few rows of what the protocol has.
  const [gaps, says] = [true, false].map((is) => all.filter((each) => GAPS.test(each) === is))
  return { ...result, says: says ?? [], gaps, text: result.ok ? [...result.releases].join('') : '' }
}

const HUB = `as_of,target_end_date,location,location_name,observation
2026-01-14,2026-01-10,US,United States,100
2026-01-14,2026-01-10,06,California,10
2026-01-21,2026-01-10,US,United States,104.50
2026-01-21,2026-01-10,06,California,10
2026-01-21,2026-01-17,06,California,NA
2026-01-28,2026-01-10,06,California,NA
2026-01-28,2026-01-17,06,California,-0
`

describe('an import of outcomes', () => {
  it('takes the target data of a hub: dates are midnights of its zone, repetitions say nothing', async () => {
    const { ok, text, says } = await imported(HUB)
    expect(says).toEqual([])
    expect(ok).toBe(true)
    expect(text).toBe(`series,period,value,as_of
06,2026-W01,10,2026-01-15T05:00:00Z
06,2026-W01,,2026-01-29T05:00:00Z
06,2026-W02,0,2026-01-29T05:00:00Z
US,2026-W01,100,2026-01-15T05:00:00Z
US,2026-W01,104.5,2026-01-22T05:00:00Z
`)
  })

  it('finds periods by label and by date, in any order of rows', async () => {
    const { text, says } = await imported(`period,value,series,as_of
2026-01-24,3,US,2026-02-01T12:00:00Z
2026-01-17,2,US,2026-02-01T12:00:00Z
2026-W01,1,US,2026-02-01T12:00:00Z
`)
    expect(says).toEqual([])
    expect(text.split('\n').slice(1, 4)).toEqual(
      ['2026-W01,1', '2026-W02,2', '2026-W03,3'].map((row) => `US,${row},2026-02-01T12:00:00Z`),
    )
  })

  it('is the same, to the byte, from NDJSON, with columns of other names', async () => {
    const rows = [
      { place: 'US', week: '2026-W01', count: 100, published: '2026-01-14' },
      { place: 'US', week: '2026-W01', count: null, published: '2026-01-21' },
    ]
    const columns = { series: 'place', period: 'week', value: 'count', as_of: 'published' }
    const json = await imported(rows.map((row) => JSON.stringify(row)).join('\n'), { columns })
    const csv = await imported(
      'series,period,value,as_of\nUS,2026-W01,,2026-01-21\nUS,2026-W01,1e2,2026-01-14\n',
    )
    expect(json.text).toContain('US,2026-W01,100,2026-01-15T05:00:00Z\nUS,2026-W01,,')
    expect(json.text).toBe(csv.text)
  })

  it('is the same from Parquet, with dates, instants and numbers', async () => {
    const columns = [
      { name: 'location', type: 'text' },
      { name: 'target_end_date', type: 'date' },
      { name: 'observation', type: 'number' },
      { name: 'as_of', type: 'instant' },
    ] as const
    const rows = [
      ['US', '2026-01-10', 100, '2026-01-15T05:00:00Z'],
      ['06', '2026-01-10', 10.5, '2026-01-15T05:00:00Z'],
      ['US', '2026-01-10', null, '2026-01-22T05:00:00Z'],
    ]
    const { text, says } = await imported(await written(toTable(columns, rows)))
    expect(says).toEqual([])
    expect(text).toBe(`series,period,value,as_of
06,2026-W01,10.5,2026-01-15T05:00:00Z
US,2026-W01,100,2026-01-15T05:00:00Z
US,2026-W01,,2026-01-22T05:00:00Z
`)
  })

  it('leaves out what the protocol does not have, with one finding of a kind', async () => {
    const { text, says } = await imported(`series,period,value,as_of
PR,2026-W01,1,2026-01-14
US,2026-W01,1,2026-01-14
PR,2026-W02,1,2026-01-14
US,2019-01-05,1,2026-01-14
US,2019-01-12,1,2026-01-14
`)
    expect(text.trimEnd().split('\n')).toHaveLength(2)
    expect(says).toEqual([
      'warning truth-unknown 2: the protocol has no series "PR"',
      'warning period-outside 5: 2 rows are left out: the period lies outside the list, first "2019-01-05"',
      expect.stringMatching(/^warning more-findings -: 1 more of truth-unknown in line 4 of /),
    ])
  })

  const unrevised = { protocol: { ...WEEKLY, outcome: UNREVISED } }
  const SOUND = 'US,2026-W01,1,2026-01-14'
  const HAS = 'the table has series, period, value and as_of'
  const TO = 'truth-complete -: --complete-to'
  const columns = { value: 'count' }
  it.each<[string, string, Partial<TruthImportOptions>?]>([
    ['error truth-cell 2: the value "12 (p)" is no decimal', 'US,2026-W01,12 (p),2026-01-14'],
    ['error truth-cell 2: the value "1,5" has a comma', 'US,2026-W01,"1,5",2026-01-14'],
    ['error truth-cell 2: the value "0,125" has a comma', 'US,2026-W01,"0,125",2026-01-14'],
    ...['1.234,5', '1,234.5', '1,234', '-12,345', '1,234,567', '1 234', "1'234", '1\u00a0234'].map(
      (each): [string, string] => [
        `error truth-cell 2: the value "${each}" has separators between thousands`,
        `US,2026-W01,"${each}",2026-01-14`,
      ],
    ),
    [
      'error truth-cell 2: the value "1.234" has separators between thousands',
      'US,2026-W01,1.234,2026-01-14',
      { decimalComma: true },
    ],
    [
      'error truth-cell 2: the value "9007199254740993" has more digits than a double keeps',
      'US,2026-W01,9007199254740993,2026-01-14',
    ],
    ['error truth-cell 2: the as_of "14.1.2026" is neither', 'US,2026-W01,1,14.1.2026'],
    ['error truth-cell 2: the as_of is empty, and', 'US,2026-W01,1,'],
    ['error truth-cell 2: the as_of "2028-01-01" lies in the future', 'US,2026-W01,1,2028-01-01'],
    ['error truth-column -: no row has a value of a series', 'PR,2026-W01,1,2026-01-14'],
    [`error truth-column 1: the column value is missing; ${HAS}`, SOUND, { columns }],
    [
      'error truth-twice 3: US, 2026-W01 has 2 here and 1 in line 2, as of the same instant',
      `${SOUND}\nUS,2026-W01,2,2026-01-15T05:00:00Z`,
    ],
    [
      'error truth-twice 3: US, 2026-W01 has no value here and 1 in line 2, and by the protocol values are not revised',
      `${SOUND}\nUS,2026-W01,,2026-01-16`,
      unrevised,
    ],
    ['error truth-complete -: the table does not say up to when', 'US,2026-W01,1,', unrevised],
    [`error ${TO} 2027-01-01 lies in the future`, SOUND, { completeTo: '2027-01-01' }],
    [`error ${TO} soon is neither a date`, SOUND, { completeTo: 'soon' }],
  ])('%s', async (expected, rows, options) => {
    const { ok, says } = await imported(`series,period,value,as_of\n${rows}\n`, options)
    expect(ok).toBe(false)
    const found = says.filter((each) => each.startsWith(expected))
    expect(found, says.join()).toHaveLength(1)
  })

  it('counts equal rows once, and says so', async () => {
    const { says, text } = await imported(`series,period,value,as_of\n${SOUND}\n${SOUND}\n`)
    expect(says).toEqual([
      'note table-repeated 3: the row says the same as line 2: equal rows count once',
    ])
    expect(text).toBe('series,period,value,as_of\nUS,2026-W01,1,2026-01-15T05:00:00Z\n')
  })

  it('asks for what it cannot know: series, and dates of publication', async () => {
    const { says } = await imported('week,value\n2026-W01,1\n', { columns: { period: 'week' } })
    expect(says.map((each) => each.slice(0, 52))).toEqual([
      'error truth-column 1: the column series is missing; ',
      'error truth-column 1: the column as_of is missing; t',
    ])
    const protocol = protocolOf(['US'], 'America/New_York', WEEKS, { outcome: UNREVISED })
    const given = { protocol, completeTo: '2026-06-30' }
    const alone = await imported('period,value\n2026-W01,1\n2026-W02,\n', given)
    expect(alone.says).toEqual([])
    expect(alone.text).toBe('series,period,value,as_of\nUS,2026-W01,1,\n')
  })

  it('counts rows that are dated before their values could be known, once', async () => {
    const protocol = { ...WEEKLY, outcome: first }
    const { ok, says } = await imported(HUB, { protocol })
    expect(ok).toBe(true)
    // Known five days after the midnight of the 11th; the rows of the 14th are of the 15th, 05:00.
    expect(says).toEqual([
      'warning truth-rule -: 2 rows are dated before the value could be known by the protocol: first US, 2026-W01, as of 2026-01-15T05:00:00Z, known 2026-01-16T05:00:00Z',
    ])
  })
})

describe('rows that are dated before their period ended', () => {
  // W04 is the week from January 25 to 31.
  const PLACEHOLDERS = `period,value,series,as_of
2026-W04,0,US,2026-01-20
2026-W04,NA,06,2026-01-20
2026-W04,0,US,2026-02-10
2026-W03,7,US,2026-01-26
`

  it('and before their values could be known are no values, and say so with a count', async () => {
    const { ok, says, text } = await imported(PLACEHOLDERS)
    expect(ok).toBe(true)
    expect(says).toEqual([
      'warning truth-rule 2: 1 row is dated before the period ended and before its value could be known: first US, 2026-W04, as of 2026-01-21T05:00:00Z, known 2026-02-01T05:00:00Z',
    ])
    // The zero that was published in time is there, though the placeholder said the same.
    expect(text).toBe(`series,period,value,as_of
US,2026-W03,7,2026-01-27T05:00:00Z
US,2026-W04,0,2026-02-11T05:00:00Z
`)
  })

  it.each([
    ['P5D', 'first'],
    ['PT0S', 'unrevised'],
  ] as const)('neither under known %s after the end and the rule %s', async (offset, rule) => {
    const known = { anchor: 'end', offset } as const
    const outcome = { over: 'end', known, release: { rule, wait: 'P60D' } } as const
    const { says, text } = await imported(PLACEHOLDERS, { protocol: { ...WEEKLY, outcome } })
    expect(says[0]).toContain('1 row is dated before the period ended')
    expect(text).toContain('US,2026-W04,0,2026-02-11T05:00:00Z')
  })

  it('are values where the protocol says that they are known by then: prices of the day ahead', async () => {
    const outcome: SeriesProtocol['outcome'] = {
      over: 'end',
      known: { anchor: 'start', offset: '-P5D' },
      release: { rule: 'first', wait: 'P1D' },
    }
    const { says, text } = await imported(PLACEHOLDERS, { protocol: { ...WEEKLY, outcome } })
    expect(says).toEqual([])
    expect(text).toContain('US,2026-W04,0,2026-01-21T05:00:00Z')
  })
})

describe('values that the protocol cannot score', () => {
  const table = `period,value,series,as_of
2026-W01,-999,US,2026-01-14
2026-W01,3,US,2026-01-21
2026-W02,-999,US,2026-01-21
2026-W02,0.5,06,2026-01-21
2026-W03,0,06,2026-01-28
`
  const forecast = { ...WEEKLY.forecast, minimum: '0', integer: true }
  const protocol = { ...WEEKLY, forecast }

  it('are errors, each kind with its first line and its count', async () => {
    const { ok, says } = await imported(table, { protocol })
    expect(ok).toBe(false)
    expect(says).toEqual([
      'error truth-domain 2: 2 values are below the minimum 0 of the protocol, and not imported: first -999, of US, 2026-W01',
      'error truth-domain 5: 1 value is not whole, as the protocol asks, and not imported: first 0.5, of 06, 2026-W02',
    ])
    const whole = await imported(table, { protocol: WEEKLY })
    expect(whole.says.map((each) => each.slice(0, 20))).toEqual(['error truth-domain 2'])
    const { minimum: _, ...any } = WEEKLY.forecast
    expect((await imported(table, { protocol: { ...WEEKLY, forecast: any } })).says).toEqual([])
  })

  it('are absent where that is said, and the rest is imported', async () => {
    const { says, text } = await imported(table, { protocol, outOfDomain: 'absent' })
    expect(says.map((each) => each.slice(0, 22))).toEqual([
      'warning truth-domain 2',
      'warning truth-domain 5',
    ])
    expect(text).toBe(`series,period,value,as_of
06,2026-W03,0,2026-01-29T05:00:00Z
US,2026-W01,3,2026-01-22T05:00:00Z
`)
  })
})

describe('an import says what is missing', () => {
  it('with counts: periods without a value that could be known, and series without a row', async () => {
    // Of W03, which ends with the 24th, nothing could be known then.
    const { gaps } = await imported(
      'period,value,series,as_of\n2026-W01,1,US,2026-01-14\n2026-W02,NA,US,2026-01-21\n',
      { completeTo: '2026-01-23' },
    )
    expect(gaps).toEqual([
      'warning truth-gaps -: 1 of 2 series has no row: "06"',
      'warning truth-gaps -: 1 of 2 values that could be known by 2026-01-24T05:00:00Z are missing: "US: 1, from 2026-W02"',
    ])
  })

  it('a value that came too late to count among them', async () => {
    const { gaps } = await imported(
      'period,value,series,as_of\n2026-W01,1,US,2026-12-14\n2026-W02,1,US,2026-02-01\n2026-W03,1,US,2026-02-01\n2026-W04,1,US,2026-02-20\n2026-W05,1,US,2026-02-20\n',
      { completeTo: '2026-12-24' },
    )
    expect(gaps?.[1]).toContain(
      '1 of 5 values that could be known by 2026-12-25T05:00:00Z are missing: "US: 1, from 2026-W01"',
    )
  })
})

describe('values far from all others', () => {
  const days = dayPeriods({ from: day('2024-01-01'), to: day('2025-12-31') }, NEW_YORK)
  const labels = days.map(({ label }) => label)
  const far = async (values: Readonly<Record<string, readonly (number | string)[]>>) => {
    const series = Object.keys(values)
    const rows = series.flatMap((id) =>
      (values[id] ?? []).map((value, at) => `${id},${labels[at]},${value}`),
    )
    const forecast = { levels: ['0.5'], integer: false }
    const more = { outcome: UNREVISED, forecast: { ...forecast, point: 'median' as const } }
    const protocol = protocolOf(series, 'America/New_York', days, more)
    const given = { protocol, periods: days, completeTo: '2026-01-02' }
    const { says } = await imported(`series,period,value\n${rows.join('\n')}\n`, given)
    return says
  }
  /** Quartiles 24.75 and 74.25: the range is 49.5, and twenty of them end at 1064.25 and −965.25. */
  const usual = Array.from({ length: 100 }, (_, at) => at)
  const at50 = (value: number) => usual.map((each) => (each === 50 ? value : each))

  it.each<[string, readonly (number | string)[], boolean]>([
    ['another unit', at50(5000), true],
    ['a code for what is missing', at50(-9999), true],
    ['within twenty ranges above', at50(1050), false],
    ['within twenty ranges below', at50(-950), false],
    ['fewer than a hundred values', at50(5000).slice(1), false],
    ['an empty one is no value', at50(5000).map((each) => (each === 7 ? 'NA' : each)), false],
    ['more than half are the same', usual.map((each) => (each < 80 ? 0 : 5000)), false],
  ])('%s', async (_name, values, isFar) => {
    const says = await far({ a: values, b: usual })
    expect(says.map((each) => each.slice(0, 19))).toEqual(isFar ? ['warning truth-far -'] : [])
  })

  it('are counted by series, with the first of each', async () => {
    const says = await far({ a: [...usual, 5000, 6000], b: usual, c: [...usual, -7000] })
    expect(says[0]).toMatch(
      /^warning truth-far -: 3 values lie .*"a: 2, 5000 in 2024-04-10 \(half lie from [\d.]+ to [\d.]+\)" and "c: 1, -7000 in/,
    )
  })

  it('are none among twenty stores, closed on Sundays, that sell by ones and have sales', async () => {
    const random = numbers(20)
    /** Busy Saturdays, a busy December, now and then a day of sales. */
    const busy = (at: number) =>
      (at % 7 === 6 ? 0 : 0.7 + (at % 7) / 5) * (at % 365 > 335 ? 2 : 1) * (random() < 0.02 ? 3 : 1)
    /** So many customers, of whom a quarter buys. */
    const sold = (mean: number) => {
      let count = 0
      for (let each = 0; each < 4 * mean; each++) count += random() < 0.25 ? 1 : 0
      return count
    }
    const stores = Array.from({ length: 20 }, (_, store) => [
      `store_${store}`,
      labels.map((_, at) => sold(busy(at) * (store < 6 ? 0.25 + store / 4 : 4 ** (store / 5)))),
    ])
    expect(await far(Object.fromEntries(stores))).toEqual([])
  })
})

/** A vintage of the target data of a hub, in a folder. */
async function madeVintage(): Promise<string> {
  const result = await imported(HUB, { source: 'The Hub' })
  if (!result.ok) throw new Error(result.says.join())
  const out = join(temporaryFolder(), 'vintage')
  const written = writeVintage(out, result.manifest, result.releases)
  expect(written).toBe('written')
  return out
}

describe('a vintage of releases', () => {
  it('is written once, and read as it is', async () => {
    const result = await imported(HUB, { source: 'The Hub' })
    if (!result.ok) throw new Error(result.says.join())
    const { manifest, releases } = result
    expect(manifest).toMatchObject({
      schema_version: 2,
      source: 'The Hub',
      series: 2,
      rows: 5,
      first_as_of: '2026-01-15T05:00:00Z',
      last_as_of: '2026-01-29T05:00:00Z',
      complete_to: '2026-01-29T05:00:00Z',
      input: { bytes: HUB.length, format: 'csv' },
    })
    expect(manifest.vintage_id).toMatch(/^the-hub-series-20260129T05Z-[0-9a-f]{8}$/)
    const out = join(folder, 'vintage')
    expect(writeVintage(out, manifest, releases)).toBe('written')
    expect(writeVintage(out, manifest, releases)).toBe('unchanged')
    const vintage = readTruth(out, WEEKLY)
    expect(vintage.manifest).toEqual(manifest)
    expect(vintage.releases('US', '2026-W01')).toEqual([
      { asOf: checkedInstant('2026-01-15T05:00:00Z'), value: 100 },
      { asOf: checkedInstant('2026-01-22T05:00:00Z'), value: 104.5 },
    ])
    expect(vintage.releases('06', '2026-W01')[1]?.value).toBeUndefined()
    expect(vintage.releases('06', '2026-W04')).toEqual([])
    expect(readTruth(join(out, 'releases.csv'), WEEKLY).manifest).toEqual(manifest)
  })

  it.each([
    ['the header is not', 'series,period,value\n'],
    ['not in normal form', 'series,period,value,as_of\nUS,a,1.0,\n'],
    ['not in normal form', 'series,period,value,as_of\nUS,a,1,2026-01-01\n'],
    ['not in normal form', 'series,period,value,as_of\nUS,a,x,\n'],
    ['order of the form', 'series,period,value,as_of\nUS,b,1,\nUS,a,1,\n'],
    ['order of the form', 'series,period,value,as_of\nUS,a,1,\nDE,a,1,\n'],
    ['order of the form', 'series,period,value,as_of\nUS,a,1,\nUS,a,2,\n'],
    ['it changes nothing', 'series,period,value,as_of\nUS,a,,\n'],
    ['no line break', 'series,period,value,as_of\nUS,a,1,'],
    ['no rows', 'series,period,value,as_of\n'],
  ])('%s', (says, text) => {
    const file = join(folder, `broken-${files++}.csv`)
    writeFileSync(file, text)
    expect(() => readTruth(file, WEEKLY)).toThrow(says)
  })

  it('whose line ends a checkout changed is the same', async () => {
    const out = await madeVintage()
    const { manifest } = readTruth(out, WEEKLY)
    for (const file of ['releases.csv', 'manifest.json']) {
      writeFileSync(join(out, file), readFileSync(join(out, file), 'utf8').replaceAll('\n', '\r\n'))
      expect(readTruth(out, WEEKLY).manifest).toEqual(manifest)
    }
  })

  it.each([
    ['vintage_id is "other"', { vintage_id: 'other' }],
    ['vintage_id is missing', { vintage_id: '' }],
    ['source is missing', { source: '' }],
    ['second_reading is no member of a manifest', { second_reading: 1 }],
    ['complete_to is null', { complete_to: null }],
    ['input is missing', { input: 'truth.csv' }],
    ['input/file is missing', { '/input/file': '' }],
    ['input/bytes is missing', { '/input/bytes': -1 }],
    ['input/sha256 is missing', { '/input/sha256': 'abc' }],
    ['input/format is missing', { '/input/format': 7 }],
  ])('whose manifest was changed is not read: %s', async (says, changes) => {
    const out = await madeVintage()
    const file = join(out, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    for (const [name, value] of Object.entries(changes)) {
      const [, input, member = ''] = /^\/(input)\/(.*)/.exec(name) ?? []
      if (input === undefined) manifest[name] = value
      else manifest.input[member] = value
    }
    writeFileSync(file, JSON.stringify(manifest))
    expect(() => readTruth(out, WEEKLY)).toThrow(says)
  })

  it('that was changed is not read', async () => {
    const out = await madeVintage()
    const file = join(out, 'releases.csv')
    writeFileSync(file, readFileSync(file, 'utf8').replace(',100,', ',101,'))
    expect(() => readTruth(out, WEEKLY)).toThrow(/sha256 is .* that of releases.csv is/)
    expect(() => readTruth(folder, WEEKLY)).toThrow('holds no releases.csv')
  })

  it('is checked against the rule of a protocol', async () => {
    const own = readTruth(await madeVintage(), WEEKLY)
    const found = (outcome: SeriesProtocol['outcome'], of: Parameters<typeof checkTruth>[2]) => {
      const protocol = { ...WEEKLY, outcome }
      const findings = checkTruth(compileRules(protocol, WEEKS), WEEKS, of)
      return findings.map(({ args, severity }) => ({ ...args, severity }))
    }
    expect(found(WEEKLY.outcome, own)).toEqual([])
    expect(found(first, own)).toMatchObject([{ fault: 'early', count: 2, severity: 'error' }])
    expect(found(UNREVISED, own)).toMatchObject([{ fault: 'revised', count: 2, series: 'US' }])
    const undated = { releases: () => [{ asOf: ALWAYS, value: 1 }] }
    expect(found(UNREVISED, undated)).toEqual([])
    expect(found(WEEKLY.outcome, undated)).toMatchObject([{ fault: 'undated', count: 10 }])
    // One row that is no value blocks nothing, and it does not make the value that counts a revised one.
    const asOf = checkedInstant('2026-01-03T00:00:00Z')
    const early = { releases: () => [{ asOf, value: 0 }] }
    expect(found(first, early)).toEqual([])
    const andLater = {
      releases: () => [
        { asOf, value: 0 },
        { asOf: asOf + 90 * DAY, value: 1 },
      ],
    }
    expect(found(UNREVISED, andLater)).toEqual([])
  })
})

describe('times by the local clock', () => {
  // 25 hours on the one day, 23 on the other.
  const autumn = hourPeriods({ from: day('2026-11-01'), to: day('2026-11-01') }, NEW_YORK)
  const spring = hourPeriods({ from: day('2026-03-08'), to: day('2026-03-08') }, NEW_YORK)
  const protocol = protocolOf(['load'], 'America/New_York', autumn, { outcome: UNREVISED })
  const hours = (numbers: readonly number[], date: string) =>
    `period,value\n${numbers.map((h, at) => `${date} ${String(h).padStart(2, '0')}:00,${at}`).join('\n')}\n`
  const read = (text: string, periods: typeof autumn, naming: PeriodNaming) =>
    imported(text, { protocol, periods, naming, completeTo: '2026-12-01' })

  const NOTE = 'of each, the first row is taken as the earlier'

  it('have one hour twice in autumn', async () => {
    const text = hours([1, 2, 2, 3, 4], '2026-11-01')
    const naming: PeriodNaming = { label: 'end', repeated: 'earlier-first' }
    const { text: found, says } = await read(text, autumn, naming)
    const labels = ['T00:00', 'T01:00', 'T01:00/2', 'T02:00', 'T03:00']
    const rows = labels.map((each, at) => `load,2026-11-01${each},${at},`)
    expect(found).toBe(`series,period,value,as_of\n${rows.join('\n')}\n`)
    expect(says).toEqual([
      `note period-clock -: the clock shows 1 time twice (2026-11-01T02:00:00): ${NOTE}`,
    ])
    const other = await read(text, autumn, { label: 'end', repeated: 'later-first' })
    expect(other.text).toContain('T01:00,2,\nload,2026-11-01T01:00/2,1,\n')
  })

  it('have one hour not at all in spring', async () => {
    const { says } = await read(hours([1, 2, 4, 5], '2026-03-08'), spring, { label: 'end' })
    expect(says).toEqual([
      'note period-clock -: the clock never shows 1 time (2026-03-08T03:00:00)',
    ])
    const skipped = await read(hours([1, 3], '2026-03-08'), spring, { label: 'end' })
    expect(skipped.says[0]).toBe(
      'error period-name 3: the period "2026-03-08 03:00" is what the clock shows at the end of 2026-03-08T01:00, where it is put forward',
    )
    expect(skipped.ok).toBe(false)
  })

  it('are refused without what has to be said', async () => {
    const naming: PeriodNaming = { label: 'end', repeated: 'earlier-first' }
    for (const [numbers, given, says] of [
      [
        [1, 2, 2],
        {},
        '2: the period "2026-11-01 01:00" may be the start or the end of its period: ',
      ],
      [[1, 2, 2], { label: 'end' }, '3: the clock shows the period "2026-11-01 02:00" twice'],
      [[1, 2, 3], naming, '3: the clock shows the period "2026-11-01T02:00:00" twice, and'],
      [[1, 2, 2, 2], naming, '5: the clock shows the period "2026-11-01 02:00" twice, and'],
    ] as const) {
      const found = await read(hours(numbers, '2026-11-01'), autumn, given)
      expect(found.says[0]).toContain(`error period-name ${says}`)
    }
  })

  it('name days of 23 and 25 hours by their dates', async () => {
    const days = dayPeriods({ from: day('2026-03-07'), to: day('2026-03-09') }, NEW_YORK)
    const rows = ['2026-03-07,1', '2026-03-08,2', '2026-03-09,3']
    const { text } = await read(`period,value\n${rows.join('\n')}\n`, days, {})
    const taken = rows.map((row) => `load,${row},\n`)
    expect(text).toBe(`series,period,value,as_of\n${taken.join('')}`)
    expect(formatUtc(days[1]?.end ?? 0)).toBe('2026-03-09T04:00:00Z')
  })
})

const LOAD = '../shared/data/load/pjme-2014-2017.csv.gz'

it.skipIf(!existsSync(LOAD))(
  'four years of load by the local clock land on as many hours as they have rows',
  async () => {
    // The first hour of the file ends at midnight.
    const all = hourPeriods({ from: day('2013-12-31'), to: day('2017-12-31') }, NEW_YORK)
    const periods = all.slice(23, 23 + 35_064)
    const text = gunzipSync(readFileSync(LOAD)).toString()
    const rows = text.trimEnd().split('\n').slice(1)
    expect(rows).toHaveLength(periods.length)
    const { says, ...found } = await imported(text, {
      periods,
      protocol: protocolOf(['load'], 'America/New_York', periods, { outcome: UNREVISED }),
      columns: { period: 'hour_ending_local', value: 'load_mw' },
      naming: { label: 'end', repeated: 'earlier-first' },
      completeTo: '2018-01-02',
    })
    expect(found).toMatchObject({ manifest: { complete_to: '2018-01-03T05:00:00Z' } })
    const shown = (dates: readonly string[], hour: string) =>
      dates.map((date, at) => `${2014 + at}-${date}T${hour}:00:00`).join(', ')
    const twice = shown(['11-02', '11-01', '11-06', '11-05'], '02')
    const never = shown(['03-09', '03-08', '03-13', '03-12'], '03')
    expect(says).toEqual([
      `note period-clock -: the clock shows 4 times twice (${twice}): of each, the first row is taken as the earlier; it never shows 4 times (${never})`,
    ])
    // Hour after hour, the rows of the file in their order: nothing was moved where the clock was changed.
    const values = new Map(
      found.text.split('\n').map((row) => [row.split(',')[1], Number(row.split(',')[2])]),
    )
    expect(periods.map(({ label }) => values.get(label))).toEqual(
      rows.map((row) => Number(row.split(',')[1])),
    )
  },
)
