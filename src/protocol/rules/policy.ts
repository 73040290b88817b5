import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import type { RulesData, SeriesProtocol } from '../../contract/types.js'
import type { Document } from '../../document/read.js'
import type { PeriodList } from '../../periods/list.js'
import type { Season } from '../../periods/seasons.js'
import { MOST_WAITING } from '../../periods/waiting.js'
import { isSeriesProtocol } from './check.js'
import { compileRules, type Rules } from './compile.js'
import { compileSeries } from './compile-series.js'
import { expectedWaiting } from './expected-waiting.js'
import { beyondBounds, STRICT_NUMBERS, strictNumbersOf } from './lax.js'
import { askedSeasons, missingStandard } from './standard.js'

type PolicyArgs = ArgsOf<'series-policy'>

const refused = (
  pointer: string,
  fault: PolicyArgs['fault'],
  found: unknown,
  bound: unknown = '',
) => finding('series-policy', { fault, found: String(found), bound: String(bound) }, { pointer })

/**
 * What makes a sound protocol too lax to be judged by. Asked wherever one is frozen, linted, registered under or scored
 * by; `verify` and the gate ask for its soundness alone. The schema of version 1 leaves its numbers free.
 * @param periods - of a protocol of version 2.
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

/** By pointers into the document. */
function policyFindings(rules: RulesData): Finding[] {
  return [
    ...domainFindings(rules),
    ...limitFindings(rules),
    ...levelFindings(rules),
    ...errorFindings(rules),
  ]
}

/** Of a list whose forecasts are due when most of what persistence gets wrong is over; steps that would do are named. */
function waitingFindings(rules: Rules, periods: PeriodList): Finding[] {
  const origins = [...periods.keys()].filter((at) => rules.targetsOf(at).length > 0)
  if (origins.length === 0) return []
  const { worth } = expectedWaiting(rules, origins)
  if (worth <= MOST_WAITING) return []
  const ofStep = (step: number) => {
    const own = origins.filter((at) => periods[at + step] !== undefined)
    return own.length === 0 ? 1 : expectedWaiting({ ...rules, targetsOf: () => [step] }, own).worth
  }
  const longest = Math.min(periods.length - 1, MOST_STEPS)
  const enough = Array.from({ length: longest }, (_, at) => at + 1).find(
    (step) => ofStep(step) <= MOST_WAITING,
  )
  const found = `${(100 * worth).toFixed(0)} %`
  return [refused('/origins/due', 'waiting', found, enough ?? 'none of this list')]
}

/** Steps that are looked at for later ones that would do. */
const MOST_STEPS = 200

/** A transform that is not defined on every value that counts would leave forecasts without a loss. */
function domainFindings({ scores, forecast }: RulesData): Finding[] {
  const least = forecast.minimum ?? Number.NEGATIVE_INFINITY
  const found = forecast.minimum ?? 'none'
  return scores.flatMap(({ transform: { kind, offset } }, at) => {
    const pointer = `/scores/${at}/transform`
    if (kind === 'log' && !(least > 0)) return [refused(pointer, 'log', found)]
    if (kind === 'sqrt' && !(least >= 0)) return [refused(pointer, 'sqrt', found)]
    const sum = least + Number(offset ?? 0)
    if (kind === 'log_shift' && !(sum > 0)) return [refused(pointer, 'log-shift', found, offset)]
    return []
  })
}

function limitFindings(rules: RulesData): Finding[] {
  return beyondBounds(strictNumbersOf(rules)).map(({ name, found, bound }) => {
    const { at, laxer } = STRICT_NUMBERS[name]
    return refused(at[2], laxer === 'more' ? 'most' : 'least', found, bound)
  })
}

/** Nearer ones could not be told apart where levels are numbers, as in tables of others. */
const LEAST_DISTANCE = 2e-6

function levelFindings({ forecast: { levels } }: RulesData): Finding[] {
  return levels.flatMap((level, at) => {
    const before = levels[at - 1]
    // Rounding may make a distance of exactly as much a little less.
    if (before === undefined || Number(level) - Number(before) > LEAST_DISTANCE - 1e-12) return []
    return [refused(`/forecast/levels/${at}`, 'near', level, before)]
  })
}

const LEAST_ERRORS = { window: 50, minimum: 20 }

/** From a few errors come quantiles that any forecast with well-set ones beats; the further out, the more it takes. */
function errorFindings({ baselines, scores }: RulesData): Finding[] {
  const least = leastErrors({ scores })
  return baselines.flatMap(({ errors }, at) =>
    (['window', 'minimum'] as const).flatMap((name) => {
      const pointer = `/baselines/${at}/errors/${name}`
      const few = errors !== null && errors[name] < least[name]
      return few ? [refused(pointer, 'errors', errors[name], least[name])] : []
    }),
  )
}

export function leastErrors({ scores }: Pick<RulesData, 'scores'>): typeof LEAST_ERRORS {
  const primary = scores.find((score) => score.primary)
  const level = Number(primary?.level ?? primary?.lower ?? Number.NaN)
  const tail = Math.min(level, 1 - level)
  return {
    window: needed(LEAST_ERRORS.window, 2 / tail),
    minimum: needed(LEAST_ERRORS.minimum, 1 / tail),
  }
}

/**
 * Standard comparators that are not required: a candidate that is better than what a protocol itself chose may be no
 * better than the simplest method. The finding has what to add, to be pasted.
 * @param seasons - that can be asked.
 */
function standardFindings(rules: RulesData, seasons: readonly Season[]): Finding[] {
  return lackingStandard(missingStandard(rules, seasons, leastErrors(rules)))
}

/** @param pointer - where what they are lacking for is said. */
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

/** Whole, and not one more for the rounding of a quotient; NaN asks for nothing more. */
const needed = (least: number, more: number) =>
  Number.isNaN(more) ? least : Math.max(least, Math.ceil(more - 1e-6))
