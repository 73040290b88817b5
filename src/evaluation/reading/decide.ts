import type { WaitingBasis } from '../../inference/disposition.js'
import { negativeDirection } from '../../protocol/rules/lax.js'
import { decideDispositions } from '../disposition.js'
import { type ChargedWaiting, largestWorth, worthAgainst } from '../waiting.js'
import type { ReadingPlan } from './basis.js'
import type { DecidedSums } from './decided.js'
import type { ReadingTests } from './infer.js'
import { isPersistence } from './registered.js'
import type { FilledTest } from './tests.js'

/** The part of waiting that can prevent a verdict, measured by persistence. */
export function waitingBasisIn(
  { registered: { rules }, nowcasts, testedSteps }: ReadingPlan,
  all: readonly ChargedWaiting[],
): WaitingBasis {
  const named = rules.baselines.filter(isPersistence).map(({ id }) => id)
  const shown = all.filter(({ comparator }) => named.includes(comparator))
  return {
    worth: largestWorth(shown.length > 0 ? shown : all),
    nowcasts: nowcasts.filter((step) => testedSteps.includes(step)),
    isOnly: testedSteps.length > 0 && testedSteps.every((step) => nowcasts.includes(step)),
    isGivenAway: rules.origins.waiting === 'part_of_the_task',
  }
}

/** The disposition of every candidate, by the limits of the rules; null if nothing is decided. */
export function decideReading(of: ReadingPlan, tested: ReadingTests, sums: DecidedSums) {
  const { registered, testedSteps } = of
  const { find, judged, verdicts, summed, groups } = tested
  if (verdicts === null) return null
  const { rules, mode, candidates, comparators, isShortened, tooLax } = registered
  const { limits, scores, baselines } = rules
  const worth = sums.waiting()
  const waiting = waitingBasisIn(of, worth)
  const directed = scores.find(({ kind }) => kind === 'direction')
  return decideDispositions({
    registration: { mode, candidates, comparators },
    ...{ verdicts, tooLax, waiting },
    countFailures: (model) => sums.countFailures(model),
    practicalFloor: limits.practical_effect,
    regressionLimit: limits.harm,
    directionLimit: negativeDirection(
      limits.direction ?? Number.POSITIVE_INFINITY,
      directed?.epsilon ?? 0,
    ),
    availabilityLimits: { all: limits.availability, level: limits.availability_stratum },
    shortened: isShortened,
    alpha: rules.alpha,
    isBuiltIn: (name) => baselines.some(({ id }) => id === name),
    missingOutcomes: sums.missing(),
    found: (candidate, { name: comparator }) => {
      const pair = { candidate, comparator }
      const judgedAt = (at: number) => {
        const { comparatorMean, judged: filled } = summed[at]!.filled.worst as FilledTest
        const { observed: estimate } = filled.counts
        return { test: judged[at]!, comparatorLoss: comparatorMean, estimate }
      }
      const charged = waiting.isGivenAway ? 0 : worthAgainst(worth, comparator)
      // None against persistence, or if the comparator calls a direction too rarely, because nothing can be lost to it
      // there.
      const direction = (step: number) => {
        const at = find({ ...pair, role: 'direction_error', step })
        return at !== undefined && summed[at]!.isAsked ? judged[at]! : null
      }
      const overall = find({ ...pair, role: 'point_loss', step: 'overall' }) as number
      return {
        availability: sums.availability(pair),
        overall: { ...judgedAt(overall), waiting: charged },
        horizons: testedSteps.flatMap((step) => {
          const at = find({ ...pair, role: 'point_loss', step })
          if (at === undefined) return []
          const isDirected = directed !== undefined && !waiting.nowcasts.includes(step)
          const asked = isDirected ? direction(step) : undefined
          return [{ horizon: step, point: judgedAt(at), direction: asked }]
        }),
        groups: groups.filter(
          (each) => each.of.candidate === candidate && each.of.comparator === comparator,
        ),
      }
    },
  })
}
