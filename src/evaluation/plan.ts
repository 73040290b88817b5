import { checkedInstant, type Instant, parseInstant } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { createPairingPlan, originsAt } from '../pairing/make-plan.js'
import type { CommitmentLookup, PairingPlan, Stratum } from '../pairing/plan.js'
import type { PeriodList } from '../periods/list.js'
import { hasHypotheses } from '../protocol/rules/bind.js'
import type { Rules } from '../protocol/rules/compile.js'
import type { TooLax } from '../protocol/rules/lax.js'
import { seriesStrata } from '../registration/strata.js'
import { isReadTwice } from '../registration/time-rules.js'
import type { Vintage } from '../truth/closes/vintage.js'
import type { TruthVintage } from '../truth/releases-vintage.js'
import type { SeriesTruth } from '../truth/series-truth.js'
import type { PairingTruth } from '../truth/shown-values.js'

/** What an evaluation is judged by. */
export interface EvaluationBasis {
  readonly registration: Registration
  /** Those of the registration, with the alpha that is left. */
  readonly rules: Rules
  /** Numbers of the protocol itself, before a plan tightens them, that are so lax that no candidate is eligible. */
  readonly tooLax: readonly TooLax[]
}

/** What an evaluation of hourly closes rests on, read and verified. */
export interface HourlyBasis extends EvaluationBasis {
  /** Outcomes after its last close cannot be known yet. */
  readonly vintage: Vintage
  /** The registered strata, each able to place an origin. */
  readonly strata: readonly Stratum[]
  /** What the log shows about the forecasts; only if they must be committed. */
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
interface HourlyPlanBasis extends Omit<HourlyBasis, 'vintage'> {
  readonly truth: PairingTruth
}

/** The plan of a registration: window, models, mode and provenance are its own, and nothing counts that is settled later. */
export function hourlyEvaluationPlan(
  { registration, rules, truth, strata, commitments }: Omit<HourlyPlanBasis, 'tooLax'>,
  asOf: Instant = Number.POSITIVE_INFINITY,
): PairingPlan {
  const { window } = registration
  const plan = createPairingPlan(rules, truth, {
    ...registeredOptions(registration, commitments),
    strata,
    from: rules.calendar.position(window.from),
    to: rules.calendar.position(window.to),
    asOf: Math.min(checkedInstant(window.last_settled ?? ''), asOf),
    forVerdict: hasHypotheses(rules),
  })
  // Tests of one series name its cells by their horizons.
  return { ...plan, cells: plan.cells.map((cell) => ({ ...cell, id: cell.horizon })) }
}

/** What every plan takes from its registration. */
function registeredOptions(registration: Registration, commitments: CommitmentLookup | undefined) {
  return {
    models: registeredModels(registration),
    mode: registration.mode,
    registeredAt: checkedInstant(registration.registered_at),
    ...(commitments && { commitment: commitments }),
    provenanceRequired: registration.provenance_required,
    isReadTwice: isReadTwice(registration),
    builtIn: new Set(registeredModels(registration, 'built_in')),
  }
}

/** Pairing without a registration: a backtest of everything. */
export const backtestOptions = (models: readonly string[]) => ({
  ...{ models, mode: 'backtest' as const, provenanceRequired: false },
})

/** Names of the models of a registration, candidates first; all, or those of one source. */
export function registeredModels(
  { candidates, comparators }: Pick<Registration, 'candidates' | 'comparators'>,
  source?: 'history' | 'built_in',
): string[] {
  const all = [...candidates, ...comparators]
  const meant = all.filter((model) => source === undefined || model.source === source)
  return [...new Set(meant.map(({ name }) => name))]
}

/** What an evaluation of any series is judged by. */
export interface SeriesBasis extends EvaluationBasis {
  readonly periods: PeriodList
  /** The scored origins of the window, ascending: positions in the list. */
  readonly origins: readonly number[]
}

/** What an evaluation of any series rests on, read and verified. */
export interface SeriesTaskBasis extends SeriesBasis {
  readonly truth: SeriesTruth
  readonly vintage: TruthVintage
  /** What the log shows about the forecasts; only if they must be committed. */
  readonly commitments?: CommitmentLookup | undefined
}

/** Until when the outcomes are complete. */
export const knownTo = ({ manifest }: TruthVintage): Instant =>
  parseInstant(manifest.complete_to) ?? 0

/** The plan of a registration under a protocol of version 2. */
export function seriesEvaluationPlan(
  basis: Omit<SeriesTaskBasis, 'vintage' | 'truth' | 'tooLax'>,
  truth: PairingTruth,
  asOf: Instant,
): PairingPlan {
  const { registration, origins, commitments, rules } = basis
  return createPairingPlan(rules, truth, {
    ...registeredOptions(registration, commitments),
    from: origins[0] as number,
    to: origins.at(-1) as number,
    origins: originsAt(origins),
    strata: seriesStrata(rules, truth),
    asOf,
    forVerdict: true,
  })
}
