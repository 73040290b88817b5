import type { Protocol, Registration } from '../contract/types.js'
import { ewcNumbers } from './ewc-numbers.js'
import type { TextRule } from './types.js'

/** What the texts about tests, intervals and multiplicity may name. @param cosine true for `ewc-t`. */
export function uncertaintyRules(
  protocol: Protocol,
  registration: Registration | undefined,
  cosine: boolean,
): TextRule[] {
  const { uncertainty, estimands, horizons_hours: horizons, sampling } = protocol
  const { replicates, seed, block_length_origins: block, multiplicity } = uncertainty
  const { alpha } = multiplicity
  const window = registration === undefined ? [] : [registration.window.origins]
  const family = registration === undefined ? [] : [registration.family_size]
  const minimum = sampling.minimum_effective_sample
  const ewc = cosine ? ewcNumbers(block, registration) : undefined
  const draws = {
    replicates: [replicates],
    block_length_origins: [block],
    seed: [seed],
    ...ewc?.uses,
  }
  const also = [
    ...(ewc?.also ?? []),
    ...[...horizons, ...window, ...family, alpha, 1 - alpha, alpha / 2, 1 - alpha / 2],
    ...[2, replicates + 1, minimum.paired_origins_per_horizon],
    minimum.effective_independent_blocks_per_comparison,
  ]
  const at = '/uncertainty'
  return [
    { pointer: `${at}/method`, text: uncertainty.method, uses: draws, also },
    {
      pointer: '/estimands/interval/bootstrap',
      text: estimands.interval.bootstrap,
      uses: draws,
      also: [...also, ...estimands.interval.quantiles, 0.8, 0.2],
    },
    {
      pointer: `${at}/overlap_rule`,
      text: uncertainty.overlap_rule,
      uses: { block_length_origins: [block], horizons },
      // Of h hours, two neighbouring targets share h - 1.
      also: [...horizons.map((horizon) => horizon - 1), ...(ewc?.also ?? [])],
    },
    {
      pointer: `${at}/interval`,
      text: uncertainty.interval,
      uses: { alpha: [alpha], replicates: [replicates], ...ewc?.uses },
      also,
    },
    {
      pointer: `${at}/multiplicity/registered_test_family`,
      text: multiplicity.registered_test_family,
      uses: {
        replicates: [replicates],
        quantiles: [...estimands.interval.quantiles],
        horizons,
        ...ewc?.uses,
      },
      also,
    },
    {
      pointer: `${at}/multiplicity/failure_handling`,
      text: multiplicity.failure_handling,
      uses: { alpha: [alpha], ...ewc?.uses },
      also,
    },
  ]
}
