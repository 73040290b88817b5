import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { sha256Hex } from '../../src/document/digest.js'
import { monthPeriods, weekPeriods } from '../../src/periods/make.js'
import { toTable } from '../../src/table/table.js'
import { importTruth, type TruthImportOptions } from '../../src/truth/import.js'
import { temporaryFolder } from '../support/folder.js'
import { put } from '../support/text-file.js'
import { written } from '../table/made.js'
import { day, NEW_YORK, protocolOf, UNREVISED } from './sample.js'

const WEEKS = weekPeriods({ from: day('2026-01-04'), to: day('2026-01-24') }, 'sunday', NEW_YORK)
const WEEKLY = protocolOf(['US', '06'], 'America/New_York', WEEKS)

/** Files by their paths in a folder of their own. */
function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) put(join(folder, name), text)
  return folder
}

async function imported(path: string, options: Partial<TruthImportOptions> = {}) {
  const now = checkedInstant('2027-01-01T00:00:00Z')
  const result = await importTruth(path, { protocol: WEEKLY, periods: WEEKS, now, ...options })
  const said = result.findings.filter(({ code }) => code !== 'truth-gaps')
  return {
    ...result,
    says: said.map(({ severity, code, position, file, ...rest }) => {
      const { text, help } = formatMessage({ severity, code, ...rest } as never)
      const plain = (words = '') => words.replaceAll(path, '@')
      const where = `${plain(file)}:${position?.line ?? '-'}`
      return [`${severity} ${code} ${where}: ${plain(text)}`, plain(help)] as const
    }),
    rows: result.ok ? [...result.releases].join('').trimEnd().split('\n').slice(1) : [],
  }
}

let tables = 0
const table = (text: string) => join(folderOf({ [`t${tables++}.csv`]: text }), `t${tables - 1}.csv`)

const TARGETS = `target,target_end_date,location,observation,as_of
wk inc flu hosp,2026-01-10,US,3093,2026-01-14
wk inc flu prop ed visits,2026-01-10,US,0.012,2026-01-16
wk inc flu prop ed visits,2026-01-10,06,0.013,2026-01-16
`

/** The sentences alone. */
const sentences = async (path: string, options: Partial<TruthImportOptions> = {}) =>
  (await imported(path, options)).says.map(([text]) => text)

describe('rows of several targets', () => {
  it('are asked about, also where they are dated otherwise', async () => {
    const { ok, says } = await imported(table(TARGETS))
    expect(ok).toBe(false)
    expect(says[0]).toEqual([
      'error hub-targets @:3: there are rows of several targets: "wk inc flu hosp" and "wk inc flu prop ed visits"',
      'Say which one is imported: --target "wk inc flu hosp"',
    ])
    // One finding, and how many rows more.
    expect(says.slice(1)).toHaveLength(1)
    expect(says[1]?.[0]).toContain('1 more of hub-targets')
  })

  it('are asked about where they are of different series and periods', async () => {
    const rows = 'a,2026-01-10,US,1,2026-01-14\nb,2026-01-17,06,2,2026-01-21\n'
    const text = `target,target_end_date,location,observation,as_of\n${rows}`
    expect((await sentences(table(text)))[0]).toContain('several targets: "a" and "b"')
  })

  it('are asked about where one of them is empty: the answer names the other', async () => {
    const { says } = await imported(table(TARGETS.replace('wk inc flu hosp', '')))
    expect(says[0]?.[0]).toContain('several targets: "" and "wk inc flu prop ed visits"')
    expect(says[0]?.[1]).toContain('--target "wk inc flu prop ed visits"')
  })

  it('are chosen from, and a name that no row has is an error', async () => {
    const { says, rows } = await imported(table(TARGETS), { target: 'wk inc flu prop ed visits' })
    expect(says.map(([text]) => text)).toEqual([
      'note table-choice @:-: 1 row of other targets left out: "wk inc flu hosp"',
    ])
    expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual([
      '06,2026-W01,0.013',
      'US,2026-W01,0.012',
    ])
    const none = await imported(table(TARGETS), { target: 'flu' })
    expect(none.says[0]).toEqual([
      'error hub-targets @:-: no row that could be imported is of the target "flu"',
      'The rows are of "wk inc flu hosp" and "wk inc flu prop ed visits".',
    ])
    const text = 'target_end_date,location,observation,as_of\n2026-01-10,US,1,2026-01-14\n'
    expect(await sentences(table(text), { target: 'flu' })).toEqual([
      'error table-choice @:-: the table has no column "target"',
    ])
  })

  it('are several where one file of a folder has no such column, and may be chosen there', async () => {
    const [named, plain] = [
      TARGETS.replaceAll('prop ed visits', 'hosp'),
      TARGETS.replace(/^[^,]*,/gm, ''),
    ]
    for (const [first, second] of [
      [named, plain],
      [plain, named],
    ] as const) {
      const folder = folderOf({ 'a.csv': first, 'b.csv': second })
      const { says } = await imported(folder)
      expect(says[0]?.[0]).toMatch(
        /^error hub-targets @\/b.csv:2: there are rows of several targets/,
      )
      expect(says[0]?.[1]).toContain('--target "wk inc flu hosp"')
      const chosen = await imported(folder, { target: 'wk inc flu hosp' })
      expect(chosen.says.map(([text]) => text)).toEqual([
        'note table-choice @:-: 3 rows of other targets left out: ""',
      ])
      expect(chosen.rows).toHaveLength(3)
    }
    const none = folderOf({ 'a.csv': plain, 'b.csv': plain })
    expect((await imported(none)).ok).toBe(true)
    expect(await sentences(none, { target: 'x' })).toEqual([
      'error table-choice @:-: the table has no column "target"',
    ])
  })

  it('are none where the column is the series or the period', async () => {
    const series = table(
      'target,period,value,as_of\nUS,2026-W01,1,2026-01-14\n06,2026-W01,2,2026-01-14\n',
    )
    expect(await sentences(series, { columns: { series: 'target' } })).toEqual([])
    const period = table(
      'series,target,value,as_of\nUS,2026-W01,1,2026-01-14\nUS,2026-W02,2,2026-01-21\n',
    )
    expect(await sentences(period, { columns: { period: 'target' } })).toEqual([])
  })
})

const AGES = `series,period,value,as_of,age_group,location_name
US,2026-W01,5,2026-01-14,0-64,United States
06,2026-W01,1,2026-01-14,0-64,California
US,2026-W01,5,2026-01-14,65+,United States
06,2026-W02,1,2026-01-21,65+,California
`
const once = (column: string, rows: readonly (readonly [asOf: string, text: string])[]) =>
  `series,period,value,as_of,${column}\n${rows
    .map(([asOf, text], at) => `US,2026-W01,${at + 1},${asOf},${text}\n`)
    .join('')}`

describe('columns that are not read', () => {
  it('are asked about where rows of one key differ in them, though their values do not', async () => {
    const { ok, says } = await imported(table(AGES))
    expect(ok).toBe(false)
    expect(says).toEqual([
      [
        'error table-choice @:4: the column "age_group" is not read, and a row differs in it from another one of the same key: US, 2026-W01, as of 2026-01-14, with "65+" here and "0-64" in line 2',
        'Say which rows are meant: --only age_group=0-64. Where it does not matter: --ignore age_group',
      ],
    ])
  })

  it('are asked about in one question, which begins with a word, and nothing else is said of such rows', async () => {
    const text = AGES.replace(/^(.*)$/gm, (line, _, at) => {
      const cell = at === 0 ? 'cases' : String(at)
      return line && `${cell},${line}`
    }).replace('US,2026-W01,5,2026-01-14,65+', 'US,2026-W01,7,2026-01-14,65+')
    const { says } = await imported(table(text))
    expect(says).toHaveLength(1)
    expect(says[0]?.[0]).toContain('the column "age_group" is not read')
    expect(says[0]?.[0]).toContain('in line 2; so it is with "cases"')
    expect(says[0]?.[1]).toContain('--only age_group=0-64')
    expect(says[0]?.[1]).toContain('--ignore age_group --ignore cases')
  })

  it('count the rows, and tell an empty cell from others', async () => {
    const rows = once('age', [
      ['2026-01-14', ''],
      ...['a', 'b'].map((age) => ['2026-01-14', age] as const),
    ])
    expect(await sentences(table(rows))).toEqual([
      'error table-choice @:3: the column "age" is not read, and 2 rows differ in it from another one of the same key: US, 2026-W01, as of 2026-01-14, with "a" here and nothing in line 2',
    ])
    const empty = await imported(table(rows), { only: { age: '' } })
    expect(empty.rows).toEqual(['US,2026-W01,1,2026-01-15T05:00:00Z'])
  })

  it('are as the answer says', async () => {
    const only = await imported(table(AGES), { only: { age_group: '65+' } })
    expect(only.says.map(([text]) => text)).toEqual([
      'note table-choice @:-: 2 rows with other texts in "age_group" left out: "0-64"',
    ])
    expect(only.rows.map((row) => row.slice(0, 11))).toEqual(['06,2026-W02', 'US,2026-W01'])
    const ignored = await imported(table(AGES), { ignore: ['age_group'] })
    expect(ignored.says.map(([text]) => text)).toEqual([
      expect.stringMatching(/^note table-repeated @:4/),
    ])
    expect(ignored.rows).toHaveLength(3)
    expect(await sentences(table(AGES), { only: { age_group: '64+' } })).toEqual([
      'error table-choice @:-: no row has "64+" in the column "age_group": there is "0-64" and "65+"',
    ])
    for (const slip of [{ ignore: ['age_grup'] }, { only: { age_grup: '65+' } }]) {
      const { says } = await imported(table(AGES), slip)
      expect(says).toContainEqual([
        'error table-choice @:-: the table has no column "age_grup"',
        'Did you mean "age_group"?',
      ])
    }
  })

  it.each([
    ['numbers', ['0.1', '0.2', '12', '']],
    ['percentages', ['1.5%', '2 %', '-3%', '']],
    ['times', ['2026-01-14', '2026-01-21T09:00:00Z', '2026-01-28 10:00', '']],
  ])('describe a release where they are %s, which change with each', async (_, texts) => {
    const dates = ['2026-01-14', '2026-01-21', '2026-01-28', '2026-02-04']
    const rows = dates.map((asOf, at) => [asOf, texts[at] ?? ''] as const)
    const { says, rows: taken } = await imported(table(once('weekly_rate', rows)))
    expect([says, taken.length]).toEqual([[], 4])
  })

  it.each([
    [
      'in some rows alone',
      once('age', [
        ['2026-01-14', ''],
        ['2026-01-21', '0-4'],
      ]),
      undefined,
    ],
    [
      'as a whole number',
      once('age', [
        ['2026-01-14', ''],
        ['2026-01-21', '65'],
      ]),
      undefined,
    ],
    [
      'as a word that goes',
      once('age', [
        ['2026-01-14', 'all'],
        ['2026-01-21', 'NA'],
      ]),
      undefined,
    ],
    [
      'in one of two files alone',
      'series,period,value,as_of\nUS,2026-W01,100,2026-01-14\n',
      once('age', [['2026-01-21', '0-4']]),
    ],
  ])('are asked about where they say a kind %s', async (_, first, second) => {
    const orders =
      second === undefined
        ? [[first]]
        : [
            [first, second],
            [second, first],
          ]
    for (const texts of orders) {
      const folder = folderOf(Object.fromEntries(texts.map((text, at) => [`${at}.csv`, text])))
      const { ok, says } = await imported(folder)
      expect(ok).toBe(false)
      expect(says[0]?.[0]).toContain('the column "age" is not read')
      expect((await imported(folder, { ignore: ['age'] })).ok).toBe(true)
      if (second === undefined) continue
      const { rows } = await imported(folder, { only: { age: '0-4' } })
      expect(rows).toEqual(['US,2026-W01,1,2026-01-22T05:00:00Z'])
    }
  })

  it('are asked about where a word changes from one release to the next', async () => {
    const rows = once('sex', [
      ['2026-01-14', 'f'],
      ['2026-01-21', 'm'],
    ])
    const { says } = await imported(table(rows))
    expect(says[0]?.[0]).toContain('the same key: US, 2026-W01, with "m" here and "f" in line 2')
    // Both releases count where it does not matter.
    const status = await imported(table(rows), { ignore: ['sex'] })
    expect([status.says, status.rows.length]).toEqual([[], 2])
  })

  it('are of no interest where they are the numbers of rows, or a key has one row', async () => {
    const text = `,series,period,value,as_of,name
0,US,2026-W01,5,2026-01-14,a
1,US,2026-W01,5,2026-01-14,a
2,06,2026-W01,6,2026-01-14,b
`
    expect(await sentences(table(text))).toEqual([
      expect.stringMatching(/^note table-repeated @:3/),
    ])
  })

  it('are watched where values are not revised, too', async () => {
    const protocol = { ...WEEKLY, outcome: UNREVISED }
    const twice = 'series,period,value,status\nUS,2026-W01,5,p\nUS,2026-W01,5,f\n'
    const [asked] = await sentences(table(twice), { protocol, completeTo: '2026-06-01' })
    expect(asked).toContain('the column "status" is not read')
  })
})

describe('target data in folders', () => {
  const part = (value: number) =>
    `target,target_end_date,location,observation\nx,2026-01-10,US,${value}\n`

  it('have the dates of the folders, in CSV and Parquet', async () => {
    const columns = [
      { name: 'target', type: 'text' },
      { name: 'target_end_date', type: 'date' },
      { name: 'location', type: 'text' },
      { name: 'observation', type: 'number' },
    ] as const
    const folder = folderOf({
      'time-series/as_of=2026-01-14/time-series.csv': part(100),
      'time-series/as_of=2026-01-21/part-0.parquet': await written(
        toTable(columns, [['x', '2026-01-10', 'US', 104]]),
      ),
      // Changes nothing, and yet the table has all that there was by then.
      'time-series/as_of=2026-01-28/time-series.csv': part(104),
    })
    const result = await imported(join(folder, 'time-series'))
    expect(result.says).toEqual([])
    expect(result.rows).toEqual([
      'US,2026-W01,100,2026-01-15T05:00:00Z',
      'US,2026-W01,104,2026-01-22T05:00:00Z',
    ])
    expect(result).toMatchObject({
      manifest: {
        complete_to: '2026-01-29T05:00:00Z',
        input: { file: 'time-series', files: 3, format: 'mixed' },
      },
    })
  })

  it('are known by the digests of their files', async () => {
    const files = { 'as_of=2026-01-21/b.csv': part(2), 'as_of=2026-01-14/a.csv': part(1) }
    const result = await imported(folderOf(files))
    const lines = Object.entries(files).map(([name, text]) => `${sha256Hex(text)}  ${name}\n`)
    expect(result).toMatchObject({
      manifest: {
        input: {
          files: 2,
          format: 'csv',
          bytes: part(1).length + part(2).length,
          sha256: sha256Hex(lines.reverse().join('')),
        },
      },
    })
  })

  it('may be named by one of their files, or by the folder of one date', async () => {
    const folder = folderOf({ 'as_of=2026-01-14/time-series.csv': part(100) })
    for (const name of ['as_of=2026-01-14/time-series.csv', 'as_of=2026-01-14']) {
      const { rows } = await imported(join(folder, name))
      expect(rows).toEqual(['US,2026-W01,100,2026-01-15T05:00:00Z'])
    }
  })

  it('may be called by midnights, as pandas does: they are dates, unless one of the folders has another time', async () => {
    const midnight = 'as_of=2026-01-14 00%3A00%3A00.000000/a.csv'
    const folder = folderOf({ [midnight]: part(1) })
    for (const path of [folder, join(folder, midnight)]) {
      const { rows } = await imported(path)
      expect(rows).toEqual(['US,2026-W01,1,2026-01-15T05:00:00Z'])
    }
    const times = folderOf({ [midnight]: part(1), 'as_of=2026-01-21 12%3A00%3A00/a.csv': part(2) })
    const { says } = await imported(times)
    expect(says[0]?.[1]).toContain('If times without one are UTC: --utc.')
    const { rows } = await imported(times, { naming: { utc: true } })
    expect(rows).toEqual([
      'US,2026-W01,1,2026-01-14T00:00:00Z',
      'US,2026-W01,2,2026-01-21T12:00:00Z',
    ])
  })

  it('have dates in a Parquet column of midnights, unless another file has another time there', async () => {
    const local = {
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
    }
    const file = (...times: string[]) => {
      const asOf = times.map((time) => BigInt(Date.parse(`${time}Z`)) * 1000n)
      const texts = (text: string) => times.map(() => text)
      const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
      const columns = [
        { name: 'series', data: texts('US'), ...text },
        { name: 'period', data: times.map((_, at) => `2026-W0${at + 1}`), ...text },
        { name: 'value', data: times.map((_, at) => at + 1.5), type: 'DOUBLE' },
        { name: 'as_of', data: asOf, ...local },
      ]
      const schema = columns.map(({ data, ...of }) => ({ ...of, repetition_type: 'REQUIRED' }))
      const options = {
        columnData: columns.map(({ name, data }) => ({ name, data })),
        schema: [{ name: 'root', num_children: schema.length }, ...schema],
      }
      return Buffer.from(parquetWriteBuffer(options as never))
    }
    const [midnights, noon] = [
      file('2026-01-20T00:00', '2026-01-21T00:00'),
      file('2026-01-22T12:00'),
    ]
    const dated = await imported(folderOf({ '0.parquet': midnights }))
    expect(dated.rows[0]).toBe('US,2026-W01,1.5,2026-01-21T05:00:00Z')
    for (const files of [
      { '0.parquet': midnights, '1.parquet': noon },
      { '0.parquet': noon, '1.parquet': midnights },
    ]) {
      const { says } = await imported(folderOf(files))
      expect(says.map(([says]) => says).join()).toContain(
        'the as_of "2026-01-20T00:00:00" is neither',
      )
      const { rows } = await imported(folderOf(files), { naming: { utc: true } })
      expect(rows[0]).toBe('US,2026-W01,1.5,2026-01-20T00:00:00Z')
    }
  })

  it('count equal rows of two files once, and name the other file', async () => {
    const folder = folderOf({
      'as_of=2026-01-14/a.csv': part(1),
      'as_of=2026-01-14/b.csv': part(1),
    })
    const { says, rows } = await imported(folder)
    expect(says.map(([text]) => text)).toEqual([
      'note table-repeated @/as_of=2026-01-14/b.csv:2: the row says the same as line 2 of @/as_of=2026-01-14/a.csv: equal rows count once',
    ])
    expect(rows).toHaveLength(1)
  })

  it('may have folders of other columns, whose names are escaped', async () => {
    const rows = 'target_end_date,location,observation\n2026-01-10,US,1\n'
    const folder = folderOf({
      'target=wk%20inc%20flu%20hosp/as_of=2026-01-14/part-0.csv': rows,
      'target=ed visits/as_of=2026-01-14/part-0.csv': rows.replace(',1', ',0.5'),
    })
    const { says } = await imported(folder)
    expect(says[0]?.[0]).toContain('several targets: "ed visits" and "wk inc flu hosp"')
    expect(says).toHaveLength(1)
    const chosen = await imported(folder, { target: 'wk inc flu hosp' })
    expect(chosen.rows).toEqual(['US,2026-W01,1,2026-01-15T05:00:00Z'])
  })

  it('leave out what is no table, and say so', async () => {
    const folder = folderOf({
      'as_of=2026-01-14/time-series.csv': part(100),
      'README.md': 'About these data.',
      '.DS_Store': 'x',
      'as_of=2026-01-14/_SUCCESS': '',
      'archive/old.csv': 'x',
    })
    symlinkSync(join(folder, 'README.md'), join(folder, 'as_of=2026-01-14/link.csv'))
    const { ok, says } = await imported(folder)
    expect(ok).toBe(true)
    expect(says.map(([each]) => each)).toEqual([
      'note table-folder @:-: 3 files or folders are left out: "README.md", "archive" and "link.csv"',
    ])
    const empty = await imported(join(folder, 'archive/..', 'as_of=2026-01-14', '..', 'archive'))
    expect(empty.ok).toBe(false)
    const none = await imported(folderOf({ 'README.md': '' }))
    expect(none.says[0]?.[0]).toMatch(/^error table-folder @:-: the folder has no table/)
  })

  it('name the file of each row that is at fault', async () => {
    const folder = folderOf({
      'as_of=2026-01-14/a.csv': part(1),
      'as_of=2026-01-14/b.csv': part(2),
      'as_of=2026-01-21/a.csv': part(1).replace('observation', 'value'),
      'as_of=2026-01-28/a.csv': 'target_end_date,location\n2026-01-10,US\n',
    })
    const { says } = await imported(folder)
    expect(says.map(([each]) => each)).toEqual([
      'error truth-column @/as_of=2026-01-28/a.csv:1: the column value is missing; the table has target_end_date, location and as_of',
      'error truth-twice @/as_of=2026-01-14/b.csv:2: US, 2026-W01 has 2 here and 1 in line 2 of @/as_of=2026-01-14/a.csv, as of the same instant',
    ])
  })
})

describe('a table with a column for each series', () => {
  const WIDE = 'week,as_of,US,06,PR\n2026-W01,2026-01-14,5,1,9\n2026-W02,2026-01-21,6,,9\n'
  const columns = { period: 'week' }

  it('is the table with a row for each value', async () => {
    const { says, rows } = await imported(table(WIDE), { columns, melt: true })
    expect(says).toEqual([
      ['warning truth-unknown @:1: the protocol has no series "PR"', 'Such rows are left out.'],
    ])
    const ignored = await imported(table(WIDE), { columns, melt: true, ignore: ['PR'] })
    expect([ignored.says, ignored.rows]).toEqual([[], rows])
    expect(rows).toEqual([
      '06,2026-W01,1,2026-01-15T05:00:00Z',
      'US,2026-W01,5,2026-01-15T05:00:00Z',
      'US,2026-W02,6,2026-01-22T05:00:00Z',
    ])
  })

  it('is asked about, and so is what else would tell its rows apart', async () => {
    const asked = await imported(table(WIDE), { columns })
    expect(asked.says.map(([each, help]) => `${each} ${help}`)).toEqual([
      expect.stringMatching(/value is missing, and columns are called .*: US and 06 .*add --melt/),
    ])
    const status = WIDE.replace(/^(2026-W02.*)$/m, '$1\n2026-W02,2026-01-21,6,,8')
    const { says } = await imported(table(status), { columns, melt: true })
    expect(says[1]?.[0]).toContain('the column "PR" is not read, and 2 rows differ in it')
    const target = 'target,period,as_of,US\na,2026-W01,2026-01-14,5\nb,2026-W02,2026-01-21,5\n'
    expect((await imported(table(target), { melt: true })).says[0]?.[0]).toContain(
      'several targets',
    )
  })

  it('names the columns that it has where others are missing', async () => {
    const { says } = await imported(table(WIDE), { melt: true })
    expect(says.map(([text]) => text)).toEqual([
      expect.stringContaining('column period is missing; the table has week, as_of, US, 06 and PR'),
    ])
  })

  it('has the first days of months, with a series that is called NA', async () => {
    const days = { from: day('2026-01-01'), to: day('2026-12-31') }
    const months = monthPeriods(days, 'month', NEW_YORK)
    const protocol = protocolOf(['US', 'NA'], 'America/New_York', months, { outcome: UNREVISED })
    const { says, rows } = await imported(table('DATE,US,NA\n2026-01-01,1,2\n2026-02-01,NA,4\n'), {
      ...{ protocol, periods: months, columns: { period: 'DATE' } },
      ...{ melt: true, naming: { label: 'start' }, completeTo: '2026-06-01' },
    })
    expect([says, rows]).toEqual([[], ['NA,2026-01,2,', 'NA,2026-02,4,', 'US,2026-01,1,']])
  })

  it('has columns that are called as series, and none of a row for each value', async () => {
    const long = 'series,period,value,as_of\nUS,2026-W01,5,2026-01-14\n'
    const { says } = await imported(table(long), { melt: true })
    expect(says[0]?.[0]).toContain('with --melt each series is a column, but')
    const other = await imported(table('period,as_of,PR\n2026-W01,2026-01-14,5\n'), { melt: true })
    expect(other.says[0]?.[0]).toContain(
      'none is called as a series of the protocol: period, as_of and PR',
    )
  })
})
