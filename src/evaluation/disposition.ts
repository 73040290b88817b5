import type { Protocol, Registration } from '../contract/types.js'
import { decideDisposition } from '../inference/disposition.js'
import type { Comparison, FailureCount } from '../inference/disposition-types.js'
import type { TestResult as Tested } from '../inference/types.js'
import type { Inferred } from './infer.js'
import type { CandidateDisposition, ResultAccounting } from './result/types.js'

/** A registered test with its outcome and what it is read against. */
interface Judged {
  readonly test: Tested
  readonly comparatorMean: number | null
  readonly comparatorValues: number
}

type Lookup = (
  candidate: string,
  comparator: string,
  measure: 'point_loss' | 'direction_error',
  horizon: number | 'overall',
) => Judged | undefined

function lookupOf({ definitions, series, family }: Inferred): Lookup {
  const known = new Map<string, Judged>()
  definitions.forEach((definition, index) => {
    const { candidate, comparator, measure, horizon, decides } = definition
    if (!decides) return
    known.set(JSON.stringify([candidate, comparator, measure, horizon]), {
      test: family.tests[index]!,
      comparatorMean: series[index]!.comparatorMean,
      comparatorValues: series[index]!.comparatorValues,
    })
  })
  return (...key) => known.get(JSON.stringify(key))
}

/** Attempts with the status `failed`, out of all that were expected of the model. */
function failuresOf(accounting: readonly ResultAccounting[], model: string): FailureCount {
  const cell = accounting.find(
    (one) => one.model === model && one.horizon === 'all' && one.stratum === 'all',
  )
  return { failures: cell?.point.failed ?? 0, expected: cell?.expected ?? 0 }
}

function comparisonOf(
  candidate: string,
  comparator: string,
  horizons: readonly number[],
  lookup: Lookup,
  failures: (model: string) => FailureCount,
  minimumPairs: number,
): Comparison | undefined {
  const overall = lookup(candidate, comparator, 'point_loss', 'overall')
  if (!overall) return undefined
  return {
    comparator,
    candidateFailures: failures(candidate),
    comparatorFailures: failures(comparator),
    overall: { test: overall.test, comparatorLoss: overall.comparatorMean },
    horizons: horizons.flatMap((horizon) => {
      const point = lookup(candidate, comparator, 'point_loss', horizon)
      const direction = lookup(candidate, comparator, 'direction_error', horizon)
      if (!point || !direction) return []
      // A comparator that says up or down nowhere, or too rarely for any test (strongest_simple, while
      // it is persistence), has no direction to lose to. What the candidate says does not count here:
      // one that keeps silent where its comparator speaks is blocked for want of pairs.
      const silent = direction.comparatorValues < minimumPairs && point.test.pairs > 0
      return [
        {
          horizon,
          point: { test: point.test, comparatorLoss: point.comparatorMean },
          direction: silent ? null : direction.test,
        },
      ]
    }),
  }
}

/** The verdict on every candidate. */
export function dispositionStage(
  registration: Registration,
  protocol: Protocol,
  inferred: Inferred,
  accounting: readonly ResultAccounting[],
): CandidateDisposition[] {
  const lookup = lookupOf(inferred)
  const failures = (model: string) => failuresOf(accounting, model)
  const horizons = registration.horizons_hours
  const minimumPairs = protocol.sampling.minimum_effective_sample.paired_origins_per_horizon
  const required = registration.comparators.map((comparator) => comparator.name)
  return registration.candidates.map(({ name: candidate }) => ({
    candidate,
    ...decideDisposition({
      mode: registration.mode,
      required,
      horizons,
      comparisons: required.flatMap(
        (comparator) =>
          comparisonOf(candidate, comparator, horizons, lookup, failures, minimumPairs) ?? [],
      ),
      practicalFloor: protocol.design.practical_effect_floor,
      regressionLimit: registration.limits.per_horizon_regression,
      directionLimit: registration.limits.directional_loss,
      controlsPassed: inferred.family.controlsPassed,
      evidenceFaults: [],
    }),
  }))
}
