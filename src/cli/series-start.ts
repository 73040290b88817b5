import { readFileSync } from 'node:fs'
import { type Instant, MICROS_PER_DAY } from '../contract/instant.js'
import type { SeriesProtocol } from '../contract/types.js'
import { type PeriodList, periodsText } from '../periods/list.js'
import { dayPeriods } from '../periods/make.js'
import { type Zone, zoneNamed } from '../periods/zone.js'
import { protocolText } from '../protocol/rules/check.js'
import { seriesPlanTemplate } from '../registration/series-template.js'
import { templateText } from '../registration/template.js'

const EXAMPLE = new URL('../../templates/series/daily/draft.json', import.meta.url)

/** What `init --series` writes: a draft for one daily series, the days of this year and the two after it, and a plan. */
export function seriesStart(version: string, now: Instant) {
  const year = new Date(now / 1000).getUTCFullYear()
  const [from, to] = [`${year}-01-01`, `${year + 2}-12-31`]
  const days = { from: midnight(from), to: midnight(to) }
  const periods: PeriodList = dayPeriods(days, zoneNamed('UTC') as Zone)
  const draft = seriesDraft(version, `foreproof periods --days --from ${from} --to ${to}`)
  const plan = seriesPlanTemplate(draft, periods, { mode: 'prospective', now })
  return {
    draft: protocolText(draft),
    periods: periodsText(periods),
    plan: `${templateText(plan)}\n`,
  }
}

const midnight = (day: string) => (Date.parse(day) / 86_400_000) * MICROS_PER_DAY

/** The example of daily temperatures as the draft of another protocol; `freeze` fills in the figures of its list. */
function seriesDraft(version: string, madeBy: string): SeriesProtocol {
  const example = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as SeriesProtocol
  return {
    ...example,
    protocol_version: version,
    purpose: 'Is a forecast of the series, one to three days ahead, better than its last value?',
    series: [{ id: 'my-series', unit: 'its unit', source: 'who publishes it' }],
    zone: 'UTC',
    periods: { made_by: madeBy } as SeriesProtocol['periods'],
    outcome: { ...example.outcome, release: { rule: 'unrevised', wait: 'P7D' } },
    scaling: { kind: 'none' },
  }
}
