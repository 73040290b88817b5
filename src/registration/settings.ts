import { checkedInstant, formatUtc, MICROS_PER_HOUR } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'
import type { Protocol, Registration } from '../contract/types.js'
import { type OriginsADay, originsADay } from '../inference/days.js'
import type { InferenceDesign } from '../inference/types.js'
import { hasVerdict } from './family.js'

/** The numbers that an evaluation of hourly closes uses. */
export type Settings = ReturnType<typeof settingsOf>

/** What a protocol fixes for the tests of every window. */
export type ProtocolDesign = Omit<InferenceDesign, 'origins'>

export function designOf({ uncertainty, sampling }: Protocol): ProtocolDesign {
  const minimum = sampling.minimum_effective_sample
  return {
    blockLength: uncertainty.block_length_origins,
    replicates: uncertainty.replicates,
    seed: uncertainty.seed,
    alpha: uncertainty.multiplicity.alpha,
    minimumPairs: minimum.paired_origins_per_horizon,
    minimumBlocks: minimum.effective_independent_blocks_per_comparison,
  }
}

/** For hourly origins, whose forecasts are due an hour apart. @param origins - their number */
export const hourlyADay = (origins: number): OriginsADay =>
  originsADay(Float64Array.from({ length: origins }, (_, at) => at * MICROS_PER_HOUR))

/** The settings that the registration and its protocol fixed beforehand. */
export function settingsOf(registration: Registration, protocol: Protocol) {
  const design = designOf(protocol)
  const { origins } = registration.window
  return {
    horizons_hours: [...registration.horizons_hours],
    from: formatUtc(checkedInstant(registration.window.from)),
    to: formatUtc(checkedInstant(registration.window.to)),
    as_of: formatUtc(checkedInstant(registration.window.last_settled)),
    origins,
    block_length_origins: design.blockLength,
    blocks_in_window: Math.floor(origins / design.blockLength),
    replicates: design.replicates,
    seed: design.seed,
    alpha: design.alpha,
    minimum_pairs: design.minimumPairs,
    minimum_blocks: design.minimumBlocks,
    practical_effect_floor: protocol.design.practical_effect_floor,
    regression_limit: registration.limits.harm,
    direction_limit: registration.limits.direction,
    direction_epsilon: registration.limits.epsilon,
    interval_level: INTERVAL_LEVEL,
    provenance_required: registration.provenance_required,
    ...(registration.inference?.method === 'ewc-t' && { inference: registration.inference }),
    ...againstSilence(registration),
    ...(hasVerdict(registration) && {
      baseline_pool: registration.baseline_pool,
    }),
  }
}

/** The rules against silence; empty if a registration is older than these rules. */
function againstSilence({ limits, publication_lag_minutes }: Registration) {
  const { availability, availability_stratum, direction_pairs_factor } = limits
  return {
    ...(publication_lag_minutes !== undefined && { publication_lag_minutes }),
    ...(availability !== undefined && { availability_limit: availability }),
    ...(availability_stratum !== undefined && {
      availability_limit_stratum: availability_stratum,
    }),
    ...(direction_pairs_factor !== undefined && { direction_pairs_factor }),
  }
}
