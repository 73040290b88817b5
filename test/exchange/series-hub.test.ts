import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { hourPeriods, weekPeriods } from '../../src/periods/make.js'
import type { ReleaseTable } from '../../src/truth/release-columns.js'
import type { Release } from '../../src/truth/releases.js'
import { createTruthManifest, releasePieces } from '../../src/truth/releases-vintage.js'
import { scoreInto } from '../evaluation/score-into.js'
import { makeSeriesFolder } from '../evaluation/series-folder.js'
import { inProcess } from '../support/in-process.js'
import { put, readText } from '../support/text-file.js'
import { day, frozenAt, NEW_YORK } from '../truth/sample.js'
import { configFaults, filesOf, folderOfEach, linesOf, SCHEMAS } from './support.js'

const at = folderOfEach()
const WEEKS = weekPeriods({ from: day('2025-08-03'), to: day('2028-08-06') }, 'sunday', NEW_YORK)

const freeze = (levels: readonly string[], series: readonly string[], periods = WEEKS) =>
  frozenAt(at(), levels, series, periods)

const write = (file: string, text: string) => put(at(file), text)
const read = (file: string) => readFileSync(at(file), 'utf8')

const run = async (words: readonly string[]) => {
  const done = await inProcess(words)
  return { ...done, all: done.stdout + done.stderr }
}
const importing = (
  input: string,
  history: string,
  protocol: string,
  more: readonly string[] = [],
) => run(['history', 'import', input, '--protocol', protocol, '--history', at(history), ...more])
const toHub = (history: string, protocol: string, more: readonly string[] = []) => {
  const words = ['export', at(history), '--to', 'hubverse', '--protocol', protocol]
  return run([...words, '--out', at('hub'), ...more])
}
const lines = (history: string) => linesOf(at(history))

const TABLE = `series,origin,horizon,model,value,q0.1,q0.9
US,2025-W46,-1,team-seer,10,8.5,12
US,2025-W46,0,team-seer,11,9,14
06,2025-W46,0,owl,3,2,4
06,2025-W47,3,owl,3,2,4
`

/** A history of the table. @returns its protocol */
async function given(): Promise<string> {
  const protocol = freeze(['0.1', '0.9'], ['US', '06'])
  await importing(write('t.csv', TABLE), 'a.sqlite', protocol)
  return protocol
}

/** A vintage. @returns its folder */
function vintageOf(table: ReleaseTable): string {
  const text = [...releasePieces(table)].join('')
  const manifest = createTruthManifest({
    table,
    sha256: sha256Hex(text),
    source: 'made',
    input: null,
  })
  write('truth/releases.csv', text)
  write('truth/manifest.json', JSON.stringify(manifest))
  return at('truth')
}

describe('a history of any series as a hub', () => {
  it('is a file for each model and reference date, and the same history when it is read', async () => {
    const protocol = await given()
    expect((await toHub('a.sqlite', protocol)).all).toContain(
      '4 forecasts, 2 models, 2 rounds, 3 files of model output, as csv',
    )
    expect(filesOf(at('hub'))).toEqual([
      'README.md',
      'hub-config/admin.json',
      'hub-config/model-metadata-schema.json',
      'hub-config/tasks.json',
      'model-metadata/foreproof-owl.yml',
      'model-metadata/team-seer.yml',
      'model-output/foreproof-owl/2025-11-15-foreproof-owl.csv',
      'model-output/foreproof-owl/2025-11-22-foreproof-owl.csv',
      'model-output/team-seer/2025-11-15-team-seer.csv',
    ])
    expect(read('hub/model-output/team-seer/2025-11-15-team-seer.csv')).toBe(
      [
        'reference_date,location,horizon,target_end_date,output_type,output_type_id,value',
        '2025-11-15,US,-1,2025-11-08,median,NA,10',
        '2025-11-15,US,-1,2025-11-08,quantile,0.1,8.5',
        '2025-11-15,US,-1,2025-11-08,quantile,0.9,12',
        '2025-11-15,US,0,2025-11-15,median,NA,11',
        '2025-11-15,US,0,2025-11-15,quantile,0.1,9',
        '2025-11-15,US,0,2025-11-15,quantile,0.9,14',
        '',
      ].join('\n'),
    )
    const again = await importing(at('hub'), 'b.sqlite', protocol, ['--from', 'hubverse'])
    expect(again.all).toContain('4 new')
    expect(await lines('b.sqlite')).toBe(await lines('a.sqlite'))
    const parquet = ['--format', 'parquet']
    rmSync(at('hub'), { recursive: true })
    await toHub('a.sqlite', protocol, parquet)
    await importing(at('hub'), 'c.sqlite', protocol, ['--from', 'hubverse'])
    expect(await lines('c.sqlite')).toBe(await lines('a.sqlite'))
  })

  it('has the releases of the truth, and the values that count, as its target data, by the schemas of 6.0.0', async () => {
    const protocol = await given()
    // In force at the midnights that end these days in New York, of which those of November are at 05:00Z.
    const release = (date: string, value: number | undefined): Release => ({
      asOf: day(`${date}T05:00:00Z`),
      value,
    })
    const table = new Map([
      ['US', new Map([['2025-W45', [release('2025-11-16', 8), release('2025-11-30', 9)]]])],
      ['06', new Map([['2025-W46', [release('2025-11-23', 3), release('2025-11-24', undefined)]]])],
    ])
    const done = await toHub('a.sqlite', protocol, ['--outcomes', vintageOf(table)])
    expect(done.code).toBe(0)
    expect(done.all).not.toContain('has no place for')
    expect(read('hub/target-data/time-series.csv')).toBe(
      [
        'target_end_date,location,as_of,observation',
        '2025-11-08,US,2025-11-15,8',
        '2025-11-08,US,2025-11-29,9',
        '2025-11-15,06,2025-11-22,3',
        '2025-11-15,06,2025-11-23,',
        '',
      ].join('\n'),
    )
    // 28 days after the week: the second value of the one, and none of the other.
    expect(read('hub/target-data/oracle-output.csv')).toBe(
      'target_end_date,location,oracle_value\n2025-11-08,US,9\n',
    )
    if (!existsSync(SCHEMAS)) return
    expect(configFaults(at('hub'), 'v6.0.0', ['admin', 'tasks', 'target-data'])).toEqual([])
  })

  it('says how many releases a day has no place for, and how many times of day are lost', async () => {
    const protocol = await given()
    const at = (time: string, value: number): Release => ({ asOf: day(time), value })
    const releases = [
      at('2025-11-13T12:00:00Z', 8),
      at('2025-11-13T20:00:00Z', 9),
      at('2025-11-16T05:00:00Z', 10),
    ]
    const vintage = vintageOf(new Map([['US', new Map([['2025-W45', releases]])]]))
    const done = await toHub('a.sqlite', protocol, ['--outcomes', vintage])
    expect(done.all).toContain(
      'a hub has no place for: 1 release of outcomes that another one of the same day followed; the time of day of 2 releases of outcomes, which is read as the end of the day',
    )
    expect(read('hub/target-data/time-series.csv')).toBe(
      'target_end_date,location,as_of,observation\n2025-11-08,US,2025-11-13,9\n2025-11-08,US,2025-11-15,10\n',
    )
  })

  it('is none where periods end within days, or the list is another one', async () => {
    const weeks = freeze(['0.1'], ['US'])
    await importing(write('t.csv', TABLE), 'a.sqlite', weeks)
    const few = freeze(['0.1'], ['US'], WEEKS.slice(40))
    expect((await toHub('a.sqlite', few)).all).toContain('the list of periods has no 2025-W46')
    const days = { from: day('2025-11-01'), to: day('2025-11-12') }
    const hours = freeze(['0.1'], ['US'], hourPeriods(days, NEW_YORK))
    const done = await toHub('a.sqlite', hours)
    expect(done.all).toContain('does not end at a midnight of America/New_York')
    expect(existsSync(at('hub'))).toBe(false)
  })

  it('writes nothing for an empty history, over a folder, or without one', async () => {
    const protocol = await given()
    await importing(
      write('none.csv', 'series,origin,horizon,model,value\n'),
      'none.sqlite',
      protocol,
    )
    expect((await toHub('none.sqlite', protocol)).all).toContain('no forecast')
    const to = ['export', at('a.sqlite'), '--to', 'hubverse', '--protocol', protocol]
    for (const [words, code, says] of [
      [to, 2, /--to hubverse --out FOLDER/],
      [[...to, '--out', '-'], 2, /--to hubverse --out FOLDER/],
      [[...to, '--out', at('hub'), '--format', 'ndjson'], 2, /--to hubverse --out FOLDER/],
      [[...to, '--out', at()], 1, /already exists/],
      [[...to, '--out', at('hub'), 'pairs'], 2, /no table pairs|unexpected|pairs/],
      [['export', at('a.sqlite')], 2, /--to hubverse/],
      [to.slice(0, 4).concat('--out', at('hub')), 2, /--protocol/],
      [['export', at('a.sqlite'), 'scores', '--long'], 2, /--long needs the table pairs/],
      [['export', at('a.sqlite'), 'scores', '--outcomes', 'v'], 2, /needs --to hubverse/],
    ] as const) {
      const done = await run(words)
      expect([done.code, done.all], words.join(' ')).toEqual([code, expect.stringMatching(says)])
    }
    expect(existsSync(at('hub'))).toBe(false)
  })
})

const HEAD =
  'reference_date,target,horizon,target_end_date,location,output_type,output_type_id,value'
const FILE = 'hub/model-output/t-m/2025-11-15-t-m.csv'
const row = (target: string, level: string, value: number, type = 'quantile') =>
  `2025-11-15,${target},1,2025-11-22,US,${type},${level},${value}`
const quantiles = (target: string) => [
  ...[row(target, '0.1', 1), row(target, '0.5', 2), row(target, '0.9', 3)],
]
const TAKEN =
  '{"horizon":1,"model":"t-m","origin":"2025-W46","quantiles":{"0.1":1,"0.5":2,"0.9":3},"series":"US","value":2}\n'

describe('history import --from hubverse --protocol', () => {
  const imported = async (rows: readonly string[], more: readonly string[] = []) => {
    const protocol = freeze(['0.1', '0.5', '0.9'], ['US', '06'])
    write(FILE, `${[HEAD, ...rows].join('\n')}\n`)
    return await importing(at('hub'), 'a.sqlite', protocol, ['--from', 'hubverse', ...more])
  }

  it('takes one target of several, and its quantiles', async () => {
    const rows = [
      ...quantiles('hosp'),
      ...[
        row('visits', '0.5', 0.1),
        row('hosp', 'large', 0.2, 'pmf'),
        row('hosp', 'NA', 9, 'mean'),
      ],
    ]
    const several = await imported(rows)
    expect(several.code).not.toBe(0)
    expect(several.all).toContain('several targets: "hosp" and "visits"')
    expect(several.all).toContain('--target "hosp"')
    const none = await imported(rows, ['--target', 'hops'])
    expect(none.all).toContain('of the target "hops"')
    expect(none.all).toContain('The rows are of "hosp" and "visits"')
    expect(existsSync(at('a.sqlite'))).toBe(false)
    const done = await imported(rows, ['--target', 'hosp'])
    expect(done.code).toBe(0)
    expect(await lines('a.sqlite')).toBe(TAKEN)
    expect(done.all).toContain('1 row of other targets left out: "visits"')
    expect(done.all).toContain('2 rows of output_type "pmf" and "mean" left out')
    expect(done.all).not.toContain('0.1, 0.5')
  })

  it('is refused where no row is a quantile or a median, with what it is not for', async () => {
    const samples = quantiles('hosp').map((each) => each.replace('quantile', 'sample'))
    const refused = await imported(samples)
    expect(refused.code).toBe(1)
    expect(refused.all).toMatch(
      /no row is a quantile or a median: \d+ rows are of output_type "sample"/,
    )
    expect(refused.all).toContain('docs/not-for.md')
    expect(existsSync(at('a.sqlite'))).toBe(false)
  })

  it('asks which target is meant where two files have one each', async () => {
    const other = quantiles('visits').join('\n')
    write('hub/model-output/t-n/2025-11-15-t-n.csv', `${HEAD}\n${other}\n`)
    const done = await imported(quantiles('hosp'))
    expect(done.all).toContain('several targets: "hosp" and "visits"')
    expect(existsSync(at('a.sqlite'))).toBe(false)
  })

  it.each([
    ['of another round', row('hosp', '0.5', 2).replace('2025-11-15', '2025-11-22')],
    ['of another target', row('hosp', '0.5', 2).replace('22,US', '29,US')],
    ['without a level', row('hosp', 'NA', 2)],
  ])('refuses a row %s', async (_, text) => {
    const done = await imported([text])
    expect(done.code).not.toBe(0)
    expect(done.all).toContain(`${FILE}:2`)
    expect(existsSync(at('a.sqlite'))).toBe(false)
  })

  it('leaves out with a note what holds no forecasts', async () => {
    const others = ['Readme.md', 'README.txt', '.DS_Store', '.gitkeep', 'plot.png', 'LICENSE']
    for (const name of others)
      for (const folder of ['', 't-m/']) write(`hub/model-output/${folder}${name}`, 'x')
    write('hub/model-output/.git/config', 'x')
    const done = await imported(quantiles('hosp'))
    expect(done.code).toBe(0)
    expect(done.all).toContain('13 files beside the forecasts left out')
    expect(done.all.match(/exchange-unread/g)).toHaveLength(1)
    expect(await lines('a.sqlite')).toBe(TAKEN)
  })

  it.each([
    't-m/2025-11-22.csv',
    't-m/2025-11-22-t-m.CSV',
    't-m/2025-11-22-t-m.csv.gz',
    't-m/2025-11-22-t-m',
    't-m/2025-11-22-t-m (1).csv',
    't-m/2025-11-22-t-m.csv.bak',
    't-m/2025-11-22/part.csv',
    '2025-11-22-t-m.csv',
    'more/2025-11-22-t-m.csv',
    't-m/2025-11-22-t-n.csv',
    't-m/2025-02-30-t-m.csv',
    't-m/EW202246-t-m.csv',
    '..%2fx/2025-11-22-t-m.csv',
  ])('refuses %s, which may be forecasts', async (name) => {
    write(`hub/model-output/${name}`, 'x')
    const done = await imported(quantiles('hosp'))
    expect(done.code).not.toBe(0)
    expect(done.all).toContain('hub-file')
    expect(done.all).toMatch(/help: (Move|Rename) /)
    expect(existsSync(at('a.sqlite'))).toBe(false)
  })

  it('follows no link, and names a folder that is no hub', async () => {
    write('elsewhere.csv', 'x')
    mkdirSync(at('hub/model-output/t-m'), { recursive: true })
    symlinkSync(at('elsewhere.csv'), at('hub/model-output/t-m/2025-11-22-t-m.csv'))
    expect((await imported(quantiles('hosp'))).all).toMatch(/a regular file named/)
    const none = await importing(at('nowhere'), 'a.sqlite', freeze(['0.5'], ['US']), [
      ...['--from', 'hubverse'],
    ])
    expect([none.code, none.all]).toEqual([2, expect.stringContaining('no folder model-output')])
  })

  it.each([['--utc'], ['--sep', ';']])('has no use for %s', async (...more) => {
    const { code, all } = await imported(quantiles('hosp'), more)
    expect([code, all]).toEqual([2, expect.stringContaining('cannot be used with --from hubverse')])
  })

  it('takes a Parquet file whose name says how it is compressed', async () => {
    const protocol = await given()
    await toHub('a.sqlite', protocol, ['--format', 'parquet'])
    const folder = at('hub/model-output/team-seer')
    const [file = ''] = readdirSync(folder)
    renameSync(join(folder, file), join(folder, file.replace('.parquet', '.zstd.parquet')))
    await importing(at('hub'), 'b.sqlite', protocol, ['--from', 'hubverse'])
    expect(await lines('b.sqlite')).toBe(await lines('a.sqlite'))
  })

  it('takes the quantile of level 0.5 where a median beside it is another, and counts these', async () => {
    const second = (line: string) => line.replace(',US,', ',06,')
    const medians = [row('x', 'NA', 2.5, 'median'), second(row('x', '', 2, 'median'))]
    const rows = [...medians, ...quantiles('x'), ...quantiles('x').map(second)]
    const done = await imported(rows)
    expect(done.code).toBe(0)
    expect(done.all).toContain('1 forecast has a median that is not the quantile of level 0.5')
    expect(await lines('a.sqlite')).toBe(`${TAKEN.replace('"US"', '"06"')}${TAKEN}`)
    // Of any other table the two have to agree.
    const wide = 'series,origin,horizon,model,value,q0.1,q0.5,q0.9\nUS,2025-W46,1,t-m,2.5,1,2,3\n'
    const refused = await importing(
      write('t.csv', wide),
      'b.sqlite',
      freeze(['0.1', '0.5', '0.9'], ['US', '06']),
    )
    expect(refused.all).toContain('is not the quantile of level 0.5')
    expect(refused.code).not.toBe(0)
  })

  it('asks what a column is that a hub calls otherwise', async () => {
    const protocol = freeze(['0.1', '0.5', '0.9'], ['US', '06'])
    const head = HEAD.replace('reference_date', 'origin_date').replace('location', 'unique_id')
    write(FILE, `${[head, ...quantiles('x')].join('\n')}\n`)
    const hub = ['--from', 'hubverse']
    const asked = await importing(at('hub'), 'a.sqlite', protocol, hub)
    expect(asked.all).not.toContain('--columns origin=reference_date')
    const [, columns = ''] = /Did you mean --columns (\S+)\?/.exec(asked.all) ?? []
    const done = await importing(at('hub'), 'a.sqlite', protocol, [...hub, '--columns', columns])
    expect(done.code).toBe(0)
    expect(await lines('a.sqlite')).toBe(TAKEN)
  })
})

describe('dates of origin that end no period', () => {
  const DAY = '2025-11-19'
  const FORECASTS = 'hub/model-output/t-m/2025-11-19-t-m.csv'
  const rows = (horizon: number, target: string) =>
    ['0.1', '0.5', '0.9'].map((q, at) => `${DAY},x,${horizon},${target},US,quantile,${q},${at + 1}`)
  const imported = async (all: readonly string[], head: string, more: readonly string[] = []) => {
    const protocol = freeze(['0.1', '0.5', '0.9'], ['US', '06'])
    write(FORECASTS, `${[head, ...all].join('\n')}\n`)
    return await importing(at('hub'), 'a.sqlite', protocol, ['--from', 'hubverse', ...more])
  }
  const DATED = HEAD.replace('reference_date', 'origin_date')
  const origin = (name: string) => ['--columns', `origin=${name}`]

  it('are days of submission where --columns names them: the origin follows from target and horizon', async () => {
    // The first target is the week that ended on the Saturday before: the one before that is the origin.
    const done = await imported(
      [...rows(1, '2025-11-15'), ...rows(2, '2025-11-22')],
      DATED,
      origin('origin_date'),
    )
    expect(done.code).toBe(0)
    expect(done.all).toContain('2025-11-19 as 2025-W45')
    const taken = (horizon: number) =>
      TAKEN.replace('W46', 'W45').replace('"horizon":1', `"horizon":${horizon}`)
    expect(await lines('a.sqlite')).toBe(taken(1) + taken(2))
  })

  it('are refused where --columns does not name them, with what to do', async () => {
    const done = await imported(rows(1, '2025-11-15'), HEAD)
    expect(done.code).not.toBe(0)
    expect(done.all).toContain('--columns origin=reference_date')
    const named = await imported(rows(1, '2025-11-15'), HEAD, origin('reference_date'))
    expect(named.code).toBe(0)
  })

  it('are refused where two rows of one date lead to two origins, in one file or in two', async () => {
    const twice = await imported(
      [...rows(1, '2025-11-15'), ...rows(2, '2025-11-15')],
      DATED,
      origin('origin_date'),
    )
    expect(twice.code).not.toBe(0)
    expect(twice.all).toContain(`2025-11-19 to 2025-W44, and to 2025-W45 in ${at(FORECASTS)}:2`)
    const other = FORECASTS.replaceAll('t-m', 't-n')
    write(other, `${[DATED, ...rows(1, '2025-11-22')].join('\n')}\n`)
    const two = await imported(rows(1, '2025-11-15'), DATED, origin('origin_date'))
    expect(two.all).toContain(`${at(other)}:2`)
    expect(existsSync(at('a.sqlite'))).toBe(false)
  })

  it('are refused without a target, and with one that lies too early', async () => {
    const head = DATED.replace('target_end_date', 'other')
    const without = await imported(rows(1, '2025-11-15'), head, origin('origin_date'))
    expect(without.all).toContain('no target_end_date or no horizon')
    const early = await imported(rows(3, '2025-08-09'), DATED, origin('origin_date'))
    expect(early.code).not.toBe(0)
    expect(existsSync(at('a.sqlite'))).toBe(false)
  })
})

describe('a table of rows of a hub', () => {
  const COLUMNS =
    'series=location,origin=reference_date,target=target_end_date,model=model_id,level=output_type_id'
  const table = (rows: readonly string[], head = HEAD) =>
    write('flat.csv', `${[`model_id,${head}`, ...rows.map((each) => `t-m,${each}`)].join('\n')}\n`)
  const imported = (file: string, more: readonly string[] = []) =>
    importing(file, 'a.sqlite', freeze(['0.1', '0.5', '0.9'], ['US', '06']), more)

  it('is asked about its columns, and read as a hub with the answer', async () => {
    const rows = [
      ...quantiles('hosp'),
      row('hosp', 'NA', 9, 'mean'),
      '2025-11-15,peak,NA,NA,US,pmf,x,0.5',
    ]
    const asked = await imported(table(rows))
    expect(asked.code).not.toBe(0)
    const [, columns = ''] = /Did you mean --columns (\S+)\?/.exec(asked.all) ?? []
    expect(columns.split(',').sort()).toEqual(COLUMNS.split(',').sort())
    const done = await imported(table(rows), ['--columns', columns])
    expect(done.code).toBe(0)
    expect(done.all).toContain('2 rows of output_type "mean" and "pmf" left out')
    expect(await lines('a.sqlite')).toBe(TAKEN)
  })

  it('is asked about its target where there are several', async () => {
    const rows = [...quantiles('hosp'), row('visits', '0.5', 0.1)]
    const asked = await imported(table(rows), ['--columns', COLUMNS])
    expect(asked.all).toContain('--target "hosp"')
    const done = await imported(table(rows), ['--columns', COLUMNS, '--target', 'hosp'])
    expect(done.code).toBe(0)
    expect(await lines('a.sqlite')).toBe(TAKEN)
  })

  it('has no period in `target` without types of output either', async () => {
    const head = 'origin,target,target_end_date,series,value'
    const rows = ['2025-W46,1 wk ahead hosp,2025-11-22,US,2']
    const asked = await imported(table(rows, head))
    expect(asked.all).toContain('target=target_end_date')
  })

  it('needs the hub where it does not name its model', async () => {
    const file = write('2025-11-15-t-m.csv', `${[HEAD, ...quantiles('hosp')].join('\n')}\n`)
    expect((await imported(file)).all).toContain('--from hubverse')
  })
})

const SEASON = new URL('../../../shared/data/flusight/forecasts-2025-26.csv.gz', import.meta.url)

describe.runIf(existsSync(SEASON))('a real season of a hub', () => {
  it('comes in and goes out with all its rows, values equal', { timeout: 180_000 }, async () => {
    const text = gunzipSync(readFileSync(SEASON)).toString()
    const [head = '', ...rows] = text.trimEnd().split('\n')
    expect(rows.length).toBe(125_235)
    const cells = rows.map((line) => line.split(','))
    const column = (name: string) => head.split(',').indexOf(name)
    const of = (name: string) => cells.map((line) => String(line[column(name)]))
    const levels = [...new Set(of('output_type_id'))].sort()
    const protocol = freeze(levels, [...new Set(of('location'))].sort())
    const names =
      'series=location,origin=reference_date,model=model_id,level=output_type_id,target=target_end_date'
    const done = await importing(write('f.csv', text), 'a.sqlite', protocol, ['--columns', names])
    expect(done.all).toContain('5445 new')
    await toHub('a.sqlite', protocol)
    const wanted = [
      ...['reference_date', 'location', 'horizon', 'target_end_date', 'output_type'],
      ...['output_type_id', 'value'],
    ].map(column)
    const given = cells.map((line) => [line[0], ...wanted.map((index) => line[index])])
    const written = filesOf(at('hub'))
      .filter((file) => file.startsWith('model-output/'))
      .flatMap((file) => {
        const [, model] = file.split('/')
        const [, ...body] = read(`hub/${file}`).trimEnd().split('\n')
        return body.map((line) => [model, ...line.split(',')])
      })
    const text1 = (line: readonly (string | undefined)[]) =>
      [...line.slice(0, -1), Number(line.at(-1))].join()
    expect(written.map(text1).sort()).toEqual(given.map(text1).sort())
  })
})

describe('an evaluation as a hub', () => {
  it('is its scored forecasts, baselines included', async () => {
    const line = (cells: string[], key: string) => (key === 'a 10 1' ? undefined : cells)
    const world = await makeSeriesFolder({ line })
    const { result, folder } = await scoreInto(world, 'evidence')
    const { version } = result.inputs.protocol
    const protocol = join(world.paths.protocol, `${version}.json`)
    const words = ['export', folder, '--to', 'hubverse', '--out', at('hub')]
    const done = await run([...words, '--protocol', protocol])
    // Two series, two steps, 60 origins and six models; one forecast is missing.
    const scored = 6 * 60 * 2 * 2 - 1
    expect(done.all).toContain('1,439 forecasts, 6 models, 60 rounds')
    expect(done.all).toContain('a hub has no place for: 1 attempt not scored')
    // Read again, they are the values of the pairs.
    const history = at('again.sqlite')
    await importing(at('hub'), 'again.sqlite', protocol, ['--from', 'hubverse'])
    const rows = (await linesOf(history)).trim().split('\n')
    expect(rows).toHaveLength(scored)
    const pairs = readText(join(folder, FILES.pairs)).trim().split('\n')
    const [pair] = pairs.map((line) => JSON.parse(line)).filter(({ status }) => status === 'scored')
    const row = rows
      .map((line) => JSON.parse(line))
      .find(
        (each) =>
          each.series === pair.series &&
          each.origin === pair.origin &&
          each.horizon === pair.step &&
          each.model.endsWith(pair.model),
      )
    expect(row.value).toBe(pair.value)
    expect(Object.values(row.quantiles)).toEqual(expect.arrayContaining(pair.quantiles))

    const other = freeze(['0.1', '0.9'], ['US'])
    const refused = await run([...words, '--protocol', other])
    expect(refused.all).toContain('was scored under another protocol')
  })
})
