import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import type { PeriodList } from '../../src/periods/list.js'
import { dayPeriods, hourPeriods } from '../../src/periods/make.js'
import { seriesTimes } from '../../src/periods/series-times.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { seriesBaselineRows } from '../../src/scoring/baselines/series.js'
import { seriesTruth } from '../../src/task/series-truth.js'
import type { TruthImportOptions } from '../../src/truth/import.js'
import { temporaryFolder } from '../support/folder.js'
import { day, protocolOf, UNREVISED, vintageFrom } from './sample.js'

const DATA = '../shared/data'
const folder = temporaryFolder()

async function vintageOf(
  file: string,
  zone: string,
  periods: PeriodList,
  more: Partial<TruthImportOptions>,
) {
  const protocol = protocolOf(['one'], zone, periods, {
    outcome: UNREVISED,
    horizons: [1, 2],
    baselines: [{ id: 'last', kind: 'persistence', errors: { window: 100, minimum: 30 } }],
  })
  const { vintage, findings } = await vintageFrom(file, { protocol, periods, ...more })
  return { vintage, protocol, says: findings.map((found) => messageOf(found).text) }
}

describe.skipIf(!existsSync(join(DATA, 'load')))('hourly load by the local clock', () => {
  const ZONE = 'America/New_York'
  const zone = zoneNamed(ZONE) as Zone
  // The first hour of the file ends at midnight.
  const all = hourPeriods({ from: day('2013-12-31'), to: day('2017-12-31') }, zone)
  const periods = all.slice(23, 23 + 35_064)

  it('lands on as many hours as it has rows, by the rule that is stated', async () => {
    const text = gunzipSync(readFileSync(join(DATA, 'load/pjme-2014-2017.csv.gz'))).toString()
    const rows = text.trimEnd().split('\n').slice(1)
    expect(rows).toHaveLength(35_064)
    const file = join(folder, 'load.csv')
    writeFileSync(file, text)
    const { vintage, says } = await vintageOf(file, ZONE, periods, {
      columns: { period: 'hour_ending_local', value: 'load_mw' },
      naming: { label: 'end', repeated: 'earlier-first' },
      completeTo: '2018-01-02',
    })
    expect(vintage.manifest).toMatchObject({ rows: 35_064, complete_to: '2018-01-03T05:00:00Z' })
    const of = (year: string, dates: readonly string[], hour: string) =>
      dates.map((date, at) => `${Number(year) + at}-${date}T${hour}:00:00`).join(', ')
    const twice = of('2014', ['11-02', '11-01', '11-06', '11-05'], '02')
    const never = of('2014', ['03-09', '03-08', '03-13', '03-12'], '03')
    expect(says).toEqual([
      `the clock shows 4 times twice (${twice}): of each, the first row is taken as the earlier; 4 times are never shown (${never})`,
    ])
    // Hour after hour, the rows of the file in their order: nothing was moved where the clock was changed.
    const values = (list: PeriodList) =>
      list.map(({ label }) => vintage.releases('one', label)[0]?.value)
    expect(values(periods)).toEqual(
      rows.map((row) => row.split(',')).map(([, value]) => Number(value)),
    )
  })
})

describe.skipIf(!existsSync(join(DATA, 'temperature')))(
  'daily temperature with two days absent',
  () => {
    const ZONE = 'Australia/Melbourne'
    const zone = zoneNamed(ZONE) as Zone
    const periods = dayPeriods({ from: day('1981-01-01'), to: day('1990-12-31') }, zone)

    it('has no outcome there, and not that of a neighbour', async () => {
      const file = join(DATA, 'temperature/melbourne-min-1981-1990.csv')
      const { vintage, protocol, says } = await vintageOf(file, ZONE, periods, {
        columns: { period: 'day', value: 'min_temperature_c' },
        completeTo: '1991-06-30',
      })
      expect(says).toEqual([])
      expect(vintage.manifest.rows).toBe(3650)
      const times = seriesTimes(protocol, periods)
      const truth = seriesTruth(protocol, periods, times, vintage)
      const values = periods.map((_, at) => truth.value(0, at))
      const absent = periods.filter((_, at) => Number.isNaN(values[at]))
      expect(absent.map(({ label }) => label)).toEqual(['1984-12-31', '1988-12-31'])
      expect(values.slice(0, 2)).toEqual([20.7, 17.9])
      const origins = [...periods.keys()]
      const rows = [...seriesBaselineRows(protocol, periods, times, truth, ['last'], origins)]
      // Of the day itself the last value is that of the evening, of an absent one that of the day before.
      const by = new Map(rows.map((row) => [`${row.originAt} ${row.horizon}`, row]))
      expect(by.get('1984-12-30 1')?.forecast).toBe(values[1459])
      expect(by.get('1984-12-31 1')?.forecast).toBe(values[1459])
      expect(by.get('1985-01-01 1')?.forecast).toBe(values[1461])
      // 30 errors at one step are there after as many days; the first forecast is of the first day.
      const first = (horizon: number) =>
        rows.find((row) => row.horizon === horizon && row.attempt === null)?.originAt
      expect([first(1), first(2)]).toEqual(['1981-01-31', '1981-02-01'])
    })
  },
)
