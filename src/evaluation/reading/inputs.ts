import { remembering } from '../../contract/remembering.js'
import type { Registration } from '../../contract/types.js'
import type { PairingPlan } from '../../pairing/plan.js'
import { findWindowOrigins } from '../../registration/series-plan-rules.js'
import { isYearUnasked } from '../../scoring/baselines/reach.js'
import { computeMeasures, scoreCell } from '../../scoring/cells.js'
import { listMeasures } from '../../scoring/measures.js'
import { listScores } from '../../scoring/scores.js'
import { closesTruth } from '../../truth/closes/closes-truth.js'
import type { SeriesTruth } from '../../truth/series-truth.js'
import type { PairingTruth } from '../../truth/shown-values.js'
import type { PairedSeries } from '../pair.js'
import type { EvaluationBasis, HourlyBasis, SeriesTaskBasis } from '../plan.js'
import type { Result } from '../result/result.js'
import { PERSISTENCE_NOT_ASKED, seenByPersistence } from '../seen-by-persistence.js'
import { createReadingPlan, type ReadingPlan } from './basis.js'
import { readSeries } from './cells.js'
import type { DecidedSeries } from './decided.js'
import { registeredBy } from './registered.js'
import type { OtherRelease, ShownSeries } from './shown.js'

/** The input of a result, besides the pairs. */
export interface EvaluationInput {
  readonly of: ReadingPlan
  readonly registration: Registration
  readonly outcomes: Result['inputs']['outcomes']
  /** What follows for this window without its forecasts. */
  readonly known: Pick<Result['window'], 'year_not_asked' | 'seen_after_end' | 'lower_if_final'>
  readonly others: readonly OtherRelease[]
  /** Scores the pairs of a series. */
  readonly scored: (paired: PairedSeries) => Omit<ShownSeries & DecidedSeries, 'countKeys'>
}

/** The input of an evaluation over full hours. */
export function hourlyInput(basis: HourlyBasis, plan: PairingPlan): EvaluationInput {
  const { vintage_id: id, sha256, source, count: rows, last } = basis.vintage.manifest
  const of = createReadingPlan(registeredBy(basis, [], false), plan)
  return {
    ...{ of, registration: basis.registration, others: [] },
    known: { year_not_asked: false, ...PERSISTENCE_NOT_ASKED },
    outcomes: { id, sha256, source, rows, complete_to: last },
    scored: scoring(of, basis, closesTruth(basis.vintage), []),
  }
}

/** The input of an evaluation over a list of periods. */
export function seriesInput(basis: SeriesTaskBasis, plan: PairingPlan): EvaluationInput {
  const { registration, rules, periods, origins, truth } = basis
  const { vintage_id: id, sha256, source, rows, complete_to } = basis.vintage.manifest
  const isShortened = rules.calendar.label(origins.at(-1) as number) !== registration.window.to
  const windowOrigins = findWindowOrigins(periods, registration.window)
  const of = createReadingPlan(registeredBy(basis, windowOrigins, isShortened), plan)
  const others = otherValues(rules.outcome.release.rule, truth)
  return {
    ...{ of, registration, others },
    known: { year_not_asked: isYearUnasked(basis), ...seenByPersistence(basis) },
    outcomes: { id, sha256, source, rows, complete_to },
    scored: scoring(of, basis, truth, others),
  }
}

/** Scores the pairs of a series. */
function scoring(
  of: ReadingPlan,
  { registration, rules }: EvaluationBasis,
  truth: Pick<PairingTruth, 'value'>,
  others: readonly OtherRelease[],
): EvaluationInput['scored'] {
  const measures = listMeasures(rules, registration.scales)
  const scores = listScores(rules, registration.scales)
  const indices = new Map(rules.series.map(({ id }, at) => [id, at]))
  return (paired) => {
    const { plan, panel } = paired
    const at = indices.get(plan.cells[0]?.series ?? '') as number
    const steps = new Map(plan.cells.map((cell) => [cell.id, cell.horizon]))
    const getCell = remembering((model: string, cell: number) =>
      scoreCell(panel.pairs(model, cell), measures, at),
    )
    const rescored = (model: string, cell: number, rule: string) => {
      const { valueAt } = others.find((each) => each.rule === rule) as OtherRelease
      return computeMeasures(panel.pairs(model, cell), scores, at, (index) =>
        valueAt(at, plan.origins.position(index) + (steps.get(cell) as number)),
      )
    }
    const hasValue = (period: number) => !Number.isNaN(truth.value(at, period))
    return { ...readSeries(of, paired, getCell), rescored, hasValue }
  }
}

/** The first and the latest value, if either may differ from the one that counts. */
function otherValues(own: string, { releases }: SeriesTruth): OtherRelease[] {
  const values = (series: number, target: number) =>
    // An origin may have no such target.
    (releases(series, target) ?? []).map(({ value }) => value ?? Number.NaN)
  const others: OtherRelease[] = [
    {
      rule: 'first',
      valueAt: (...of) => values(...of).find((value) => !Number.isNaN(value)) ?? Number.NaN,
    },
    { rule: 'latest', valueAt: (...of) => values(...of).at(-1) ?? Number.NaN },
  ]
  // Without revisions, all rules give the same value.
  return others.filter(({ rule }) => rule !== own && own !== 'unrevised')
}
