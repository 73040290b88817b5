import type { EvaluationResult } from '../evaluation/result/types.js'
import { change, changeInPoints, percent, percentagePoints } from '../output/figures.js'
import { adjustedPIn, TOO_FEW } from './sentences.js'
import { type Requirement, type RequirementAnswer, requirementsOf } from './view.js'

/** What is asked of a candidate against each comparator, in the order of `requirementsOf`. */
export function requirementHeads({ settings }: EvaluationResult): string[] {
  return [
    `loss at least ${percent(settings.practical_effect_floor)} lower`,
    'significantly lower (adjusted p)',
    `no horizon worse by more than ${percent(settings.regression_limit)}`,
    `direction worse by at most ${percentagePoints(settings.direction_limit)}`,
  ]
}

/** The same where evaluations may have other limits. */
export const REQUIREMENTS = [
  'loss lower by the floor',
  'significantly lower (adjusted p)',
  'no horizon worse than the limit',
  'direction no worse than the limit',
] as const

/** What became of a requirement, with the figure that says so; null where there is none. */
export interface ShownRequirement extends Requirement {
  readonly figure: string | null
}

/** What a candidate had to show against a comparator, in the order of `requirementHeads`. */
export function shownRequirements(
  result: EvaluationResult,
  candidate: string,
  comparator: string,
): ShownRequirement[] {
  const asked = requirementsOf(result, candidate, comparator)
  const shown = (of: Requirement, figure: (found: number) => string): ShownRequirement => ({
    ...of,
    figure: of.found === null ? null : figure(of.found),
  })
  // The test is two-sided: so small a p that does not meet the requirement is of a loss that is higher.
  const isHigher = (p: number) =>
    asked.significance.answer === 'not_met' && p <= result.settings.alpha
  const side = (p: number) => (isHigher(p) ? 'significantly higher, ' : '')
  return [
    shown(asked.reduction, (found) => change(found, 2)),
    shown(asked.significance, (found) => `${side(found)}${adjustedPIn(result, found)}`),
    shown(asked.regression, (found) => `up to ${change(found)}`),
    shown(asked.direction, (found) => `up to ${changeInPoints(found)}`),
  ]
}

/** What became of a requirement, in words. */
export const SAID = {
  met: 'met',
  not_met: 'not met',
  unknown: 'could not be tested',
  not_asked: `not asked, for the comparator predicts up or down ${TOO_FEW}`,
} as const satisfies Record<RequirementAnswer, string>
