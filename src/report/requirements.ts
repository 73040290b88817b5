import type { EvaluationResult } from '../evaluation/result/types.js'
import { decimal, percent } from '../output/figures.js'
import type { RequirementAnswer } from './view.js'

/** What is asked of a candidate against each comparator, in the order of `requirementsOf`. */
export function requirementHeads({ settings }: EvaluationResult): string[] {
  return [
    `loss at least ${percent(settings.practical_effect_floor)} lower`,
    'significantly lower (adjusted p)',
    `no horizon worse by more than ${percent(settings.regression_limit)}`,
    `direction worse by at most ${decimal(settings.direction_limit * 100, 1)} percentage points`,
  ]
}

/** The same where evaluations may have other limits. */
export const REQUIREMENTS = [
  'loss lower by the floor',
  'significantly lower (adjusted p)',
  'no horizon worse than the limit',
  'direction no worse than the limit',
] as const

/** What became of a requirement, in words. */
export const SAID = {
  met: 'met',
  not_met: 'not met',
  unknown: 'could not be tested',
  not_asked: 'not asked, for the comparator says up or down too seldom or never',
} as const satisfies Record<RequirementAnswer, string>
