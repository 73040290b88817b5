import { roughly } from '../contract/printable.js'
import { isBetween, type Rivals } from '../evaluation/result/readings.js'
import type { Result } from '../evaluation/result/result.js'
import {
  nearestSize,
  nearestVerdictSize,
  type ShareRange,
  type VerdictShares,
} from '../inference/measured-size.js'
import { counted, formatWhole, keepSentences, listed, percent } from '../output/figures.js'
import { leavesToPlan } from '../protocol/rules/bind.js'
import { laxerNumbers } from './lax.js'
import { registeredBefore } from './registrations.js'
import { comparatorsIn, groupedBy, isDecided, isHourlyCloses, methodIn, modelsIn } from './view.js'
import { farOffSaid, waitingMoved, waitingUnseen } from './waiting.js'
import { noSeriesWorse, seriesCautions, standInsSentence } from './window.js'

/** What a reader must know besides the figures, the same in every format. */

/**
 * What a registration allows and a reader must know, one sentence each. Sentences about what changed a number of this
 * evaluation come first.
 */
export function listCautions(result: Result): string[] {
  return keepSentences([
    ...implausible(result),
    registeredBefore(result),
    ...waitingMoved(result),
    farOffSaid(result),
    ...namesakes(result),
    chosenByPlan(result),
    standInsSentence(result),
    ownWord(result),
    laxerNumbers(result),
    ...seriesCautions(result),
    ...waitingUnseen(result),
    ...noSeriesWorse(result),
  ])
}

/** Further sentences are folded, because long lists are not read. */
const MOST_OPEN = 5

/** The first lines of every view of a result. */
export function beforeYouRead(result: Result): {
  readonly open: readonly string[]
  readonly folded: readonly string[]
} {
  const all = listCautions(result)
  const allowed = Math.min(MOST_OPEN, all.length - noSeriesWorse(result).length)
  return { open: all.slice(0, allowed), folded: all.slice(allowed) }
}

export const BEFORE_YOU_READ = 'Before you read this'

/** Candidates that were scored because of `--implausible`. */
function implausible({ implausible: candidates }: Result): string[] {
  return candidates.map(({ candidate, series, of, first }) => {
    const more =
      series > 1 ? ` (the first of ${formatWhole(series)} such series of ${formatWhole(of)})` : ''
    return `${candidate} was scored although its forecasts seem to be in another unit than the outcomes: those for ${first.series}${more} are about ${roughly(first.ratio)} times those of ${first.comparator}, the nearest required comparator.`
  })
}

/** Reports that only the candidate says when its forecasts were made; built-ins are computed from outcomes. */
function ownWord({ kind, time, settings }: Result) {
  const ofHistory = (of: readonly { readonly name: string; readonly source: string }[]) =>
    of.filter(({ source }) => source === 'history').map(({ name }) => name)
  const isOwn = ofHistory(settings.candidates).length > 0
  if (kind === 'backtest' || time?.commitment || !isOwn) return undefined
  const rivals = ofHistory(settings.comparators)
  const theirs =
    rivals.length === 0
      ? ''
      : `, and a comparator filled in afterwards (${listed(rivals)}) makes anybody look worse`
  return `Times are the candidate’s own word: no stamped log shows when its forecasts were there, nor what was known by then. Forecasts could be changed since or left out: of models without skill 10 to 30 in 100 end eligible once the worst twentieth is gone${theirs}.`
}

/** Comparators with the name of a built-in that are not built-ins. */
function namesakes(result: Result): string[] {
  const bars = isDecided(result) ? ', so that no candidate can be eligible by it' : ''
  return modelsIn(result).flatMap(({ name, role, source, required_as: names }) => {
    const builtIns = names.filter((of) => isBuiltIn(result, of))
    if (role !== 'comparator' || source === 'built_in' || builtIns.length === 0) return []
    return `The required ${listed(builtIns)} was not computed. The model ${name} of the history has its name and takes its place, and may be anything${bars}.`
  })
}

/** Whether the rules require a built-in by a name. */
const isBuiltIn = ({ settings }: Result, name: string) =>
  settings.rules.required.some((of) => of.name === name && 'built_in' in of.model) ||
  settings.rules.baselines.some(({ id }) => id === name)

/** Comparators that a protocol names without a rule: the plan says which model is meant. */
function chosenByPlan(result: Result): string | undefined {
  const { rules } = result.settings
  const isBuiltInName = (name: string) => rules.baselines.some(({ id }) => id === name)
  const names = leavesToPlan(rules) ? rules.required.map(({ name }) => name) : []
  const open = names.filter((name) => !isBuiltInName(name))
  const chosen = modelsIn(result).flatMap(({ name, source, required_as: names }) => {
    const what = source === 'history' ? `the model ${name} of the history` : `the rule ${name}`
    return names.flatMap((required) => (open.includes(required) ? `${required} is ${what}` : []))
  })
  if (chosen.length === 0) return undefined
  return `The protocol names a comparator without saying which model it is, and the plan chose: ${listed(chosen)}.`
}

/**
 * Comparators whose figures all equal those of another, such as a strongest simple one that was always persistence. A
 * test against one adds nothing to the test against the other. One sentence for each group of copies.
 */
export function listCopies(result: Result): string[] {
  const { measures } = result.reading
  const listFigures = (name: string) => measures.filter(({ model }) => model === name)
  // Without scored pairs there are no figures to compare.
  const scored = comparatorsIn(result).filter((of) =>
    listFigures(of).some(({ pairs }) => Object.values(pairs).some((count) => count > 0)),
  )
  const groups = groupedBy(scored, (of) =>
    JSON.stringify(listFigures(of).map(({ model: _, ...figures }) => figures)),
  )
  return [...groups.values()]
    .filter((names) => names.length > 1)
    .map(
      (names) =>
        `${listed(names)} have the same figures throughout: in this window they are copies, and a test against one is the test against ${names.length === 2 ? 'the other' : 'any other'}.`,
    )
}

/** What a candidate left out at one step of the keys with an outcome. */
export interface LeftOut {
  readonly step: number
  readonly notScored: number
  readonly of: number
  /** Whether it is more than the registration allows. */
  readonly beyond: boolean
}

/** The largest share that a candidate left out of a scope against a comparator, at the worst step. */
export function mostLeftOut(
  { reading, settings }: Result,
  rivals: Rivals,
  scope: string,
): LeftOut | undefined {
  const { availability, availability_stratum: ofPart } = settings.rules.limits
  const limit = scope === 'all' ? availability : ofPart
  return reading.differences
    .filter(isBetween(rivals))
    .filter((of) => of.scope === scope && of.with_outcome > 0)
    .map(({ step, with_outcome: of, shared, lost }) => {
      const notScored = of - shared - lost.comparator_not_scored
      return { step: step as number, notScored, of, beyond: notScored > limit * of }
    })
    .reduce<LeftOut | undefined>(
      (most, one) =>
        most === undefined || one.notScored / one.of > most.notScored / most.of ? one : most,
      undefined,
    )
}

/** Above this share a report explains what can be gained by silence. */
const TELLING = 0.05

/**
 * What silence can gain, if a registration allowed more than usual and the candidate used it: measured on real closes
 * with a model without skill (see docs/registration.md).
 */
export function gainOfSilence(result: Result, candidate: string): string | undefined {
  // It was measured on hourly closes.
  if (!isHourlyCloses(result)) return undefined
  const shares = comparatorsIn(result)
    .map((comparator) => mostLeftOut(result, { candidate, comparator }, 'all'))
    .map((most) => (most === undefined ? 0 : most.notScored / most.of))
  const share = Math.max(0, ...shares)
  if (share <= TELLING) return undefined
  return `It left out up to ${percent(share)} of the origins. Without any skill, a model that withholds the worst fifth of its forecasts can show a loss about 5 % lower, and with half of them withheld about 21 %.`
}

/** The measured rate of false rejections of the method, and the design it was measured in; of hourly closes only. */
export function measuredSizeIn(result: Result): string | undefined {
  if (!isHourlyCloses(result)) return undefined
  const blocks = Math.max(1, result.window.blocks)
  if (isDecided(result)) return verdictSizeIn(result, blocks)
  const size = nearestSize(methodIn(result), blocks)
  const long =
    size.week === undefined
      ? ''
      : `; where interval widths depend on each other for a week, something in ${range(size.week)}`
  return `where nothing was to be found, ${methodIn(result)} at 5 % with ${size.blocks} blocks of 24 hours, in a family of 522 tests against two comparators, rejected something in ${range(size.any)} of evaluations and a deciding test in ${range(size.deciding)}${long} (docs/statistics.md)`
}

/** The same for verdicts. Only for the measured design, because its rate does not apply to others. */
function verdictSizeIn({ settings }: Result, window: number): string {
  const count = settings.candidates.length
  const { blocks, candidates, usual, long } = nearestVerdictSize(window, Math.max(1, count))
  const shares = ({ eligible, negative }: VerdictShares) =>
    `${range(eligible)} were wrongly eligible and ${range(negative)} wrongly negative`
  return `in simulated evaluations of equally good forecasters (${counted(candidates, 'candidate')}, two comparators, horizons of 2, 4, 8 and 16 hours, ${blocks} blocks of 24 hours, no strata, α 5 % with the weights 0.6, 0.3 and 0.1), ${shares(usual)} where errors depend on each other for at most a week; ${shares(long)} where they do so for two weeks, or a forecaster is by turns 5 % better and worse for 10 or 30 days (docs/statistics.md)`
}

function range({ min: least, max: most }: ShareRange): string {
  const [from, to] = [percent(least), percent(most)]
  return from === to ? from : `${from} to ${to}`
}
