import { remembering } from '../../contract/remembering.js'
import { hasHypotheses } from '../../protocol/rules/bind.js'
import { windowOrigins } from '../../registration/series-plan-rules.js'
import { isYearUnasked } from '../../scoring/baselines/reach.js'
import { hourlyScored, scoreColumns, seriesScored } from '../../scoring/cells.js'
import { seriesScores } from '../../scoring/series-scores.js'
import { closesTruth } from '../../truth/closes/closes-truth.js'
import type { SeriesTruth } from '../../truth/series-truth.js'
import type { Paired } from '../pair.js'
import type { HourlyBasis, SeriesTaskBasis } from '../plan.js'
import { waitingOf } from '../waiting.js'
import type { ReadingInput } from './assemble.js'
import { readingCells } from './cells.js'
import { type Registered, registeredBy } from './registered.js'
import type { EvaluationInput } from './result.js'

/** The input of a reading over full hours. */
export function hourlyReading(basis: HourlyBasis, paired: Paired): EvaluationInput {
  const { vintage_id: id, sha256, source, count: rows, last } = basis.vintage.manifest
  const { value: valueAt } = closesTruth(basis.vintage)
  const { scores } = basis.rules
  const epsilon = scores.find(({ kind }) => kind === 'direction')?.epsilon ?? 0
  const isCharged = hasHypotheses(basis.rules)
  const cellOf = remembering((model: string, cell: number) =>
    hourlyScored(paired.panel.pairs(model, cell), epsilon, isCharged),
  )
  return {
    ...ofRegistered(registeredBy(basis, [], false), paired),
    ...{ cellOf, valueAt, others: [], registration: basis.registration, isYearUnasked: false },
    outcomes: { id, sha256, source, rows, complete_to: last },
    rescored: (model, cell) => cellOf(model, cell).columns,
  }
}

/** The input of a reading over a list of periods. */
export function seriesReading(basis: SeriesTaskBasis, paired: Paired): EvaluationInput {
  const { protocol, registration, rules, periods, origins, truth } = basis
  const { vintage_id: id, sha256, source, rows, complete_to } = basis.vintage.manifest
  const scores = seriesScores(rules, registration.scales)
  const isShortened = rules.calendar.label(origins.at(-1) as number) !== registration.window.to
  const whole = windowOrigins(periods, registration.window)
  const places = new Map(protocol.series.map(({ id }, at) => [id, at]))
  const { plan, panel } = paired
  const byId = new Map(plan.cells.map((cell) => [cell.id, cell]))
  return {
    ...ofRegistered(registeredBy(basis, whole, isShortened), paired),
    ...{ registration, isYearUnasked: isYearUnasked(basis) },
    outcomes: { id, sha256, source, rows, complete_to },
    cellOf: remembering((model: string, cell: number) => {
      const at = places.get(byId.get(cell)?.series ?? '') as number
      return seriesScored(panel.pairs(model, cell), scores, at)
    }),
    valueAt: truth.value,
    others: otherValues(protocol.outcome.release.rule, truth),
    rescored: (model, id, valueAt) => {
      const { series, horizon } = byId.get(id)!
      const at = places.get(series) as number
      return scoreColumns(panel.pairs(model, id), scores, at, (index) =>
        valueAt(at, plan.origins.position(index) + horizon),
      )
    },
  }
}

function ofRegistered(registered: Registered, paired: Paired) {
  const { rules } = registered
  const waiting = waitingOf(paired, rules)
  return { registered, paired, waiting, cells: readingCells(paired, rules, waiting.nowcasts) }
}

/** The first and the latest value, if either may differ from the one that counts. */
function otherValues(own: string, { releases }: SeriesTruth): ReadingInput['others'] {
  const values = (series: number, target: number) =>
    // An origin may have no such target.
    (releases(series, target) ?? []).map(({ value }) => value ?? Number.NaN)
  const others: ReadingInput['others'] = [
    {
      rule: 'first',
      valueAt: (...of) => values(...of).find((value) => !Number.isNaN(value)) ?? Number.NaN,
    },
    { rule: 'latest', valueAt: (...of) => values(...of).at(-1) ?? Number.NaN },
  ]
  // Without revisions, all rules give the same value.
  return others.filter(({ rule }) => rule !== own && own !== 'unrevised')
}
