import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestWithout } from '../../src/document/digest.js'
import type { SeriesTask } from '../../src/history/natural/series-rows.js'
import { type PeriodList, periodsText } from '../../src/periods/list.js'
import { hourPeriods, weekPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { withDigest } from '../../src/protocol/rules/check.js'
import { day, protocolOf } from '../truth/sample.js'

export const NEW_YORK = zoneNamed('America/New_York') as Zone

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
  more: { readonly series?: readonly string[]; readonly levels?: readonly string[] } = {},
): SeriesTask {
  const { series = ['US', '06'], levels = ['0.1', '0.5', '0.9'] } = more
  const protocol = protocolOf(series, 'America/New_York', periods, {
    horizons: [-1, 0, 1, 2],
    forecast: { point: 'median', levels: [...levels], integer: false },
  })
  return { protocol, periods }
}

/** A protocol of weekly admissions with its list, as files in a folder. @returns that of the protocol. */
export function frozenAt(
  folder: string,
  levels: readonly string[],
  series: readonly string[],
  periods: PeriodList,
): string {
  const { protocol_sha256, ...draft } = protocolOf(series, 'America/New_York', periods, {
    horizons: [-1, 0, 1, 2, 3],
    forecast: { point: 'median', levels: [...levels], minimum: '0', integer: false },
    scores: [{ id: 'ae', kind: 'absolute_error', primary: true }],
  })
  const whole = withDigest(draft, digestWithout(draft, 'protocol_sha256'))
  const file = join(folder, 'p.json')
  writeFileSync(file, JSON.stringify(whole))
  writeFileSync(join(folder, 'p.periods.csv'), periodsText(periods))
  return file
}
