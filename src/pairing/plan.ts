import { ForeproofError } from '../contract/error.js'
import { checkedInstant, formatUtc, type Instant } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { PairingPlan, Stratum } from './types.js'

/** What a plan follows from: a registration, or what the user asks of a history as it is. */
export interface PlanBasis {
  readonly protocol: Pick<Protocol, 'horizons_hours'>
  /** Last close of the vintage: what matures later cannot be known yet. */
  readonly lastClose: Instant
  readonly registration?: Registration
  /** First and last origin of the history; absent when it is empty. */
  readonly extent?: { readonly firstOrigin: Instant; readonly lastOrigin: Instant }
  /** Models of the history, where the user names none. */
  readonly models: readonly string[]
  readonly from?: Instant
  readonly to?: Instant
  readonly asOf?: Instant
  readonly provenanceRequired?: boolean
  readonly strata?: readonly Stratum[]
}

/**
 * The plan of a pairing. With a registration, window, models, mode and provenance are its own, and
 * its as-of is the latest one; without, the window is the one given or that of the history, and the
 * evaluation is retrospective.
 * @throws {ForeproofError} `usage` for a window beside a registration; `invalid-input` for none.
 */
export function planOf(basis: PlanBasis): PairingPlan {
  const { registration, lastClose } = basis
  const strata = basis.strata === undefined ? {} : { strata: basis.strata }
  const horizons = basis.protocol.horizons_hours
  if (registration === undefined) {
    const { from, to } = windowOf(basis)
    return {
      from,
      to,
      models: basis.models,
      horizons,
      asOf: basis.asOf ?? lastClose,
      mode: 'retrospective',
      provenanceRequired: basis.provenanceRequired ?? false,
      ...strata,
    }
  }
  if (basis.from !== undefined || basis.to !== undefined) {
    throw new ForeproofError('usage', 'the window of a registration cannot be changed', {
      help: 'Leave out --from and --to, or the registration.',
    })
  }
  const latest = checkedInstant(registration.as_of)
  return {
    from: checkedInstant(registration.window.from),
    to: checkedInstant(registration.window.to),
    models: historyModels(registration),
    horizons,
    asOf: Math.min(latest, basis.asOf ?? lastClose),
    mode: registration.mode,
    registeredAt: checkedInstant(registration.registered_at),
    provenanceRequired: registration.provenance_required || (basis.provenanceRequired ?? false),
    ...strata,
  }
}

/** Candidates and comparators that a forecast history has to hold; built-in rules need none. */
export function historyModels(
  registration: Pick<Registration, 'candidates' | 'comparators'>,
): string[] {
  const all = [...registration.candidates, ...registration.comparators]
  const names = all.filter(({ source }) => source === 'history').map(({ name }) => name)
  return [...new Set(names)]
}

function windowOf({ from, to, extent }: PlanBasis): { from: Instant; to: Instant } {
  const first = from ?? extent?.firstOrigin
  const last = to ?? extent?.lastOrigin
  if (first === undefined || last === undefined) {
    throw new ForeproofError('invalid-input', 'the history holds no forecast and no attempt', {
      help: 'Import some with foreproof history import, or give the window with --from and --to.',
    })
  }
  if (first <= last) return { from: first, to: last }
  const says = `the window ends (${formatUtc(last)}) before it begins (${formatUtc(first)})`
  throw new ForeproofError('usage', says, { help: 'Check --from and --to.' })
}
