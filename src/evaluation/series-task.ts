import { ndjsonWriter } from '../pairing/lines.js'
import { withLevels } from '../pairing/make-plan.js'
import { seriesBaselineRows } from '../scoring/baselines/series-baselines.js'
import { listTruth } from '../truth/shown-values.js'
import { knownTo, registeredModels, type SeriesTaskBasis, seriesEvaluationPlan } from './plan.js'
import { seriesInput } from './reading/inputs.js'
import type { EvaluationTask } from './reading/sealed-result.js'

/** The computations for a registration over a list of periods. */
export function seriesTask(basis: SeriesTaskBasis): EvaluationTask {
  const { registration, periods, rules, truth, origins } = basis
  const plan = seriesEvaluationPlan(basis, listTruth(truth, periods, rules), knownTo(basis.vintage))
  const builtIns = registeredModels(registration, 'built_in')
  return {
    plan,
    levels: rules.forecast.levels.length,
    prepare: withLevels(rules.forecast.levels),
    writer: ndjsonWriter(plan.rules.label),
    builtInRows: () => seriesBaselineRows(rules, periods, truth, builtIns, origins),
    compared: registration,
    input: () => seriesInput(basis, plan),
  }
}
