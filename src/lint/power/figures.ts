import { formatUtc, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { ComparatorErrors, PastCloses } from './comparator.js'
import { neededByKind, type TestKind, type WindowFault, windowFault } from './design.js'
import type { PlannedPower } from './planned-design.js'
import { CURVE_DAYS, type Prediction, REDUCTIONS } from './predict.js'
import type { SimulationFigures } from './simulation-types.js'
import type { Resemblance } from './types.js'

/** What a report on power says; the members of its JSON. */
export interface PowerFigures {
  readonly power_version: 1
  readonly plan: { readonly name: string; readonly sha256: string }
  readonly protocol: { readonly version: string; readonly sha256: string }
  readonly outcomes: {
    readonly vintage_id: string
    readonly sha256: string
    /** First and last close that was looked at, all of them before the window. */
    readonly from: string
    readonly to: string
    readonly hours: number
    /** Hours without a close, given the one before. */
    readonly filled: number
    /** Hours of the vintage from the window on: not looked at. */
    readonly cut: number
  }
  readonly window: {
    readonly from: string
    readonly to: string
    readonly origins: number
    readonly days: number
    readonly blocks: number
    /** Why no test of this window has a p-value. */
    readonly blocked: WindowFault | null
  }
  readonly family: {
    readonly method: 'ewc-t'
    /** False where the plan registers another method. */
    readonly registered: boolean
    readonly size: number
    readonly deciding: number
    readonly alpha: number
    readonly weights: { readonly deciding: number; readonly other: number }
  }
  readonly needed: readonly NeededFigures[]
  readonly comparators: readonly {
    readonly name: string
    readonly mean_loss: number
    /** The one that all below is said of: its loss is the smallest. */
    readonly reference: boolean
  }[]
  /** Comparators whose errors closes cannot tell. */
  readonly not_computed: readonly string[]
  /** True where these are all: what the candidates are held against is none of the plan. */
  readonly stand_in: boolean
  /** Candidates that the given history holds too few pairs of, at the horizon with the fewest. */
  readonly not_estimated: readonly { readonly candidate: string; readonly pairs: number }[]
  /** Origins that windows were drawn from. */
  readonly drawn_from: number
  readonly seed: number
  readonly predictions: readonly PredictionFigures[]
  /** By length of the window: per prediction, the smallest reduction found; null where none is. */
  readonly curve: readonly {
    readonly days: number
    readonly smallest: readonly (number | null)[]
  }[]
  readonly simulation: SimulationFigures | null
}

export interface NeededFigures {
  readonly tests: TestKind
  readonly memory: 'hours' | 'days'
  readonly count: number
  readonly weight: number
  readonly level: number
  readonly degrees_of_freedom: number
  readonly t: number
}

export interface PredictionFigures extends Resemblance {
  /** In the planned window; null where no reduction is found with the wanted probability. */
  readonly smallest_reduction: number | null
  readonly power: readonly { readonly reduction: number; readonly power: number }[]
  /** Days that the wanted probability takes; null beyond ten years. */
  readonly days_needed: readonly { readonly reduction: number; readonly days: number | null }[]
}

/** All that the figures are made from. */
export interface PowerBasis
  extends Pick<PowerFigures, 'plan' | 'protocol' | 'seed' | 'simulation'> {
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

export function powerFigures(basis: PowerBasis): PowerFigures {
  const { planned, closes, predicted, reference, seed, simulation } = basis
  const { design, weights, registered } = planned
  const last = closes.first + (closes.values.length - 1) * MICROS_PER_HOUR
  return {
    power_version: 1,
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
      blocked: windowFault(design, design.origins) ?? null,
    },
    family: {
      method: 'ewc-t',
      registered,
      size: design.tests.length,
      deciding: design.tests.filter(({ decides }) => decides).length,
      alpha: design.alpha,
      weights,
    },
    needed: neededByKind(design).map(({ kind, tests, degrees, needed, ...rest }) => ({
      ...{ tests: kind, memory: rest.memory, count: tests, weight: rest.weight },
      ...{ level: rest.level, degrees_of_freedom: degrees, t: needed },
    })),
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
    simulation,
  }
}
