import type { Comparison, DispositionInput, DispositionReason } from './disposition-types.js'
import type { TestedTest } from './types.js'

/** What speaks against the candidate on its own, whatever else is missing. */
export function harmReasons(comparison: Comparison, input: DispositionInput): DispositionReason[] {
  const { comparator, overall, horizons } = comparison
  const reasons: DispositionReason[] = []
  if (overall.test.status === 'tested' && rejectedOn('above', overall.test)) {
    const { name: test, observed: found } = overall.test
    reasons.push({
      ...{ code: 'significantly_worse', leadsTo: 'negative', comparator, horizon: 'overall' },
      ...{ measure: 'point_loss', test, found, limit: 0 },
    })
  }
  for (const { horizon, point, direction } of horizons) {
    const place = { leadsTo: 'negative', comparator, horizon } as const
    if (point.test.status === 'tested' && point.comparatorLoss !== null) {
      const found = point.test.adjustedBounds.lower
      const limit = input.regressionLimit * point.comparatorLoss
      const { name: test } = point.test
      if (found > limit) {
        const code = 'regression_limit_exceeded'
        reasons.push({ code, ...place, measure: 'point_loss', test, found, limit })
      }
    }
    if (direction?.status === 'tested' && direction.adjustedBounds.lower > input.directionLimit) {
      reasons.push({
        ...{ code: 'direction_limit_exceeded', ...place, measure: 'direction_error' },
        ...{ test: direction.name, found: direction.adjustedBounds.lower },
        limit: input.directionLimit,
      })
    }
  }
  return reasons
}

/** What eligibility asks for and, where all of it is there, that it is. */
export function benefitReasons(
  comparison: Comparison,
  input: DispositionInput,
): DispositionReason[] {
  const missing = [...improvementGaps(comparison, input), ...limitGaps(comparison, input)]
  if (missing.length > 0) return missing
  const { comparator, overall, horizons } = comparison
  const all = [overall.test, ...horizons.flatMap(({ point, direction }) => [point.test, direction])]
  if (all.some((test) => test?.status === 'blocked') || overall.comparatorLoss === null) return []
  return [
    {
      ...{ code: 'improvement_established', leadsTo: 'eligible_for_human_review', comparator },
      ...{ horizon: 'overall', measure: 'point_loss', test: overall.test.name },
      ...{ found: -(overall.test.observed ?? 0) },
      limit: input.practicalFloor * overall.comparatorLoss,
    },
  ]
}

function improvementGaps(comparison: Comparison, input: DispositionInput): DispositionReason[] {
  const { comparator, overall } = comparison
  const { test, comparatorLoss } = overall
  if (test.status === 'blocked' || comparatorLoss === null) return []
  const reasons: DispositionReason[] = []
  const place = {
    leadsTo: 'inconclusive',
    comparator,
    horizon: 'overall',
    measure: 'point_loss',
    test: test.name,
  } as const
  const floor = input.practicalFloor * comparatorLoss
  if (-test.observed < floor) {
    const code = 'practical_floor_not_reached'
    reasons.push({ code, ...place, found: -test.observed, limit: floor })
  }
  if (!rejectedOn('below', test)) {
    const { adjustedP: found } = test.holm
    reasons.push({ code: 'not_significant', ...place, found })
  }
  return reasons
}

function limitGaps(comparison: Comparison, input: DispositionInput): DispositionReason[] {
  const { comparator, horizons } = comparison
  const reasons: DispositionReason[] = []
  for (const { horizon, point, direction } of horizons) {
    const place = { leadsTo: 'inconclusive', comparator, horizon } as const
    if (point.test.status === 'tested' && point.comparatorLoss !== null) {
      const found = point.test.adjustedBounds.upper
      const limit = input.regressionLimit * point.comparatorLoss
      const { name: test } = point.test
      if (found > limit) {
        const code = 'regression_not_excluded'
        reasons.push({ code, ...place, measure: 'point_loss', test, found, limit })
      }
    }
    if (direction?.status === 'tested' && direction.adjustedBounds.upper > input.directionLimit) {
      reasons.push({
        ...{ code: 'direction_loss_not_excluded', ...place, measure: 'direction_error' },
        ...{ test: direction.name, found: direction.adjustedBounds.upper },
        limit: input.directionLimit,
      })
    }
  }
  return reasons
}

function rejectedOn(side: 'below' | 'above', test: TestedTest): boolean {
  return test.holm.rejected && test.side === side
}
