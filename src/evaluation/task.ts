import type { PairingRow } from '../forecast/row.js'
import { ndjsonWriter } from '../pairing/lines.js'
import { withLevels } from '../pairing/make-plan.js'
import type { PairingPlan } from '../pairing/plan.js'
import { createHourlyCloses } from '../scoring/baselines/closes.js'
import { hourlyBaselineRows } from '../scoring/baselines/hourly-baselines.js'
import { seriesBaselineRows } from '../scoring/baselines/series-baselines.js'
import { closesTruth } from '../truth/closes/closes-truth.js'
import { listTruth } from '../truth/shown-values.js'
import {
  type EvaluationBasis,
  type HourlyBasis,
  hourlyEvaluationPlan,
  knownTo,
  registeredModels,
  type SeriesTaskBasis,
  seriesEvaluationPlan,
} from './plan.js'
import { hourlyInput, seriesInput } from './reading/inputs.js'
import type { EvaluationTask } from './reading/sealed-result.js'

/** What a task has under rules of either kind. */
const sharedParts = ({ registration, rules }: EvaluationBasis, plan: PairingPlan) => ({
  plan,
  compared: registration,
  levels: rules.forecast.levels.length,
  writer: ndjsonWriter(plan.rules.label),
})

/** The computations for a registration over full hours. */
export function hourlyTask(basis: HourlyBasis): EvaluationTask {
  const plan = hourlyEvaluationPlan(
    { ...basis, truth: closesTruth(basis.vintage) },
    basis.vintage.last,
  )
  return {
    ...sharedParts(basis, plan),
    builtInRows: () => builtInRows(basis, plan),
    input: () => hourlyInput(basis, plan),
  }
}

/** The forecasts of the built-in models, as rows of the window. */
function builtInRows(
  { registration, rules, vintage }: HourlyBasis,
  { origins }: PairingPlan,
): Iterable<PairingRow> {
  const names = registeredModels(registration, 'built_in')
  if (names.length === 0) return []
  const hours = Array.from({ length: origins.count }, (_, index) => origins.position(index))
  return hourlyBaselineRows(rules, createHourlyCloses(vintage), names, hours)
}

/** The computations for a registration over a list of periods. */
export function seriesTask(basis: SeriesTaskBasis): EvaluationTask {
  const { registration, periods, rules, truth, origins } = basis
  const plan = seriesEvaluationPlan(basis, listTruth(truth, periods, rules), knownTo(basis.vintage))
  const builtIns = registeredModels(registration, 'built_in')
  return {
    ...sharedParts(basis, plan),
    prepare: withLevels(rules.forecast.levels),
    builtInRows: () => seriesBaselineRows(rules, periods, truth, builtIns, origins),
    input: () => seriesInput(basis, plan),
  }
}
