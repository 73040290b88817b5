import { joined } from '../../contract/findings/row.js'
import { INTERVAL_LEVEL } from '../../contract/limits.js'
import type {
  InferenceMethod,
  Protocol,
  Registration,
  Result,
  Scorer,
  StratumDefinition,
  TimeRule,
} from '../../contract/types.js'
import { enumerateFamily } from '../family.js'

export type Statement = Scorer['computes'][number]

/** Every number that the statements name, by the names that a result has for them. */
type Numbers = Silence &
  Pick<
    Result['settings'],
    | 'horizons_hours'
    | 'block_length_origins'
    | 'blocks_in_window'
    | 'origins'
    | 'replicates'
    | 'seed'
    | 'alpha'
    | 'minimum_pairs'
    | 'minimum_blocks'
    | 'practical_effect_floor'
    | 'regression_limit'
    | 'direction_limit'
    | 'direction_epsilon'
    | 'interval_level'
    | 'provenance_required'
  >

/** Against silence; absent where a registration was made before there were such rules. */
type Silence = {
  readonly [Rule in
    | 'publication_lag_minutes'
    | 'availability_limit'
    | 'availability_limit_stratum'
    | 'direction_pairs_factor']?: number | undefined
}

/** What the statements are made from; a result has all of it but the definitions of strata. */
export interface ScorerBasis {
  readonly mode: Registration['mode']
  readonly settings: Numbers
  readonly familySize: number
  /** Of them, how many decide; asked for with weights only. */
  readonly decidingSize?: number
  readonly inference?: InferenceMethod | undefined
  /** Names of the built-in models, each once. */
  readonly builtIns: readonly string[]
  /** What `strongest_simple` chooses from; undefined where it is not known. */
  readonly pool?: readonly string[] | undefined
  readonly strata: readonly StratumDefinition[]
  readonly time?: TimeRule | undefined
  readonly commitment?: Registration['commitment']
  readonly commitmentLog?: string | undefined
}

/** What of a registration the statements follow from. */
export type StatedRegistration = Pick<
  Registration,
  | 'mode'
  | 'window'
  | 'horizons_hours'
  | 'candidates'
  | 'comparators'
  | 'baseline_pool'
  | 'strata'
  | 'limits'
  | 'provenance_required'
  | 'publication_lag_minutes'
  | 'family_size'
  | 'inference'
  | 'time'
  | 'commitment'
  | 'commitment_log'
>

export function basisOf(registration: StatedRegistration, protocol: Protocol): ScorerBasis {
  const { uncertainty, sampling, design } = protocol
  const minimum = sampling.minimum_effective_sample
  const { limits, candidates, comparators, strata } = registration
  const { origins } = registration.window
  const blockLength = uncertainty.block_length_origins
  const builtIns = [...candidates, ...comparators].filter(({ source }) => source === 'built_in')
  return {
    mode: registration.mode,
    settings: {
      horizons_hours: registration.horizons_hours,
      origins,
      block_length_origins: blockLength,
      blocks_in_window: Math.floor(origins / blockLength),
      replicates: uncertainty.replicates,
      seed: uncertainty.seed,
      alpha: uncertainty.multiplicity.alpha,
      minimum_pairs: minimum.paired_origins_per_horizon,
      minimum_blocks: minimum.effective_independent_blocks_per_comparison,
      practical_effect_floor: design.practical_effect_floor,
      regression_limit: limits.per_horizon_regression,
      direction_limit: limits.directional_loss,
      direction_epsilon: limits.direction_epsilon,
      interval_level: INTERVAL_LEVEL,
      provenance_required: registration.provenance_required,
      publication_lag_minutes: registration.publication_lag_minutes,
      availability_limit: limits.availability_limit,
      availability_limit_stratum: limits.availability_limit_stratum,
      direction_pairs_factor: limits.direction_pairs_factor,
    },
    familySize: registration.family_size,
    decidingSize: enumerateFamily(registration).filter(({ decides }) => decides).length,
    inference: registration.inference,
    builtIns: [...new Set(builtIns.map(({ name }) => name))],
    pool: registration.baseline_pool,
    strata,
    time: registration.time,
    commitment: registration.commitment,
    commitmentLog: registration.commitment_log,
  }
}

/** `2 h, 4 h and 8 h`. */
export function hoursListed(hours: readonly number[]): string {
  return joined(
    hours.map((each) => `${each} h`),
    'and',
  )
}

/** A number without the last digits that only binary arithmetic put there. */
export const plain = (value: number): string => String(Number(value.toPrecision(12)))
