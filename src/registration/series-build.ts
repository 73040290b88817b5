import { formatUtc, type Instant } from '../contract/instant.js'
import type { SeriesPlan, SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesScale } from '../scoring/scales.js'
import { REGISTRATION_DIGEST, registeredComparators, registeredOutcomes } from './build.js'
import { familyDigest } from './family.js'
import { SERIES_INFERENCE, type SeriesFamilyBasis, seriesFamily } from './series-family.js'
import { groupsOf } from './series-plan-rules.js'
import { windowOrigins } from './series-window.js'

/**
 * The registration of a plan in which `seriesPlanFindings` found no error.
 * @param scales as `seriesScales` gives them; none where losses are not scaled.
 * @param scaledAt of which instant they are.
 */
export function buildSeriesRegistration(
  plan: SeriesPlan,
  protocol: SeriesProtocol,
  periods: PeriodList,
  scales: readonly SeriesScale[],
  now: Instant,
  scaledAt: Instant = now,
): SeriesRegistration {
  const { plan_version: _version, groups, window, comparators, outcomes, ...kept } = plan
  const basis = {
    window: { ...window, origins: windowOrigins(periods, window).length },
    candidates: plan.candidates,
    comparators: registeredComparators({ comparators }, protocol.comparisons.required),
    groups: groups === true ? groupsOf(protocol) : [],
  }
  const { name, description, mode, ...rest } = kept
  const registration = {
    registration_version: 2 as const,
    registration_sha256: '',
    name,
    ...(description !== undefined && { description }),
    registered_at: formatUtc(now),
    mode,
    protocol: { version: protocol.protocol_version, sha256: protocol.protocol_sha256 },
    ...basis,
    scales: [...scales],
    ...(scales.length > 0 && { scales_as_of: formatUtc(scaledAt) }),
    inference: SERIES_INFERENCE,
    ...rest,
    outcomes: registeredOutcomes(outcomes),
    ...familyMembers(basis, protocol, periods),
  }
  return { ...registration, registration_sha256: digestWithout(registration, REGISTRATION_DIGEST) }
}

/** What a registration says of its tests. */
export function familyMembers(
  basis: SeriesFamilyBasis,
  protocol: SeriesProtocol,
  periods: PeriodList,
): Pick<SeriesRegistration, 'family_size' | 'family_sha256' | 'family'> {
  const family = seriesFamily(basis, protocol, periods).map(({ name }) => name)
  return {
    family_size: family.length,
    family_sha256: familyDigest(family, SERIES_INFERENCE),
    family,
  }
}
