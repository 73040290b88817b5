import { HOURLY_LEVELS, type PairingRow } from '../forecast/row.js'
import { ndjsonWriter } from '../pairing/lines.js'
import type { PairingPlan } from '../pairing/plan.js'
import { createHourlyCloses } from '../scoring/baselines/closes.js'
import { hourlyBaselineRows } from '../scoring/baselines/hourly-baselines.js'
import { closesTruth } from '../truth/closes/closes-truth.js'
import { type HourlyBasis, hourlyEvaluationPlan, registeredModels } from './plan.js'
import { hourlyInput } from './reading/inputs.js'
import type { EvaluationTask } from './reading/sealed-result.js'

/** The computations for a registration over full hours. */
export function hourlyTask(basis: HourlyBasis): EvaluationTask {
  const { registration } = basis
  const plan = hourlyEvaluationPlan(
    { ...basis, truth: closesTruth(basis.vintage) },
    basis.vintage.last,
  )
  return {
    plan,
    levels: HOURLY_LEVELS.length,
    writer: ndjsonWriter(plan.rules.label),
    builtInRows: () => builtInRows(basis, plan),
    compared: registration,
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
