import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import type { SeriesContext } from '../../src/history/natural/series-rows.js'
import { describePeriods, type PeriodList, periodsText } from '../../src/periods/list.js'
import { hourPeriods, weekPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { withDigest } from '../../src/protocol/rules/check.js'

/** Midnight of a date by the clock, as if it were UTC. */
export const day = (date: string) => Date.parse(date) * 1000

/** A protocol of some series over a list of periods; what matters to a test is changed. */
export function protocolOf(
  series: readonly string[],
  zone: string,
  periods: PeriodList,
  more: Partial<SeriesProtocol> = {},
): SeriesProtocol {
  return {
    schema_version: 2,
    protocol_sha256: '0'.repeat(64),
    protocol_version: 'test-1',
    status: 'frozen_before_evaluation',
    purpose: 'Is the candidate better than the last value?',
    series: series.map((id) => ({ id, unit: 'counts', source: 'an office' })),
    zone,
    periods: { ...describePeriods(periods), made_by: 'foreproof periods' },
    origins: { due: { anchor: 'end', offset: 'PT0S' } },
    horizons: [1],
    outcome: {
      over: 'end',
      known: { anchor: 'end', offset: 'PT0S' },
      release: { rule: 'as_of_lag', lag: 'P28D' },
    },
    forecast: { point: 'median', levels: ['0.1', '0.5', '0.9'], minimum: '0', integer: false },
    scores: [{ id: 'wis', kind: 'weighted_interval', primary: true }],
    scaling: { kind: 'none' },
    baselines: [{ id: 'last', kind: 'persistence', errors: { window: 50, minimum: 20 } }],
    comparisons: { required: ['last'] },
    dependence: { block_origins: 5, minimum_blocks: 10, minimum_pairs: 50 },
    limits: {
      availability: '0.05',
      availability_stratum: '0.1',
      harm: '0.05',
      practical_effect: '0.03',
    },
    uncertainty: { method: 'ewc-t', alpha: '0.05' },
    ...more,
  }
}

export const UNREVISED: SeriesProtocol['outcome'] = {
  over: 'end',
  known: { anchor: 'end', offset: 'PT0S' },
  release: { rule: 'unrevised', wait: 'P1D' },
}

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
): SeriesContext {
  const { series = ['US', '06'], levels = ['0.1', '0.5', '0.9'] } = more
  const forecast = { point: 'median' as const, levels: [...levels], integer: false }
  const horizons = [-1, 0, 1, 2]
  const protocol = protocolOf(series, 'America/New_York', periods, { horizons, forecast })
  return { protocol, periods }
}

/** A protocol of weekly admissions with its list, as files in a folder. @returns that of the protocol. */
export function frozenAt(
  folder: string,
  levels: readonly string[],
  series: readonly string[],
  periods: PeriodList,
  { zone = 'America/New_York', ...more }: Partial<SeriesProtocol> = {},
): string {
  const { protocol_sha256, ...draft } = protocolOf(series, zone, periods, {
    horizons: [-1, 0, 1, 2, 3],
    // Sound with any list: due before the period before can be known, in blocks of any length.
    origins: { due: { anchor: 'start', offset: '-P10D' } },
    dependence: { block_origins: 2000, minimum_blocks: 10, minimum_pairs: 50 },
    forecast: { point: 'median', levels: [...levels], minimum: '0', integer: false },
    scores: [{ id: 'ae', kind: 'absolute_error', primary: true }],
    ...more,
  })
  const whole = withDigest(draft, digestWithout(draft, 'protocol_sha256'))
  const file = join(folder, 'p.json')
  writeFileSync(file, JSON.stringify(whole))
  writeFileSync(join(folder, 'p.periods.csv'), periodsText(periods))
  return file
}
