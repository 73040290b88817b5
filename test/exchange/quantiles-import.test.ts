import { existsSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { importResources } from '../../src/history/import/import.js'
import { sample } from '../history/samples.js'
import { EPOCH } from '../history/support.js'
import { inProcess } from '../support/in-process.js'
import { closesOf, ending, expectRefused, folderOfEach, put, valuesOf } from './support.js'

const at = folderOfEach()

beforeEach(() => put(at('closes.csv'), closesOf(24)))

const CLOSES = () => ['--outcomes', at('closes.csv')]

async function imported(table: string, more: readonly string[] = CLOSES()) {
  if (table !== '') put(at('q.csv'), table)
  const args = ['history', 'import', at('q.csv'), '--from', 'scoringutils']
  return await inProcess([...args, '--history', at('h.sqlite'), ...more])
}

const resources = () => valuesOf(at('h.sqlite'))

const HEADER =
  'model,origin_at,target_at,horizon,scale,quantile_level,predicted,observed,source_price_usd\n'
const [ORIGIN, TARGET] = ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00Z']
const UNIT = `seer,${ORIGIN},${TARGET},2,natural`
const LOW = `${UNIT},0.1,49000,50002,50000\n`
const MIDDLE = `${UNIT},0.5,50400.5,50002,50000\n`
const HIGH = `${UNIT},0.9,51800,50002,50000\n`
const ROWS = LOW + MIDDLE + HIGH

describe('history import --from scoringutils', () => {
  it.each(['csv', 'ndjson', 'parquet'])(
    'gives back what was exported: %s, byte for byte',
    async (format) => {
      const values = [0, 1, 2, 2.5].flatMap((hour) =>
        ['naive-last', 'ridge v2', '模型', 'a,"b"'].map((model) => {
          const estimate = { price_usd: 50_400.5, change_pct: 0.801 }
          return { ...sample({ hour, model }), estimate }
        }),
      )
      await importResources(at('one.sqlite'), values, { now: EPOCH })
      const toTable = (history: string, out: string) =>
        inProcess([
          ...['export', at(history), '--to', 'scoringutils', ...CLOSES()],
          ...['--format', format, '--out', at(out)],
        ])
      expect((await toTable('one.sqlite', 'q.csv')).code).toBe(0)
      const done = await imported('')
      // Half past two has no close.
      expect(done).toEqual(ending(0, 'forecasts  12 new'))
      expect(done.stdout).toContain('36 rows of the scale log_return are not imported')
      expect(done.stdout).toContain('column observed is not imported')
      expect((await toTable('h.sqlite', 'again')).code).toBe(0)
      expect(readFileSync(at('again'))).toEqual(readFileSync(at('q.csv')))
    },
  )

  it('takes the median for the point, and the close for the price at the origin', async () => {
    const without = (text: string) => text.replaceAll(/,[^,\n]+$/gm, '')
    const done = await imported(without(HEADER) + without(ROWS))
    expect([done.code, done.stderr]).toEqual([0, ''])
    const [value] = await resources()
    expect(value).toMatchObject({
      origin_at: '2026-01-01T00:00:00+00:00',
      horizon_hours: 2,
      model: { name: 'seer' },
      estimate: { price_usd: 50_400.5, change_pct: 0.801 },
      interval: { level: 0.8, lower_usd: 49_000, median_usd: 50_400.5, upper_usd: 51_800 },
      lineage: { source: { price_usd: 50_000 } },
    })
  })

  it.each([
    ['in any order', HIGH + LOW + MIDDLE],
    ['with a row that says the same again', ROWS + MIDDLE],
    ['with levels as computers reckon them', ROWS.replace('0.9,', '0.9000000000000001,')],
    ['with no scale', ROWS.replaceAll(',natural', ',')],
    ['with a target for the horizon', ROWS.replaceAll(',2,', ',,')],
    ['with a horizon for the target', ROWS.replaceAll('2026-01-01T02:00:00Z', '')],
    ['in UTC', ROWS.replaceAll('T02:00:00Z', 'T02:00:00').replaceAll('0Z', '0'), ['--utc']],
    ['of two origins', ROWS + ROWS.replaceAll('T00', 'T01').replaceAll('T02', 'T03'), [], 2],
  ])('takes a table %s', async (_, rows, more: string[] = [], count = 1) => {
    const done = await imported(HEADER + rows, more)
    expect(done).toEqual(ending(0, `forecasts  ${count} new`))
    expect((await resources())[0].interval.upper_usd).toBe(51_800)
  })

  it.each([
    ['another level', ROWS + LOW.replace('0.1', '0.25'), /"0\.25" is none of 0\.1/, 5],
    ['a level that is no number', LOW.replace('0.1', 'low') + ROWS, /"low" is none of 0\.1/, 2],
    ['a level too few', LOW + MIDDLE, /level 0\.9 \(2026-01-01T00:00:00Z, seer, 2 h\)/, 2],
    ['two levels too few', MIDDLE, /no row of the level 0\.1 and 0\.9/, 2],
    ['a level twice', ROWS + HIGH.replace('51800', '51801'), /other values, of the level 0\.9/, 5],
    ['quantiles out of order', ROWS.replace('49000', '50900'), /order|lower/, 2],
    ['another scale', ROWS.replaceAll('natural', 'sqrt'), /"sqrt" is neither/, 2],
    ['no number', ROWS.replace('51800', 'many'), /predicted "many" is not a number/, 4],
    ['a comma for a point', ROWS.replace('51800', '"51800,5"'), /comma/, 4],
    ['no prediction', ROWS.replace('51800', 'NA'), /the row has no predicted/, 4],
    ['no origin', ROWS.replaceAll(ORIGIN, ''), /the row has no origin_at/, 2],
    ['no model', ROWS.replaceAll('seer', ''), /the row has no model/, 2],
    ['no target at all', ROWS.replaceAll(`${TARGET},2`, ','), /no horizon|no target_at/, 2],
    ['a time without an offset', ROWS.replaceAll('00Z', '00'), /offset/, 2],
    ['another target', ROWS.replaceAll(',2,', ',3,'), /T02:00:00Z" is not horizon hours after/, 2],
    ['half an hour', ROWS.replaceAll('T02:00:00Z,2,', 'T00:30:00Z,0.5,'), /whole number of/, 2],
    ['two prices', ROWS.replace(/50000\n$/, '50001\n'), /differ in source_price_usd/, 4],
    ['log returns alone', ROWS.replaceAll('natural', 'log_return'), /3 rows of the scale/],
    ['a cell too many', `${ROWS}${LOW.trim()},1\n`, /cells/, 5],
    ['a key twice, far apart', ROWS + LOW.replace('49000', '48000'), /with other values/, 5],
  ])(
    'refuses %s in one clear finding, and writes nothing',
    async (_, rows, says, line?: number) => {
      const done = await imported(HEADER + rows, [])
      expectRefused(done, says)
      expect(done.stdout.match(/ error /gm)).toHaveLength(1)
      expect(done.stdout).toContain(line === undefined ? 'q.csv' : `q.csv:${line}:`)
      expect(existsSync(at('h.sqlite')) ? await resources() : []).toEqual([])
    },
  )

  const FLU = 'location,forecast_date,model,horizon,quantile_level,predicted,observed\n'
  it.each([
    ['samples', `model,origin_at,horizon,sample_id,predicted\nm,${ORIGIN},2,1,5\n`, /sample_id/],
    ['others', `${FLU}DE,2026-01-01,m,1,0.5,1,1\n`, /no column "origin_at"; "location"/],
    ['JSON', '{"model":"m"}\n', /no column/],
    ['nothing', '\n', /./],
  ])('refuses a table of %s', async (_, table, says) => {
    const done = await imported(table)
    expect(done).toEqual(ending(1, says))
    expect(done.stdout).toContain('nothing was written')
  })

  it('says which columns it leaves out, and where a price may be from', async () => {
    const [header, rows] = [HEADER.replace('\n', ',location\n'), ROWS.replaceAll('\n', ',DE\n')]
    const more = await imported(header + rows)
    expect(more).toEqual(ending(0, '"location"'))
    const none = await imported(HEADER + ROWS.replaceAll(',50000\n', ',\n'), [])
    expect(none).toEqual(ending(1, '--outcomes VINTAGE'))
  })
})
