import { ForeproofError } from '../contract/error.js'
import {
  checkedInstant,
  formatUtc,
  type Instant,
  instantOf,
  MICROS_PER_MINUTE,
} from '../contract/instant.js'
import type {
  Protocol,
  Registration,
  SeriesProtocol,
  SeriesRegistration,
} from '../contract/types.js'
import { type CloseLookup, hourlyPlan } from '../pairing/hourly.js'
import { type SeriesSetting, seriesPlan } from '../pairing/series.js'
import type { CommitmentLookup, PairingPlan, Stratum } from '../pairing/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { hasVerdict } from '../registration/family.js'
import type { TruthVintage } from '../truth/vintage.js'

/** What a plan follows from: a registration, or what the user asks of a history as it is. */
export interface PlanBasis {
  readonly protocol: Pick<Protocol, 'horizons_hours'>
  /** What matures after its last close cannot be known yet. */
  readonly vintage: CloseLookup & { readonly last: Instant }
  readonly registration?: Registration
  /** What the log shows, where the registration asks for commitments. */
  readonly commitments?: CommitmentLookup | undefined
  /** True where the forecasts of built-in models are computed, and so expected like all others. */
  readonly builtInsComputed?: boolean
  /** First and last origin of the history; absent when it is empty. */
  readonly extent?: { readonly firstOrigin: Instant; readonly lastOrigin: Instant } | undefined
  /** Models of the history, where the user names none; those of a registration are its own. */
  readonly models?: readonly string[]
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  readonly asOf?: Instant | undefined
  readonly provenanceRequired?: boolean
  readonly strata?: readonly Stratum[]
}

/**
 * The plan of a pairing. With a registration, window, models, mode and provenance are its own, and
 * its as-of is the latest one; without, the window is the one given or that of the history, and the
 * evaluation is retrospective.
 * @throws {ForeproofError} `usage` for a window beside a registration; `invalid-input` for none.
 */
export function pairingPlan(basis: PlanBasis): PairingPlan {
  const { registration, vintage, provenanceRequired = false, strata = [] } = basis
  const asOf = basis.asOf ?? vintage.last
  const { horizons_hours: horizons } = registration ?? basis.protocol
  const common = { horizons, strata }
  if (registration === undefined) {
    const { models = [] } = basis
    const mode = 'retrospective'
    const plan = { ...common, ...windowOf(basis), models, asOf, mode, provenanceRequired } as const
    return hourlyPlan(plan, vintage)
  }
  if (basis.from !== undefined || basis.to !== undefined) {
    throw new ForeproofError('usage', 'the window of a registration cannot be changed', {
      help: 'Leave out --from and --to, or the registration.',
    })
  }
  const builtIn = new Set(modelsOf(registration, 'built_in'))
  const expected = basis.builtInsComputed
    ? modelsOf(registration)
    : modelsOf(registration, 'history')
  const plan = {
    ...common,
    from: checkedInstant(registration.window.from),
    to: checkedInstant(registration.window.to),
    models: expected,
    asOf: Math.min(checkedInstant(registration.as_of), asOf),
    mode: registration.mode,
    registeredAt: checkedInstant(registration.registered_at),
    ...publicationLagOf(registration),
    ...(basis.commitments && { commitment: basis.commitments }),
    provenanceRequired: registration.provenance_required || provenanceRequired,
    builtIn,
    forVerdict: hasVerdict(registration),
  }
  return hourlyPlan(plan, vintage)
}

/** In microseconds; nothing where a registration was made before there was a lag to register. */
function publicationLagOf({ publication_lag_minutes: minutes }: Registration) {
  return minutes === undefined ? {} : { publicationLag: minutes * MICROS_PER_MINUTE }
}

/** Names of the models of a registration, candidates first; all, or those of one source. */
export function modelsOf(
  { candidates, comparators }: Pick<Registration, 'candidates' | 'comparators'>,
  source?: 'history' | 'built_in',
): string[] {
  const all = [...candidates, ...comparators]
  const meant = all.filter((model) => source === undefined || model.source === source)
  return [...new Set(meant.map(({ name }) => name))]
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
