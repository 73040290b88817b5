import { existsSync, readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { hourPeriods, weekPeriods } from '../../src/periods/make.js'
import type { Release } from '../../src/truth/releases.js'
import { releasesText, truthManifest } from '../../src/truth/vintage.js'
import { inProcess } from '../support/in-process.js'
import { day, frozenAt, NEW_YORK } from '../truth/sample.js'
import { configFaults, filesOf, folderOfEach, linesOf, put, SCHEMAS } from './support.js'

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
US,2025-W46,0,team-seer,11,,
06,2025-W46,0,owl,3,2,4
06,2025-W47,3,owl,3,2,4
`

/** A history of the table. @returns its protocol */
async function given(): Promise<string> {
  const protocol = freeze(['0.1', '0.9'], ['US', '06'])
  await importing(write('t.csv', TABLE), 'a.sqlite', protocol)
  return protocol
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
    const text = releasesText(table)
    const manifest = truthManifest({ table, sha256: sha256Hex(text), source: 'made', input: null })
    write('truth/releases.csv', text)
    write('truth/manifest.json', JSON.stringify(manifest))
    const done = await toHub('a.sqlite', protocol, ['--outcomes', at('truth')])
    expect(done.code).toBe(0)
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

  it('is written with its protocol only', async () => {
    await given()
    const done = await run(['export', at('a.sqlite'), '--to', 'hubverse', '--out', at('hub')])
    expect(done.all).toContain('--protocol')
    expect(existsSync(at('hub'))).toBe(false)
  })
})

describe('history import --from hubverse --protocol', () => {
  const HEAD =
    'reference_date,target,horizon,target_end_date,location,output_type,output_type_id,value'
  const FILE = 'hub/model-output/t-m/2025-11-15-t-m.csv'
  const row = (target: string, level: string, value: number, type = 'quantile') =>
    `2025-11-15,${target},1,2025-11-22,US,${type},${level},${value}`
  const imported = async (rows: readonly string[], more: readonly string[] = []) => {
    const protocol = freeze(['0.1', '0.5', '0.9'], ['US', '06'])
    write(FILE, `${[HEAD, ...rows].join('\n')}\n`)
    return await importing(at('hub'), 'a.sqlite', protocol, ['--from', 'hubverse', ...more])
  }

  it('takes one target of several, and its quantiles', async () => {
    const rows = [
      ...[row('hosp', '0.1', 1), row('hosp', '0.5', 2), row('hosp', '0.9', 3)],
      ...[row('visits', '0.5', 0.1), row('hosp', 'large', 0.2, 'pmf')],
    ]
    const several = await imported(rows)
    expect(several.code).not.toBe(0)
    expect(several.all).toContain('several targets: "hosp" and "visits"')
    const done = await imported(rows, ['--target', 'hosp'])
    expect(done.code).toBe(0)
    expect(await lines('a.sqlite')).toBe(
      '{"horizon":1,"model":"t-m","origin":"2025-W46","quantiles":{"0.1":1,"0.5":2,"0.9":3},"series":"US","value":2}\n',
    )
    expect(done.all).toContain('2 rows')
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
})

const SEASON = new URL('../../../shared/data/flusight/forecasts-2025-26.csv.gz', import.meta.url)

describe.runIf(existsSync(SEASON))('a real season of a hub', () => {
  it('comes in and goes out with all its rows, values equal', async () => {
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
