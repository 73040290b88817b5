import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { closesOf, ending, expectRefused, folderOfEach, valuesOf } from '../../exchange/support.js'
import { inProcess } from '../../support/in-process.js'
import { put } from '../../support/text-file.js'

const at = folderOfEach()

async function imported(table: string, more: readonly string[] = []) {
  const file = put(at('q.csv'), table)
  return await inProcess(['history', 'import', file, '--history', at('h.sqlite'), ...more])
}

const HEADER = 'model,origin_at,target_at,horizon_hours,level,price_usd,source_price_usd\n'
const UNIT = 'seer,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z,2'
const LOW = `${UNIT},0.1,49000,50000\n`
const MIDDLE = `${UNIT},0.5,50400.5,50000\n`
const HIGH = `${UNIT},0.9,51800,50000\n`
const ROWS = LOW + MIDDLE + HIGH
const POINT = `${UNIT},,50500,50000\n`

describe('a table with a row for each quantile', () => {
  it('is forecasts whose point is the median, with the names that others give its columns', async () => {
    const header = 'model,origin_at,target_at,horizon,quantile_level,predicted,observed\n'
    const rows = ROWS.replaceAll(',50000\n', ',50002\n')
    const asked = await imported(header + rows)
    expectRefused(asked, /--columns level=quantile_level/)
    const names = 'level=quantile_level,price_usd=predicted,horizon_hours=horizon'
    const closes = put(at('closes.csv'), closesOf(24))
    const done = await imported(header + rows, ['--columns', names, '--outcomes', closes])
    expect(done).toEqual(ending(0, 'forecasts  1 new'))
    expect(done.stdout).toContain('"observed"')
    const [value] = await valuesOf(at('h.sqlite'))
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
    ['of two origins', ROWS + ROWS.replaceAll('T00', 'T01').replaceAll('T02', 'T03'), 2],
    ['with a point of its own', ROWS + POINT, 1, 50_500],
    ['with a point before them', POINT + ROWS, 1, 50_500],
  ])('is taken %s', async (_, rows, count = 1, price = 50_400.5) => {
    const done = await imported(HEADER + rows)
    expect(done).toEqual(ending(0, `forecasts  ${count} new`))
    const [value] = await valuesOf(at('h.sqlite'))
    expect([value.interval.upper_usd, value.estimate.price_usd]).toEqual([51_800, price])
  })

  it('may have a point alone, and attempts', async () => {
    const header = HEADER.replace('\n', ',status,reason\n')
    const rows = `${POINT.trim()},,\n${UNIT.replace('seer', 'owl')},,,,failed,no data\n`
    expect(await imported(header + rows)).toEqual(
      ending(0, /forecasts {2}1 new[\s\S]*attempts {3}1 new/),
    )
  })

  it.each([
    ['another level', ROWS + LOW.replace('0.1', '0.25'), /"0\.25" is none of 0\.1/, 5],
    ['a level that is no number', LOW.replace('0.1', 'low') + ROWS, /"low" is none of 0\.1/, 2],
    ['a level too few', LOW + MIDDLE, /null here: upper_usd/, 2],
    ['no median and no point', LOW + HIGH, /no price_usd/, 2],
    ['a level twice', ROWS + HIGH.replace('51800', '51801'), /the level 0\.9: line 4 has/, 5],
    ['two points', POINT + POINT.replace('50500', '50501'), /the point: line 2 has/, 3],
    ['quantiles out of order', ROWS.replace('49000', '50900'), /order|lower|ascend/, 2],
    ['no number', ROWS.replace('51800', 'many'), /"many" is not a number/, 2],
    ['another target', ROWS.replaceAll(',2,', ',3,'), /must be 3 hours after/, 2],
  ])('is refused with %s, and nothing is written', async (_, rows, says, line) => {
    const done = await imported(HEADER + rows)
    expectRefused(done, says)
    expect(done.stdout).toContain(`q.csv:${line}:`)
    expect(existsSync(at('h.sqlite'))).toBe(false)
  })

  it('has no columns of quantiles beside it', async () => {
    const wide = HEADER.replace('\n', ',q10_usd\n') + ROWS.replaceAll(',50000\n', ',50000,1\n')
    expectRefused(await imported(wide), /"q10_usd", too/)
  })
})
