import { HOURLY_LEVELS, type PairingRow } from '../forecast/row.js'
import { ndjsonWriter } from '../pairing/lines.js'
import type { PairingPlan } from '../pairing/types.js'
import { HOURS } from '../protocol/rules/calendar.js'
import { isReadTwice } from '../registration/time-rules.js'
import { hourlyCloses } from '../scoring/baselines/closes.js'
import { computeBaselines } from '../scoring/baselines/compute.js'
import { baselineRows } from '../scoring/baselines/rows.js'
import { closesTruth } from '../truth/closes/closes-truth.js'
import type { EvaluationTask } from './evaluate.js'
import { hourlyCellOf, inferenceStage } from './infer.js'
import type { Paired } from './pair.js'
import { type HourlyBasis, hourlyEvaluationPlan, modelsOf } from './plan.js'
import { assembleResult, type ComputedParts } from './result/hourly.js'
import type { EvaluationResult } from './result/types.js'

/** The computations for a registration under a protocol of version 1. */
export function hourlyTask(basis: HourlyBasis): EvaluationTask<EvaluationResult> {
  const { registration, protocol } = basis
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
    isReadTwice: isReadTwice(registration),
    finish: async (paired, second, metadata, options) => {
      const computed = async (own: Paired): Promise<ComputedParts> => {
        const cellOf = hourlyCellOf(own, registration)
        const inferred = await inferenceStage(registration, protocol, own, cellOf, options)
        return { ...basis, paired: own, cellOf, inferred }
      }
      const first = await computed(paired)
      const again = second && (await computed(second))
      return assembleResult(first, metadata, again)
    },
  }
}

/** The forecasts of the built-in models, as rows of the window. */
function builtInRows(
  { registration, vintage }: HourlyBasis,
  { origins }: PairingPlan,
): Iterable<PairingRow> {
  const names = modelsOf(registration, 'built_in')
  if (names.length === 0) return []
  const closes = hourlyCloses(vintage)
  const baselines = computeBaselines(closes, {
    names,
    horizons: registration.horizons_hours,
    pool: registration.baseline_pool,
  })
  return baselineRows(baselines, closes, HOURS.end(origins.position(0)), origins.count)
}
