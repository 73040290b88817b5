import { checkedInstant, type Instant, instantOf } from '../contract/instant.js'
import type { SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import { type SeriesSetting, seriesPlan } from '../pairing/series.js'
import type { CommitmentLookup, PairingPlan } from '../pairing/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import type { TruthVintage } from '../truth/vintage.js'
import { modelsOf } from './plan.js'

/** What an evaluation of any series is judged by. */
export interface SeriesBasis {
  readonly registration: SeriesRegistration
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
  readonly times: SeriesTimes
  /** Those of the window that are scored, ascending: positions in the list. */
  readonly origins: readonly number[]
}

/** What an evaluation of any series rests on, read and verified. */
export interface SeriesTaskBasis extends SeriesBasis, SeriesSetting {
  readonly vintage: TruthVintage
  /** What the log shows of the forecasts; there where they have to be committed. */
  readonly commitments?: CommitmentLookup | undefined
}

/** Up to when outcomes have all that counts. */
export const knownTo = ({ manifest }: TruthVintage): Instant => instantOf(manifest.complete_to) ?? 0

/** The plan of a registration under a protocol of version 2. */
export function seriesEvaluationPlan(basis: SeriesTaskBasis): PairingPlan {
  const { registration, origins, commitments, vintage } = basis
  return seriesPlan(
    {
      from: origins[0] as number,
      to: origins.at(-1) as number,
      models: modelsOf(registration),
      mode: registration.mode,
      asOf: knownTo(vintage),
      registeredAt: checkedInstant(registration.registered_at),
      ...(commitments && { commitment: commitments }),
      provenanceRequired: registration.provenance_required,
      builtIn: new Set(modelsOf(registration, 'built_in')),
    },
    basis,
  )
}
