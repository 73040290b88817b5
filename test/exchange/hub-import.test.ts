import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { modelMetadata, ownNameIn } from '../../src/exchange/hubverse/config.js'
import {
  hubModelOf,
  originOfRound,
  roundIdOf,
  saturdayOf,
} from '../../src/exchange/hubverse/names.js'
import { importResources } from '../../src/history/import/import.js'
import { editText } from '../evaluation/world.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { EPOCH } from '../history/support.js'
import { inProcess } from '../support/in-process.js'
import {
  closesOf,
  configFaults,
  ending,
  expectRefused,
  filesOf,
  folderOfEach,
  put,
  SCHEMAS,
  valuesOf,
} from './support.js'

const at = folderOfEach()

const bytesOf = (folder: string) =>
  new Map(
    filesOf(at(folder)).map((file) => [file, readFileSync(at(`${folder}/${file}`), 'latin1')]),
  )

const toHub = (history: string, out: string, format = 'csv') =>
  inProcess(['export', at(history), '--to', 'hubverse', '--out', at(out), '--format', format])
const fromHub = (hub: string, history: string, more: readonly string[] = []) =>
  inProcess(['history', 'import', at(hub), '--from', 'hubverse', '--history', at(history), ...more])

describe('hubs of released versions', () => {
  beforeEach(async () => {
    const values = [sample(), sample({ horizon: 24 }), sample({ hour: 1 })]
    await importResources(at('one.sqlite'), values, { now: EPOCH })
    expect((await toHub('one.sqlite', 'hub')).code).toBe(0)
  })

  it.runIf(existsSync(SCHEMAS))('5.1.0 is written', () => {
    expect(configFaults(at('hub'), 'v5.1.0', ['admin', 'tasks'])).toEqual([])
  })

  it('6.0.0 is read, with target data beside it', async () => {
    for (const part of ['admin', 'tasks']) {
      editText(at(`hub/hub-config/${part}.json`), (text) => text.replace('v5.1.0', 'v6.0.0'))
    }
    put(at('hub/target-data/time-series.csv'), 'target_end_date,observation\n2026-01-01,50000\n')
    rmSync(at('hub/auxiliary-data'), { recursive: true })
    const vintage = put(at('closes.csv'), closesOf(2))
    const done = await fromHub('hub', 'two.sqlite', ['--outcomes', vintage])
    expect(done).toEqual(ending(0, 'forecasts  3 new'))
  })
})

describe('history import --from hubverse', () => {
  const plain = 'naive-last Alpha foreproof-alpha a-b-c ridge_v2 v2.1 007 1e3 NA null true -'
  const others = ['模型', '模式', 'naïve', '"', "it's", 'a\\b', 'x: y #z']
  const x = (count: number) => 'x'.repeat(count)
  const names = [...plain.split(' '), ...others, x(100), x(101), `t-${x(98)}`, `${x(100)}-y`]

  it.each(['csv', 'parquet'])('gives back what was exported: %s, byte for byte', async (format) => {
    const point = { level: 0.8, lower_usd: null, median_usd: null, upper_usd: null }
    const values = [
      sample(),
      sample({ horizon: 24 }),
      { ...sample({ hour: 1 }), interval: point },
      sample({ hour: 2, model: 'ridge v2' }),
      sample({ hour: 2, model: 'team1-modelA' }),
      sample({ hour: 2.5, model: '../x' }),
      sampleAttempt({ hour: 3 }),
      sample({ hour: 71 }),
      sample({ hour: 72 }),
      ...names.map((model) => sample({ hour: 73, model })),
    ]
    await importResources(at('one.sqlite'), values, { now: EPOCH })
    expect((await toHub('one.sqlite', 'first', format)).code).toBe(0)
    const done = await fromHub('first', 'two.sqlite')
    expect(done).toEqual(ending(0, `${8 + names.length} new`))
    expect((await toHub('two.sqlite', 'second', format)).code).toBe(0)
    expect(bytesOf('second')).toEqual(bytesOf('first'))
    const back = new Set((await valuesOf(at('two.sqlite'))).map(({ model }) => model.name))
    expect(names.filter((name) => !back.has(name))).toEqual([])
  })

  const HEADER = 'origin_id,horizon_hours,output_type,output_type_id,value\n'
  const ROUND = '2026_01_01_00'
  const NAME = `model-output/t-m/${ROUND}-t-m.csv`
  const WEEK = 'model-output/t-m/2026-01-03-t-m.csv'
  const WEEKLY = `reference_date,${HEADER}`
  const OTHER = HEADER.replace('horizon_hours', 'horizon')
  const NO_ORIGIN = '2026-01-03,2026-01-03x,2,median,NA,50000\n'
  const MEDIAN = `${ROUND},2,median,NA,50000\n`
  const QUANTILES = `${ROUND},2,quantile,0.1,1\n${ROUND},2,quantile,0.5,2\n${ROUND},2,quantile,0.9,3\n`
  const SOURCES = `origin_id,source_price_usd\n${ROUND},50000\n`

  async function given(name: string, rows: string, header = HEADER, sources = SOURCES) {
    put(at('hub/auxiliary-data/source-prices.csv'), sources)
    put(at(`hub/${name}`), header + rows)
    return await fromHub('hub', 'h.sqlite')
  }

  it('takes a mean or the middle quantile for the point, and CRLF for a line end', async () => {
    for (const rows of [MEDIAN, MEDIAN.replace('median', 'mean'), QUANTILES, MEDIAN + QUANTILES]) {
      const done = await given(NAME, rows.replaceAll('\n', '\r\n'), HEADER.replace('\n', '\r\n'))
      expect(done).toEqual(ending(0, 'forecasts  1 new'))
      rmSync(at('h.sqlite'))
    }
  })

  it('counts what a history has no place for', async () => {
    const rows = `${MEDIAN}${ROUND},2,sample,1,5\n${ROUND},2,quantile,0.25,5\n`
    expect(await given(NAME, rows)).toEqual(ending(0, '2 rows are not imported'))
  })

  it.each([
    ['another round', NAME, MEDIAN.replace('_00,', '_01,'), /round "2026_01_01_01"/],
    ['another type', NAME, MEDIAN.replace('median', 'middle'), /"middle" is no output_type/],
    ['a level of a median', NAME, MEDIAN.replace('NA', '0.5'), /"0\.5" does not belong/],
    ['no level', NAME, QUANTILES.replace('0.9', 'NA'), /"NA" does not belong/],
    [
      'a level too few',
      NAME,
      QUANTILES.replace(/.*0\.9.*\n/, ''),
      /no row of the level 0\.9 \(2026-01-01T00:00:00Z, t-m, 2 h\)/,
    ],
    [
      'nothing but outer ones',
      NAME,
      QUANTILES.replace(/.*0\.5.*\n/, ''),
      /no row of the level 0\.5/,
    ],
    [
      'a row twice',
      NAME,
      MEDIAN + MEDIAN.replace('50', '51'),
      /t-m\.csv:3:[\s\S]*two rows, with other values, of the median/,
    ],
    ['quantiles out of order', NAME, MEDIAN + QUANTILES.replace('0.1,1', '0.1,9'), /order|lower/],
    ['no number', NAME, MEDIAN.replace('50000', 'many'), /"many" is not a number/],
    ['a horizon of half an hour', NAME, MEDIAN.replace(',2,', ',0.5,'), /whole number of hours/],
    ['another header', NAME, MEDIAN, /no column "horizon_hours"; "horizon" is not/, OTHER],
    ['another week than its file', WEEK, `2026-01-10,${MEDIAN}`, /round "2026-01-10"/, WEEKLY],
    ['no origin in its week', WEEK, NO_ORIGIN, /"2026-01-03x" is no time/, WEEKLY],
    ['a day that is not there', `model-output/t-m/2026_02_30_00-t-m.csv`, MEDIAN, /no time/],
    ['another model', `model-output/t-m/${ROUND}-t-n.csv`, MEDIAN, /another model/],
    ['another name', 'model-output/t-m/forecasts.csv', MEDIAN, /named ROUND-TEAM-MODEL/],
    ['a folder without a team', `model-output/m/${ROUND}-t-m.csv`, MEDIAN, /named TEAM-MODEL/],
    ['a folder that is a path', `model-output/..%2fx/${ROUND}-t-m.csv`, MEDIAN, /named TEAM-MODEL/],
  ])(
    'refuses %s in one clear finding, and writes nothing',
    async (_, name, rows, says, header = HEADER) => {
      expectRefused(await given(name, rows, header), says)
    },
  )

  it.each([
    ['no number', `${ROUND},many\n`, /"many" is no positive number/],
    ['nothing', `${ROUND},\n`, /"" is no positive number/],
    ['a price of nothing', `${ROUND},0\n`, /"0" is no positive number/],
    ['no round', 'today,50000\n', /"today" is no time/],
    ['a round twice', `${ROUND},50000\n${ROUND},50001\n`, /two rows/, 3],
    ['a cell too many', `${ROUND},50000,1\n`, /cells/],
  ])('refuses %s among the prices at the origins', async (_, rows, says, line = 2) => {
    const done = await given(NAME, MEDIAN, HEADER, `origin_id,source_price_usd\n${rows}`)
    expectRefused(done, says)
    expect(done.stdout).toContain(`source-prices.csv:${line}`)
  })

  it('takes the prices of the hub before the closes of --outcomes, and says so', async () => {
    put(at('closes.csv'), 'close_at,close_usd\n2026-01-01T00:00:00Z,40000.0\n')
    await given(NAME, MEDIAN)
    rmSync(at('h.sqlite'))
    const done = await fromHub('hub', 'h.sqlite', ['--outcomes', at('closes.csv')])
    expect(done).toEqual(ending(0, '--outcomes is asked for'))
    const [value] = await valuesOf(at('h.sqlite'))
    expect(value.lineage.source.price_usd).toBe(50_000)
  })

  it.each([
    ['hubverse', '--columns', 'model=m'],
    ['hubverse', '--melt'],
    ['hubverse', '--utc'],
    ['scoringutils', '--columns', 'model=m'],
    ['scoringutils', '--melt'],
  ])('of what it has for tables, --from %s has no use for %s', async (...words) => {
    const history = ['--history', at('h.sqlite')]
    const argv = ['history', 'import', at('x'), ...history, '--from', ...words]
    const { code, stderr } = await inProcess(argv)
    const says = `${words[1]} cannot be used with --from ${words[0]}`
    expect([code, stderr, filesOf(at())]).toEqual([2, expect.stringContaining(says), []])
  })

  it('follows no link, and says where the price at an origin may be from', async () => {
    mkdirSync(at('hub/model-output/t-m'), { recursive: true })
    symlinkSync(put(at('elsewhere.csv'), HEADER + MEDIAN), at(`hub/${NAME}`))
    expect((await fromHub('hub', 'h.sqlite')).stdout).toMatch(/a regular file named/)
    rmSync(at(`hub/${NAME}`))
    put(at(`hub/${NAME}`), HEADER + MEDIAN)
    expect((await fromHub('hub', 'h.sqlite')).stdout).toContain('--outcomes VINTAGE')
    const { code, stderr } = await fromHub('nowhere', 'h.sqlite')
    expect([code, stderr]).toEqual([2, expect.stringContaining('no folder model-output')])
  })
})

describe('the id of a round', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026_01_31_12'],
    ['2026-01-31T00:00:00Z', '2026_01_31_00'],
    ['2026-01-31T12:30:00Z', '2026_01_31_12_30'],
    ['2026-01-31T12:00:05Z', '2026_01_31_12_00_05'],
    ['2026-01-31T12:00:00.25Z', '2026_01_31_12_00_00_250000'],
    ['2026-01-31T13:00:00+01:00', '2026_01_31_12'],
  ])('of %s is %s, and leads back', (origin, id) => {
    expect(roundIdOf(checkedInstant(origin))).toBe(id)
    expect(originOfRound(id)).toBe(checkedInstant(origin))
  })

  it('is one that hubs allow, and leads back, for every instant', () => {
    const last = checkedInstant('2255-01-01T00:00:00Z')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: last }), (origin) => {
        const id = roundIdOf(origin)
        expect(id).toMatch(/^[A-Za-z0-9_]+$/)
        expect(originOfRound(id)).toBe(origin)
      }),
      { seed: 15 },
    )
  })

  it.each([
    ...['2026_02_30_12', '2026_01_31_24', '2026_13_01_00', '2026_1_31_12', '2026-02-30'],
    ...['2026_01_31', 'EW202242', '2026_01_31_12_00_00_25', ''],
  ])('is not %j', (id) => expect(originOfRound(id)).toBeUndefined())

  it.each([
    ['2026-01-03T23:59:59Z', '2026-01-03'],
    ['2026-01-04T00:00:00Z', '2026-01-10'],
    ['2026-01-04T00:30:00+01:00', '2026-01-03'],
    ['2025-12-31T12:00:00Z', '2026-01-03'],
    ['1969-12-31T23:59:59.5Z', '1970-01-03'],
  ])('is of the week of %s until Saturday, %s', (origin, saturday) => {
    expect(saturdayOf(checkedInstant(origin))).toBe(saturday)
  })

  it('may be a date, which is its midnight in UTC', () => {
    expect(originOfRound('2026-01-31')).toBe(checkedInstant('2026-01-31T00:00:00Z'))
  })
})

describe('the name of a model in a hub', () => {
  it.each([
    ['seer', 'foreproof-seer'],
    ['team1-modelA', 'team1-modelA'],
    ['ridge v2.1', 'foreproof-ridge_v2_1'],
    ['a-b-c', 'foreproof-a_b_c'],
    ['../../etc/passwd', 'foreproof-______etc_passwd'],
    ['a/b', 'foreproof-a_b'],
    ['', 'foreproof-_'],
    ['naïve', 'foreproof-na_ve'],
    ['naive-last', 'naive-last'],
  ])('of %j is %s', (name, id) => expect(hubModelOf(name).id).toBe(id))

  it('is cut, and has a digest, where it is too long or another has it', () => {
    const long = hubModelOf('x'.repeat(300)).id
    expect(long).toMatch(/^foreproof-x+_[0-9a-f]{8}$/)
    expect(long).toHaveLength(100)
    // printf alpha | sha256sum
    const taken = new Set(['foreproof-alpha'])
    const { id } = hubModelOf('alpha', (each) => taken.has(each))
    expect(id).toBe('foreproof-alpha_8ed3f6ad')
    taken.add(id)
    expect(hubModelOf('alpha', (each) => taken.has(each)).id).not.toBe(id)
  })

  it('is always one that hubs allow, and metadata lead back to the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const model = hubModelOf(name)
        expect(model.id).toMatch(/^[A-Za-z0-9_]+-[A-Za-z0-9_]+$/)
        const metadata = modelMetadata(model, name)
        expect(metadata).toMatch(/^[\n -~]*$/)
        expect(ownNameIn(metadata) ?? model.id).toBe(name)
      }),
      { seed: 15 },
    )
  })
})
