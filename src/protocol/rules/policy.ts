import { decidingTail, timesSeldom } from '../../contract/deciding-tail.js'
import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import type { RulesData, SeriesProtocol } from '../../contract/types.js'
import type { Document } from '../../document/read.js'
import type { PeriodList } from '../../periods/list.js'
import type { Season } from '../../periods/seasons.js'
import { MOST_WAITING } from '../../periods/waiting.js'
import { isSeriesProtocol } from './check.js'
import { compileRules, type Rules } from './compile.js'
import { compileSeries } from './compile-series.js'
import { computeWaiting } from './expected-waiting.js'
import { beyondBounds, pickStrictNumbers, STRICT_NUMBERS } from './lax.js'
import { askedSeasons, missingStandard } from './standard.js'

type PolicyArgs = ArgsOf<'series-policy'>

const refused = (
  pointer: string,
  fault: PolicyArgs['fault'],
  found: unknown,
  bound: unknown = '',
) => finding('series-policy', { fault, found: String(found), bound: String(bound) }, { pointer })

/**
 * The reasons why a sound protocol is too lax for verdicts. Checked whenever one is frozen, linted, registered under or
 * scored by; `verify` and the gate only check soundness. The schema of version 1 leaves its numbers free.
 * @param periods - for a protocol of version 2.
 */
export function checkPolicy(
  { value }: Pick<Document, 'value'>,
  periods: PeriodList = [],
): Finding[] {
  if (!isSeriesProtocol(value)) return []
  const protocol = value as SeriesProtocol
  const rules = compileSeries(protocol)
  return [
    ...policyFindings(rules),
    ...standardFindings(rules, askedSeasons(rules, periods)),
    ...waitingFindings(compileRules(protocol, periods), periods),
  ]
}

/** With pointers into the document. */
function policyFindings(rules: RulesData): Finding[] {
  return [
    ...domainFindings(rules),
    ...limitFindings(rules),
    ...levelFindings(rules),
    ...errorFindings(rules),
    ...missFindings(rules),
  ]
}

/**
 * Reports a list in which forecasts are due so late that most of the loss of persistence is already over; it names
 * steps that would work.
 */
function waitingFindings(rules: Rules, periods: PeriodList): Finding[] {
  const origins = [...periods.keys()].filter((at) => rules.targetsAt(at).length > 0)
  if (origins.length === 0) return []
  const { worth } = computeWaiting(rules, origins)
  if (worth <= MOST_WAITING) return []
  const ofStep = (step: number) => {
    const used = origins.filter((at) => periods[at + step] !== undefined)
    return used.length === 0 ? 1 : computeWaiting({ ...rules, targetsAt: () => [step] }, used).worth
  }
  const longest = Math.min(periods.length - 1, MOST_STEPS)
  const enough = Array.from({ length: longest }, (_, at) => at + 1).find(
    (step) => ofStep(step) <= MOST_WAITING,
  )
  const found = `${(100 * worth).toFixed(0)} %`
  return [refused('/origins/due', 'waiting', found, enough ?? 'none of this list')]
}

/** How many later steps to try for a suggestion. */
const MOST_STEPS = 200

/**
 * A transform that is undefined for some allowed value would leave forecasts without a loss, and origins without a
 * level.
 */
function domainFindings({ scores, strata, forecast }: RulesData): Finding[] {
  const minimum = forecast.minimum ?? Number.NEGATIVE_INFINITY
  const minimumText = forecast.minimum ?? 'none'
  const transforms = [
    ...scores.map(({ transform }, at) => [`/scores/${at}/transform`, transform] as const),
    ...strata.flatMap((of, at) =>
      of.by === 'past_volatility' ? [[`/strata/${at}/transform`, of.transform] as const] : [],
    ),
  ]
  return transforms.flatMap(([pointer, { kind, offset }]) => {
    if (kind === 'log' && !(minimum > 0)) return [refused(pointer, 'log', minimumText)]
    if (kind === 'sqrt' && !(minimum >= 0)) return [refused(pointer, 'sqrt', minimumText)]
    const sum = minimum + Number(offset ?? 0)
    if (kind === 'log_shift' && !(sum > 0))
      return [refused(pointer, 'log-shift', minimumText, offset)]
    return []
  })
}

function limitFindings(rules: RulesData): Finding[] {
  return beyondBounds(pickStrictNumbers(rules)).map(({ name, found, bound }) => {
    const { at, laxer } = STRICT_NUMBERS[name]
    return refused(at[2], laxer === 'more' ? 'most' : 'least', found, bound)
  })
}

/** Levels closer together cannot be distinguished in tables that store levels as numbers. */
const LEAST_DISTANCE = 2e-6

function levelFindings({ forecast: { levels } }: RulesData): Finding[] {
  return levels.flatMap((level, at) => {
    const before = levels[at - 1]
    // Tolerates rounding, which may make an exact distance a little smaller.
    if (before === undefined || Number(level) - Number(before) > LEAST_DISTANCE - 1e-12) return []
    return [refused(`/forecast/levels/${at}`, 'near', level, before)]
  })
}

const LEAST_ERRORS = { window: 50, minimum: 20 }
/** No baseline has to wait for more errors, unless an extreme level decides. */
const MOST_AWAITED = 100

/**
 * Quantiles from few errors are beaten by any forecast with well-set quantiles; the more extreme the level, the more
 * errors are needed. But a baseline that waits for many errors abstains, and is then not compared.
 */
function errorFindings(rules: RulesData): Finding[] {
  const needed = leastErrors(rules)
  const limit = Math.max(MOST_AWAITED, needed.window)
  return rules.baselines.flatMap(({ errors }, at) => {
    if (errors === null) return []
    const { minimum } = errors
    const refuse = (name: string, fault: PolicyArgs['fault'], found: number, bound: number) =>
      refused(`/baselines/${at}/errors/${name}`, fault, found, bound)
    return [
      ...(['window', 'minimum'] as const).flatMap((name) =>
        errors[name] < needed[name] ? [refuse(name, 'errors', errors[name], needed[name])] : [],
      ),
      ...(minimum > limit ? [refuse('minimum', 'many', minimum, limit)] : []),
    ]
  })
}

export function leastErrors(rules: Pick<RulesData, 'scores' | 'forecast'>): typeof LEAST_ERRORS {
  const tail = decidingTail(rules)
  return {
    window: Math.max(LEAST_ERRORS.window, timesSeldom(2, tail)),
    minimum: Math.max(LEAST_ERRORS.minimum, timesSeldom(1, tail)),
  }
}

/** The expected misses that a cell needs: a narrower interval gains at once, and loses only when it misses. */
const LEAST_MISSES = 4

function missFindings(rules: RulesData): Finding[] {
  const { minimum_pairs: found } = rules.dependence
  const minimum = timesSeldom(LEAST_MISSES, decidingTail(rules))
  const pointer = '/dependence/minimum_pairs'
  return found < minimum ? [refused(pointer, 'pairs', found, minimum)] : []
}

/**
 * Standard comparators that are not required: a candidate that beats what a protocol chose itself may be no better than
 * the simplest method. The finding contains the members to paste.
 * @param seasons - those that are possible.
 */
function standardFindings(rules: RulesData, seasons: readonly Season[]): Finding[] {
  return lackingStandard(missingStandard(rules, seasons, leastErrors(rules)))
}

/**
 * @param pointer - the place at which the missing comparators are reported.
 */
export function lackingStandard(
  missing: ReturnType<typeof missingStandard>,
  pointer = '/comparisons/required',
): Finding[] {
  if (missing.length === 0) return []
  const names = missing.map(({ baseline: { kind, season } }) =>
    [kind, season ?? ''].join(' ').trim(),
  )
  const ids = missing.map(({ baseline }) => JSON.stringify(baseline.id)).join(', ')
  const made = missing.flatMap(({ baseline, isThere }) =>
    isThere ? [] : [JSON.stringify(baseline)],
  )
  const add = [
    ...(made.length > 0 ? [`to "baselines": ${made.join(', ')}`] : []),
    `to "required" of "comparisons": ${ids}`,
  ]
  return [refused(pointer, 'standard', names.join(', '), add.join('; '))]
}
