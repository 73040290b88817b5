import { formatUtc, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type { Power } from '../../contract/types.js'
import type { ComparatorErrors, PastCloses } from './comparator.js'
import { findWindowFault, neededByKind, type PlannedVerdict, type Resemblance } from './design.js'
import type { PlannedPower } from './planned-design.js'
import { CURVE_DAYS, type Prediction, REDUCTIONS } from './predict.js'

/** The content of a power report, power.json; its schema describes each member. */
export type PowerFigures = ReadonlyDeep<Power>
export type PredictionFigures = PowerFigures['predictions'][number]

/** The inputs of all figures. */
export interface PowerBasis extends Pick<PowerFigures, 'code' | 'plan' | 'protocol' | 'seed'> {
  readonly vintage: { readonly vintage_id: string; readonly sha256: string }
  readonly window: { readonly from: string; readonly to: string }
  readonly planned: PlannedPower
  readonly closes: PastCloses
  readonly comparators: readonly ComparatorErrors[]
  readonly reference: ComparatorErrors
  readonly resemblances: readonly Resemblance[]
  readonly missed: PowerFigures['not_estimated']
  readonly predicted: readonly Prediction[]
}

export function computePowerFigures(basis: PowerBasis): PowerFigures {
  const { planned, closes, predicted, reference, seed } = basis
  const { design, weights, registered } = planned
  const last = closes.first + (closes.values.length - 1) * MICROS_PER_HOUR
  return {
    power_version: 1,
    code: basis.code,
    plan: basis.plan,
    protocol: basis.protocol,
    outcomes: {
      vintage_id: basis.vintage.vintage_id,
      sha256: basis.vintage.sha256,
      from: formatUtc(closes.first),
      to: formatUtc(last),
      hours: closes.values.length,
      filled: closes.filled,
      cut: closes.cut,
    },
    window: {
      ...basis.window,
      origins: design.origins,
      days: design.origins / 24,
      blocks: Math.floor(design.origins / design.blockLength),
      blocked: findWindowFault(design, design.origins) ?? null,
    },
    family: {
      method: 'ewc-t',
      registered,
      size: design.tests.length,
      deciding: design.tests.filter(({ decides }) => decides).length,
      alpha: design.alpha,
      weights: {
        ...(weights.verdict !== null && { verdict: weights.verdict }),
        ...{ deciding: weights.deciding, other: weights.other ?? 0 },
      },
    },
    ...(design.verdict && { verdict: verdictFigures(design.verdict) }),
    needed: neededByKind(design),
    comparators: basis.comparators.map((each) => ({
      name: each.name,
      mean_loss: each.loss,
      reference: each === reference,
    })),
    not_computed: planned.unknown,
    stand_in: planned.standIn,
    not_estimated: basis.missed,
    drawn_from: (reference.errors[0] as Float64Array).length,
    seed,
    predictions: predicted.map((prediction, at) => ({
      ...(basis.resemblances[at] as Resemblance),
      smallest_reduction: prediction.smallest(design.origins),
      power: REDUCTIONS.map((reduction) => ({
        reduction,
        power: prediction.power(design.origins, reduction),
      })),
      days_needed: REDUCTIONS.map((reduction) => ({ reduction, days: prediction.days(reduction) })),
    })),
    curve: CURVE_DAYS.map((days) => ({
      days,
      smallest: predicted.map((prediction) => prediction.smallest(days * 24)),
    })),
  }
}

function verdictFigures({
  registration,
  floor,
  waiting,
}: PlannedVerdict): NonNullable<PowerFigures['verdict']> {
  const { candidates, rules } = registration
  return {
    candidates: candidates.length,
    horizons_hours: [...rules.steps],
    practical_floor: floor,
    waiting_worth: waiting,
    regression_limit: rules.limits.harm,
    direction_limit: rules.limits.direction ?? 0,
  }
}
