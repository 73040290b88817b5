import type { SeriesProtocol } from '../../src/contract/types.js'
import type { SeriesTask } from '../../src/history/natural/series-rows.js'
import type { PeriodList } from '../../src/periods/list.js'
import { hourPeriods, weekPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'

const day = (date: string) => Date.parse(date) * 1000
const NEW_YORK = zoneNamed('America/New_York') as Zone

/** Weeks from Sunday to Saturday in New York: 2025-W45 ends on 2025-11-08. */
export const WEEKS = weekPeriods(
  { from: day('2025-11-02'), to: day('2026-01-31') },
  'sunday',
  NEW_YORK,
)

/** The hours around the end of summer time in New York, 2025-11-02, when 01:00 comes twice. */
export const HOURS = hourPeriods({ from: day('2025-11-01'), to: day('2025-11-03') }, NEW_YORK)

/** As much of a protocol as an import looks at. */
export function taskOf(
  periods: PeriodList = WEEKS,
  more: {
    series?: readonly string[]
    levels?: readonly string[]
    horizons?: readonly number[]
  } = {},
): SeriesTask {
  const { series = ['US', '06'], levels = ['0.1', '0.5', '0.9'], horizons = [-1, 0, 1, 2] } = more
  const protocol = {
    series: series.map((id) => ({ id })),
    zone: 'America/New_York',
    horizons,
    forecast: { point: 'median', levels, integer: false },
  }
  return { protocol: protocol as unknown as SeriesProtocol, periods }
}
