import { checkedInstant, formatUtc } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { Bounds as FamilyBounds } from '../inference/types.js'
import { stratumLevels } from '../registration/family.js'
import { INTERVAL_LEVEL } from '../scoring/interval-score.js'
import { measuresOf, overallMeasures } from '../scoring/measures.js'
import { countKeys, keysOf } from '../scoring/shared-keys.js'
import type { Measures } from '../scoring/types.js'
import { dispositionStage } from './disposition.js'
import { type CellOf, type Inferred, ownKey } from './inference.js'
import type { Paired } from './pairing.js'
import type {
  Bounds,
  ControlResult,
  Horizon,
  ModelMeasures,
  Result,
  ResultSettings,
  SharedKeys,
  Stratum,
  TestResult,
} from './result.js'

export interface Parts {
  readonly registration: Registration
  readonly protocol: Protocol
  readonly paired: Paired
  readonly cellOf: CellOf
  readonly inferred: Inferred
}

/** What the caller knows and the computation does not. */
export type Circumstances = Pick<Result, 'code' | 'exploratory' | 'earlier_readings' | 'inputs'>

function bare(bounds: FamilyBounds | undefined): Bounds | null {
  return bounds === undefined ? null : { lower: bounds.lower, upper: bounds.upper }
}

/** What was fixed beforehand, by the registration and its protocol. */
export function settingsOf(registration: Registration, protocol: Protocol): ResultSettings {
  const { uncertainty, sampling, design } = protocol
  const minimum = sampling.minimum_effective_sample
  const { origins } = registration.window
  return {
    horizons_hours: [...registration.horizons_hours],
    from: formatUtc(checkedInstant(registration.window.from)),
    to: formatUtc(checkedInstant(registration.window.to)),
    as_of: formatUtc(checkedInstant(registration.as_of)),
    origins,
    block_length_origins: uncertainty.block_length_origins,
    blocks_in_window: Math.floor(origins / uncertainty.block_length_origins),
    replicates: uncertainty.replicates,
    seed: uncertainty.seed,
    alpha: uncertainty.multiplicity.alpha,
    minimum_pairs: minimum.paired_origins_per_horizon,
    minimum_blocks: minimum.effective_independent_blocks_per_comparison,
    practical_effect_floor: design.practical_effect_floor,
    regression_limit: registration.limits.per_horizon_regression,
    direction_limit: registration.limits.directional_loss,
    direction_epsilon: registration.limits.direction_epsilon,
    interval_level: INTERVAL_LEVEL,
    provenance_required: registration.provenance_required,
  }
}

function measuresIn(
  parts: Parts,
  model: string,
  horizon: Horizon,
  stratum: Stratum,
  found: Measures,
): ModelMeasures {
  const { ownBounds } = parts.inferred
  const own = (kind: 'loss' | 'coverage') =>
    stratum === 'all' ? bare(ownBounds.get(ownKey(kind, model, horizon))) : null
  const { interval } = found
  return {
    model,
    horizon,
    stratum,
    pairs: found.pairs,
    point_loss: found.pointLoss,
    point_loss_bounds: own('loss'),
    absolute_percent_error: found.absolutePercentError,
    log_return_bias: found.logReturnBias,
    percent_bias: found.percentBias,
    direction: {
      eligible: found.direction.eligible,
      accuracy: found.direction.accuracy,
      error_rate: found.direction.errorRate,
    },
    interval: {
      pairs: interval.pairs,
      score: interval.score,
      pinball: interval.pinball,
      coverage: interval.coverage,
      coverage_bounds: own('coverage'),
      coverage_difference: interval.coverageDifference,
      width: interval.width,
      width_percent: interval.widthPercent,
    },
  }
}

function membersOf({ paired }: Parts, stratum: Stratum): Uint8Array | undefined {
  return stratum === 'all' ? undefined : paired.memberships.mask(stratum.name, stratum.level)
}

function allMeasures(parts: Parts, strata: readonly Stratum[]): ModelMeasures[] {
  const { models, horizons } = parts.paired.shape
  return models.flatMap((model) =>
    strata.flatMap((stratum) => {
      const members = membersOf(parts, stratum)
      const each = horizons.map((horizon) =>
        measuresOf(parts.cellOf(model, horizon).columns, members),
      )
      return [
        measuresIn(parts, model, 'overall', stratum, overallMeasures(each)),
        ...horizons.map((horizon, index) =>
          measuresIn(parts, model, horizon, stratum, each[index]!),
        ),
      ]
    }),
  )
}

function sharedKeys(parts: Parts, strata: readonly Stratum[]): SharedKeys[] {
  const { candidates, comparators } = parts.registration
  return candidates.flatMap(({ name: candidate }) =>
    comparators.flatMap(({ name: comparator }) =>
      parts.paired.shape.horizons.flatMap((horizon) => {
        const ours = parts.cellOf(candidate, horizon).pairs
        const codes = keysOf(ours, parts.cellOf(comparator, horizon).pairs, 'point')
        return strata.map((stratum) => {
          const counts = countKeys(codes, membersOf(parts, stratum))
          return {
            candidate,
            comparator,
            horizon,
            stratum,
            expected: counts.expected,
            shared: counts.shared,
            lost: {
              candidate_not_scored: counts.candidateNotScored,
              comparator_not_scored: counts.comparatorNotScored,
              neither_scored: counts.neitherScored,
              vintage_mismatch: counts.vintageMismatch,
            },
          }
        })
      }),
    ),
  )
}

function testsOf({ definitions, series, family }: Inferred): TestResult[] {
  return definitions.map((definition, index) => {
    const outcome = family.tests[index]!
    const tested = outcome.status === 'tested' ? outcome : undefined
    const { name, candidate, comparator, measure, horizon, stratum, decides } = definition
    return {
      name,
      candidate,
      comparator,
      measure,
      horizon,
      stratum,
      decides,
      pairs: outcome.pairs,
      effective_blocks: outcome.effectiveBlocks,
      observed: outcome.observed,
      comparator_mean: series[index]!.comparatorMean,
      bounds: bare(tested?.bounds),
      standard_error: tested?.replicates.standardDeviation ?? null,
      p: tested?.p ?? null,
      rank: tested?.holm.rank ?? null,
      multiplier: tested?.holm.multiplier ?? null,
      p_adjusted: tested?.holm.adjustedP ?? null,
      bounds_adjusted: bare(tested?.adjustedBounds),
      decision: !tested ? 'blocked' : tested.holm.rejected ? 'rejected' : 'not_rejected',
      blocked_reasons: outcome.status === 'blocked' ? [...outcome.reasons] : [],
    }
  })
}

function controlsOf({ family }: Inferred): ControlResult[] {
  return family.controls.map(({ name, kind, expected, least, greatest, passed }) => ({
    name,
    kind,
    expected,
    least,
    greatest,
    passed,
  }))
}

function modelsIn({ candidates, comparators }: Registration): Result['models'] {
  return [
    ...candidates.map(({ name, source }) => ({
      name,
      role: 'candidate' as const,
      source,
      required_as: [],
    })),
    ...comparators.map(({ name, source, required_as }) => ({
      name,
      role: 'comparator' as const,
      source,
      required_as: [...required_as],
    })),
  ]
}

/** Puts the result together and seals it with its own digest. */
export function assembleResult(parts: Parts, circumstances: Circumstances): Result {
  const { registration, protocol, paired, inferred } = parts
  const strata = stratumLevels(registration.strata)
  const accounting = paired.tallies.accounting()
  const tests = testsOf(inferred)
  const result = {
    result_version: 1 as const,
    result_sha256: '',
    ...circumstances,
    mode: registration.mode,
    settings: settingsOf(registration, protocol),
    models: modelsIn(registration),
    strata: registration.strata
      .filter(({ levels = [] }) => levels.length > 0)
      .map(({ name, levels = [] }) => ({
        name,
        levels: levels.map(({ level }) => ({
          level,
          origins: paired.memberships.count(name, level),
        })),
      })),
    accounting,
    outside_grid: Object.fromEntries(
      [...paired.tallies.outside].sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    measures: allMeasures(parts, strata),
    shared_keys: sharedKeys(parts, strata),
    family: {
      size: tests.length,
      sha256: registration.family_sha256,
      rejected: tests.filter((test) => test.decision === 'rejected').length,
      blocked: tests.filter((test) => test.decision === 'blocked').length,
    },
    tests,
    controls: controlsOf(inferred),
    dispositions: dispositionStage(registration, protocol, inferred, accounting),
  }
  return { ...result, result_sha256: digestWithout(result, 'result_sha256') }
}
