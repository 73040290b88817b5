import { checkedInstant, type Instant, instantOf, MICROS_PER_MINUTE } from '../contract/instant.js'
import type {
  Protocol,
  Registration,
  SeriesProtocol,
  SeriesRegistration,
} from '../contract/types.js'
import type { Vintage } from '../outcomes/types.js'
import { hourlyPlan } from '../pairing/hourly.js'
import { type SeriesSetting, seriesPlan } from '../pairing/series.js'
import type { CommitmentLookup, PairingPlan, Stratum } from '../pairing/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { hasVerdict } from '../registration/family.js'
import type { TruthVintage } from '../truth/vintage.js'

/** What an evaluation of hourly closes rests on, read and verified. */
export interface HourlyBasis {
  readonly registration: Registration
  readonly protocol: Protocol
  /** What matures after its last close cannot be known yet. */
  readonly vintage: Vintage
  /** The registered strata, each able to place an origin. */
  readonly strata: readonly Stratum[]
  /** What the log shows of the forecasts; there where they have to be committed. */
  readonly commitments?: CommitmentLookup | undefined
}

/** What may be asked of a pairing. */
export interface PlanChoices {
  /** First and last origin, both included; by default those of the registration or of the history. */
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  /** Targets after it have not matured; by default the last close of the vintage. */
  readonly asOf?: Instant | undefined
}

/** What the plan of a registration follows from. */
interface HourlyPlanBasis extends Omit<HourlyBasis, 'protocol' | 'vintage'> {
  readonly vintage: Pick<Vintage, 'first' | 'last' | 'closeAt'>
}

/** The plan of a registration: window, models, mode and provenance are its own, and its as-of is the latest one. */
export function hourlyEvaluationPlan(
  { registration, vintage, strata, commitments }: HourlyPlanBasis,
  asOf: Instant = vintage.last,
): PairingPlan {
  const { window, publication_lag_minutes: minutes } = registration
  const plan = {
    horizons: registration.horizons_hours,
    strata,
    from: checkedInstant(window.from),
    to: checkedInstant(window.to),
    models: modelsOf(registration),
    asOf: Math.min(checkedInstant(registration.as_of), asOf),
    mode: registration.mode,
    registeredAt: checkedInstant(registration.registered_at),
    // Earlier registrations have no lag.
    ...(minutes !== undefined && { publicationLag: minutes * MICROS_PER_MINUTE }),
    ...(commitments && { commitment: commitments }),
    provenanceRequired: registration.provenance_required,
    builtIn: new Set(modelsOf(registration, 'built_in')),
    forVerdict: hasVerdict(registration),
  }
  return hourlyPlan(plan, vintage)
}

/** The plan of a history as it is: without a registration all of it is a backtest. */
export function hourlyHistoryPlan(
  {
    protocol,
    vintage,
    models,
  }: Pick<HourlyBasis, 'protocol' | 'vintage'> & Pick<PairingPlan, 'models'>,
  window: Pick<PairingPlan, 'from' | 'to'>,
  asOf: Instant = vintage.last,
): PairingPlan {
  const mode = 'backtest' as const
  const { horizons_hours: horizons } = protocol
  const plan = { ...window, horizons, models, asOf, mode, provenanceRequired: false }
  return hourlyPlan(plan, vintage)
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
