import type { EvaluationResult } from '../evaluation/result/types.js'
import { counted, listed, percent } from '../output/figures.js'
import { unwatchedMinutes, worthOfLag } from '../registration/plan-rules.js'
import { isBaselineName } from '../scoring/baselines/names.js'
import { comparatorsOf } from './view.js'

/** What a registration allows and a reader must know, one sentence each. */
export function cautionsOf(result: EvaluationResult): string[] {
  return [...namesakes(result), ...lateKnowledge(result)]
}

/** Comparators that a protocol calls by the name of a built-in, and that are none. */
function namesakes(result: EvaluationResult): string[] {
  return comparatorsOf(result)
    .filter(({ source }) => source === 'history')
    .flatMap(({ name, required_as: names }) => {
      const builtIns = names.filter(isBaselineName)
      if (builtIns.length === 0) return []
      return [
        `What is required as ${listed(builtIns)}, the name of a built-in rule, was not computed: the model ${name} of the history stands for it, and may be anything.`,
      ]
    })
}

function lateKnowledge({ mode, settings }: EvaluationResult): string[] {
  const minutes = unwatchedMinutes({ mode, ...settings })
  if (minutes === 0) return []
  const worth = percent(worthOfLag(minutes, settings.horizons_hours))
  return [
    `Forecasts counted until ${counted(minutes, 'minute')} after their origin, and did not have to record when their inputs were known. One may use whatever became known until then: on a random walk the price of that moment alone makes the overall loss ${worth} lower.`,
  ]
}
