import type { Comparison, DispositionInput, DispositionReason } from './disposition-types.js'
import type { Tested } from './types.js'

/** A reason as a result records it: what does not apply is null. */
export function reasonOf(
  given: Pick<DispositionReason, 'code' | 'leads_to'> & Partial<DispositionReason>,
): DispositionReason {
  return {
    comparator: null,
    horizon: null,
    measure: null,
    test: null,
    found: null,
    limit: null,
    details: [],
    ...given,
  }
}

/** A reason that no conclusion may be drawn. */
export function blocking(
  code: DispositionReason['code'],
  of: Partial<DispositionReason> = {},
): DispositionReason {
  return reasonOf({ code, leads_to: 'blocked', ...of })
}

/** What speaks against the candidate on its own, whatever else is missing. */
export function harmReasons(comparison: Comparison, input: DispositionInput): DispositionReason[] {
  const { comparator, overall } = comparison
  const { test, comparatorLoss } = overall
  const reasons = limitReasons(comparison, input, 'lower')
  if (test.status === 'blocked' || !rejectedOn('above', test)) return reasons
  const worse = reasonOf({
    code: 'significantly_worse',
    leads_to: 'negative',
    comparator,
    horizon: 'overall',
    measure: 'point_loss',
    test: test.name,
    found: relative(test.observed, comparatorLoss),
    limit: 0,
  })
  return [worse, ...reasons]
}

/** What eligibility asks for and, where all of it is there, that it is. */
export function benefitReasons(
  comparison: Comparison,
  input: DispositionInput,
): DispositionReason[] {
  const { comparator, overall, horizons } = comparison
  const { test, comparatorLoss } = overall
  const limits = limitReasons(comparison, input, 'upper')
  if (test.status === 'blocked' || comparatorLoss === null) return limits
  const missing: DispositionReason[] = []
  const place = { comparator, horizon: 'overall', measure: 'point_loss', test: test.name } as const
  const figures = {
    found: relative(-test.observed, comparatorLoss),
    limit: comparatorLoss === 0 ? 0 : input.practicalFloor,
  }
  if (-test.observed < input.practicalFloor * comparatorLoss) {
    const code = 'practical_floor_not_reached'
    missing.push(reasonOf({ code, leads_to: 'inconclusive', ...place, ...figures }))
  }
  if (!rejectedOn('below', test)) {
    const against = { found: test.holm.adjustedP, limit: test.bounds.level }
    const code = 'not_significant'
    missing.push(reasonOf({ code, leads_to: 'inconclusive', ...place, ...against }))
  }
  missing.push(...limits)
  if (missing.length > 0) return missing
  const all = horizons.flatMap(({ point, direction }) => [point.test, direction])
  if (all.some((each) => each?.status === 'blocked')) return []
  const code = 'improvement_established'
  return [reasonOf({ code, leads_to: 'eligible_for_human_review', ...place, ...figures })]
}

/** Horizons whose loss or direction is shown to be beyond its limit (`lower`), or may be (`upper`). */
function limitReasons(
  { comparator, horizons }: Comparison,
  { regressionLimit, directionLimit }: DispositionInput,
  end: 'lower' | 'upper',
): DispositionReason[] {
  const shown = end === 'lower'
  const reasons: DispositionReason[] = []
  for (const { horizon, point, direction } of horizons) {
    const place = { leads_to: shown ? 'negative' : 'inconclusive', comparator, horizon } as const
    const { test, comparatorLoss: loss } = point
    if (test.status === 'tested' && loss !== null) {
      const found = test.adjustedBounds[end]
      if (found > regressionLimit * loss) {
        reasons.push(
          reasonOf({
            code: shown ? 'regression_limit_exceeded' : 'regression_not_excluded',
            ...place,
            measure: 'point_loss',
            test: test.name,
            found: relative(found, loss),
            limit: loss === 0 ? 0 : regressionLimit,
          }),
        )
      }
    }
    if (direction?.status === 'tested' && direction.adjustedBounds[end] > directionLimit) {
      reasons.push(
        reasonOf({
          code: shown ? 'direction_limit_exceeded' : 'direction_loss_not_excluded',
          ...place,
          measure: 'direction_error',
          test: direction.name,
          found: direction.adjustedBounds[end],
          limit: directionLimit,
        }),
      )
    }
  }
  return reasons
}

/** A difference as a share of the comparator's loss, by which it was judged; as it is without one. */
function relative(difference: number, comparatorLoss: number | null): number {
  return comparatorLoss === null || comparatorLoss === 0 ? difference : difference / comparatorLoss
}

function rejectedOn(side: 'below' | 'above', test: Tested): boolean {
  return test.holm.rejected && test.side === side
}
