import { checkedInstant, type Instant, instantOf } from '../contract/instant.js'
import type { SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import { seriesOrigins, seriesPlan } from '../pairing/series.js'
import type { PairingPlan } from '../pairing/types.js'
import type { PeriodList } from '../periods/list.js'
import { seriesTimes } from '../periods/series-times.js'
import type { TruthVintage } from '../truth/vintage.js'
import { modelsOf } from './plan.js'
import type { SeriesTaskBasis } from './series-infer.js'

/** The labels of the origins of a window, in order. */
export function seriesOriginLabels(
  { window }: SeriesRegistration,
  protocol: SeriesProtocol,
  periods: PeriodList,
): string[] {
  const place = (label: string) => periods.findIndex((period) => period.label === label)
  const times = seriesTimes(protocol, periods)
  const origins = seriesOrigins(times, place(window.from), place(window.to))
  return Array.from({ length: origins.count }, (_, at) => periods[origins.placeOf(at)]?.label ?? '')
}

/** Up to when outcomes have all that counts. */
export const knownTo = ({ manifest }: TruthVintage): Instant => instantOf(manifest.complete_to) ?? 0

/** The plan of a registration under a protocol of version 2. */
export function seriesEvaluationPlan(basis: SeriesTaskBasis): PairingPlan {
  const { registration, periods, commitments, vintage } = basis
  const place = (label: string) => periods.findIndex((period) => period.label === label)
  return seriesPlan(
    {
      from: place(registration.window.from),
      to: place(registration.window.to),
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
