import { isBaselineName } from '../contract/baseline-names.js'
import { roughly } from '../contract/printable.js'
import type { Scorer } from '../contract/types.js'
import { isBetween, type Rivals } from '../evaluation/result/readings.js'
import type { AnyResult, EvaluationResult, ResultStratum } from '../evaluation/result/types.js'
import {
  nearestSize,
  nearestVerdictSize,
  type ShareRange,
  type VerdictShares,
} from '../inference/measured-size.js'
import { counted, keepSentences, listed, percent, whole } from '../output/figures.js'
import { hasVerdict } from '../registration/family.js'
import { statementsOf } from '../registration/scorer/scorer.js'
import { isReadTwice } from '../registration/time-rules.js'
import { laxerNumbers } from './lax.js'
import { registeredBefore } from './registrations.js'
import { noSeriesWorse, seriesCautions, standIns } from './series/words.js'
import {
  comparatorsOf,
  groupedBy,
  type LeftOut,
  methodOf,
  modeOf,
  mostOf,
  sameStratum,
} from './view.js'
import { farOffSaid, waitingMoved, waitingUnseen } from './waiting.js'

/** What a reader must know besides the figures, the same in every format. */

/**
 * What a registration allows and a reader must know, one sentence each. Sentences about what changed a number of this
 * evaluation come first.
 */
export function cautionsOf(result: AnyResult): string[] {
  const isHourly = result.result_version === 1
  const moved = [
    ...implausible(result),
    registeredBefore(result),
    ...waitingMoved(result),
    farOffSaid(result),
    ...(isHourly ? [...namesakes(result), chosenByPlan(result)] : [standIns(result)]),
  ]
  const others = [ownWord(result), laxerNumbers(result)]
  return keepSentences([
    ...moved,
    ...others,
    ...(isHourly ? [readOnce(result)] : seriesCautions(result)),
    ...waitingUnseen(result),
    ...noSeriesWorse(result),
  ])
}

/** Further sentences are folded, because long lists are not read. */
const MOST_OPEN = 5

/** The first lines of every view of a result. */
export function beforeYouRead(result: AnyResult): {
  readonly open: readonly string[]
  readonly folded: readonly string[]
} {
  const all = cautionsOf(result)
  const most = Math.min(MOST_OPEN, all.length - noSeriesWorse(result).length)
  return { open: all.slice(0, most), folded: all.slice(most) }
}

export const BEFORE_YOU_READ = 'Before you read this'

/** Candidates that were scored because of `--implausible`. */
function implausible({ implausible: found = [] }: AnyResult): string[] {
  return found.map(({ candidate, series, of, first }) => {
    const more = series > 1 ? ` (the first of ${whole(series)} such series of ${whole(of)})` : ''
    return `${candidate} was scored although its forecasts seem to be in another unit than the outcomes: those for ${first.series}${more} are about ${roughly(first.ratio)} times those of ${first.comparator}, the nearest required comparator.`
  })
}

/** Reports a registration of witnessed forecasts without the second reading, because it is older or left it out. */
function readOnce({ time, scorer }: EvaluationResult) {
  if (!time?.commitment?.witnessed) return undefined
  if (isReadTwice({ commitment: 'witnessed', scorer })) return undefined
  return 'The registration states no second reading: forecasts that were committed late or not at all are left out. Who deletes cosignatures or tokens of those that came out badly gains by it.'
}

/** Reports that only the candidate says when its forecasts were made; built-ins are computed from closes. */
function ownWord({ kind, time, models }: AnyResult) {
  const forecasts = models.some(({ role, source }) => role === 'candidate' && source === 'history')
  if (kind === 'backtest' || time?.commitment || !forecasts) return undefined
  const rivals = models.flatMap(({ name, role, source }) =>
    role === 'comparator' && source === 'history' ? [name] : [],
  )
  const theirs =
    rivals.length === 0
      ? ''
      : ` Nor does one for ${listed(rivals)}: who fills in a comparator afterwards makes anybody look worse.`
  return `Times are the candidate’s own word: no commitment to a stamped log shows when its forecasts were there, nor what was known by then. Forecasts could be changed since, or left out: of models without skill 10 to 30 in 100 end eligible once the twentieth that is worst is gone.${theirs}`
}

/** Comparators with the name of a built-in that are not built-ins. */
function namesakes(result: EvaluationResult) {
  const bars = hasVerdict(result.settings) ? ', so that no candidate can be eligible by it' : ''
  return result.models
    .filter(({ role, source }) => role === 'comparator' && source === 'history')
    .map(({ name, required_as: names }) => {
      const builtIns = names.filter(isBaselineName)
      if (builtIns.length === 0) return undefined
      return `What is required as ${listed(builtIns)}, the name of a built-in rule, was not computed: the model ${name} of the history takes its place, and may be anything${bars}.`
    })
}

/** Comparators that a protocol names without a rule: the plan says which model is meant. */
function chosenByPlan({ models }: EvaluationResult) {
  const chosen = models.flatMap(({ name, role, source, required_as: names }) => {
    const open = names.filter((required) => role === 'comparator' && !isBaselineName(required))
    const what = source === 'history' ? `the model ${name} of the history` : `the rule ${name}`
    return open.map((required) => `${required} is ${what}`)
  })
  if (chosen.length === 0) return undefined
  return `The protocol names a comparator without saying which model it is, and the plan chose: ${listed(chosen)}.`
}

/**
 * Comparators whose figures all equal those of another, such as a strongest simple one that was always persistence. A
 * test against one adds nothing to the test against the other. One sentence for each group of copies.
 */
export function copiesOf(result: AnyResult): string[] {
  const figuresOf = (name: string) =>
    (result.measures as readonly AnyResult['measures'][number][]).filter(
      ({ model }) => model === name,
    )
  // Without scored pairs there are no figures to compare.
  const hasPairs = ({ pairs }: AnyResult['measures'][number]) =>
    Object.values(typeof pairs === 'number' ? [pairs] : pairs).some((count) => count > 0)
  const scored = comparatorsOf(result).filter((of) => figuresOf(of).some(hasPairs))
  const groups = groupedBy(scored, (of) =>
    JSON.stringify(figuresOf(of).map(({ model: _, ...figures }) => figures)),
  )
  return [...groups.values()]
    .filter((names) => names.length > 1)
    .map(
      (names) =>
        `${listed(names)} have the same figures throughout: in this window they are copies, and a test against one is the test against ${names.length === 2 ? 'the other' : 'any other'}.`,
    )
}

/** The largest share that a candidate left out at one horizon, and whether it exceeds the limit of the registration. */
export function mostLeftOut(
  result: EvaluationResult,
  rivals: Rivals,
  stratum: ResultStratum,
): (LeftOut & { readonly beyond: boolean }) | undefined {
  const { availability_limit: all = 1, availability_limit_stratum: level = 1 } = result.settings
  const limit = stratum === 'all' ? all : level
  const cells = result.shared_keys
    .filter(isBetween(rivals))
    .filter((cell) => sameStratum(cell.stratum, stratum))
  const most = mostOf(cells, hasVerdict(result.settings))
  return most && { ...most, beyond: most.notScored > limit * most.origins }
}

/** Above this share a report explains what can be gained by silence. */
const TELLING = 0.05

/**
 * What silence can gain, if a registration allowed more than usual and the candidate used it: measured on real closes
 * with a model without skill (see docs/registration.md).
 */
export function gainOfSilence(result: AnyResult, candidate: string): string | undefined {
  // It was measured on hourly closes.
  if (result.result_version === 2) return undefined
  const shares = comparatorsOf(result)
    .map((comparator) => mostLeftOut(result, { candidate, comparator }, 'all'))
    .map((most) => (most === undefined ? 0 : most.notScored / most.origins))
  const share = Math.max(0, ...shares)
  if (share <= TELLING) return undefined
  return `It left out up to ${percent(share)} of the origins. A model without any skill that withholds the fifth of its forecasts that goes wrong can show a loss about 5 % lower, and with half of them withheld about 21 %: an improvement of this size may be silence.`
}

/** The measured rate of false rejections of the method, and the design it was measured in. */
export function measuredSizeIn(result: EvaluationResult): string {
  const method = methodOf(result)
  const window = Math.max(1, result.settings.blocks_in_window)
  if (hasVerdict(result.settings)) return verdictSizeIn(result, window)
  const { blocks, any, deciding, week } = nearestSize(method, window)
  const long =
    week === undefined
      ? ''
      : `; where interval widths remember for a week, something in ${range(week)}`
  return `where nothing was to be found, ${method} at 5 % with ${blocks} blocks of 24 hours, in a family of 522 tests against two comparators, rejected something in ${range(any)} of evaluations and a deciding test in ${range(deciding)}${long} (docs/statistics.md)`
}

/** The same for verdicts. Only for the measured design, because its rate does not apply to others. */
function verdictSizeIn({ models }: EvaluationResult, window: number): string {
  const own = models.filter(({ role }) => role === 'candidate').length
  const { blocks, candidates, usual, long } = nearestVerdictSize(window, Math.max(1, own))
  const shares = ({ eligible, negative }: VerdictShares) =>
    `in ${range(eligible)} of evaluations eligible and in ${range(negative)} negative`
  return `where forecasters were equal (${counted(candidates, 'candidate')}, two comparators, horizons of 2, 4, 8 and 16 hours, ${blocks} blocks of 24 hours, no strata, α 5 % with the weights 0.6, 0.3 and 0.1), a candidate was wrongly found ${shares(usual)} while errors remember for a week at most; ${shares(long)} where they remember for two weeks, or where a forecaster is by turns 5 % better and worse for 10 or 30 days (docs/statistics.md)`
}

function range({ least, most }: ShareRange): string {
  const [from, to] = [percent(least), percent(most)]
  return from === to ? from : `${from} to ${to}`
}

/**
 * What the scorer computed: as the result states it or, for older registrations, from the numbers in the result. The
 * pool of `strongest_simple` and the definitions of strata are not included.
 */
export function scorerIn(result: EvaluationResult): Pick<Scorer, 'computes'> {
  const { scorer, settings, models, family } = result
  if (scorer !== undefined) return { computes: [...scorer.computes] }
  const builtIns = models.filter(({ source }) => source === 'built_in').map(({ name }) => name)
  const basis = { mode: modeOf(result), settings, family_size: family.size, builtIns, strata: [] }
  return statementsOf(basis, 1)
}
