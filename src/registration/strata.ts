import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { type Instant, instantOrNaN, MICROS_PER_DAY, MICROS_PER_HOUR } from '../contract/instant.js'
import { ln } from '../contract/logarithm.js'
import { pointerTo } from '../contract/pointer.js'
import type { StratumDefinition } from '../contract/types.js'
import type { Stratum } from '../pairing/types.js'
import { HOURS } from '../protocol/rules/calendar.js'
import { listedTwice, undefinedName, unknownName } from './model-rules.js'

/** The data that strata use; both functions return nothing later than the given origin. */
export interface StratumSources {
  /** The close of the bar that ends at the instant. */
  readonly closeAt?: (instant: Instant) => number | undefined
  /** The regime that the history recorded with the origin. */
  readonly regimeAt?: (origin: Instant) => string | null | undefined
}

type LevelOf = (origin: Instant) => string | undefined

/**
 * Strata in the form that pairing and scoring need. An origin has no level if a close or its regime is missing or no
 * level names it; it then counts only over all origins.
 */
export function buildStrata(
  definitions: readonly StratumDefinition[],
  sources: StratumSources,
): Stratum[] {
  return definitions
    .filter(({ by }) => by !== 'omitted')
    .map(({ name, by, levels = [], lookback_hours: hours = 0 }) => {
      const levelAt = KINDS[by].levelOf(levels, sources, hours)
      return {
        name,
        levels: levels.map(({ level }) => level),
        levelOf: (hour: number) => levelAt(HOURS.end(hour)),
      }
    })
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by

type CloseAt = NonNullable<StratumSources['closeAt']>

/**
 * Standard deviation (divisor n − 1) of the last n hourly log returns up to the origin; NaN if one of the n + 1 closes
 * is missing.
 */
export function volatilityAt(closeAt: CloseAt, origin: Instant, hours: number): number {
  const returns = new Float64Array(hours)
  let before = closeAt(origin - hours * MICROS_PER_HOUR) ?? Number.NaN
  let mean = 0
  for (let index = 0; index < hours; index++) {
    const close = closeAt(origin - (hours - 1 - index) * MICROS_PER_HOUR) ?? Number.NaN
    const change = ln(close / before)
    returns[index] = change
    mean += change / hours
    before = close
  }
  let squares = 0
  for (const change of returns) squares += (change - mean) * (change - mean)
  return Math.sqrt(squares / (hours - 1))
}

/** Log return over the last n hours; NaN if a close at its ends is missing. */
export function trailingReturnAt(closeAt: CloseAt, origin: Instant, hours: number): number {
  const now = closeAt(origin) ?? Number.NaN
  return ln(now / (closeAt(origin - hours * MICROS_PER_HOUR) ?? Number.NaN))
}

type By = StratumDefinition['by']

/**
 * Checks the strata of a plan or registration: each of the protocol's is defined or stated to be omitted, there are no
 * others, and their levels do not overlap.
 */
export function strataFindings(
  strata: readonly StratumDefinition[],
  required: readonly string[],
): Finding[] {
  const findings: Finding[] = []
  const names = strata.map(({ name }) => name)
  for (const name of required) {
    if (!names.includes(name)) findings.push(undefinedName('stratum', name, '/strata'))
  }
  const open = required.filter((name) => !names.includes(name))
  for (const [index, stratum] of strata.entries()) {
    const at = pointerTo('/strata', index)
    const first = names.indexOf(stratum.name)
    if (first < index) {
      findings.push(listedTwice(stratum.name, pointerTo('/strata', first), `${at}/name`))
    } else if (!required.includes(stratum.name)) {
      findings.push(unknownName('stratum', stratum.name, `${at}/name`, open))
    }
    findings.push(...stratumFindings(stratum, at))
  }
  return findings
}

const ofLevels = (
  fault: ArgsOf<'stratum-levels'>['fault'],
  pointer: string,
  found: string | number = '',
  other: string | number = '',
): Finding =>
  finding('stratum-levels', { fault, found: String(found), other: String(other) }, { pointer })

function stratumFindings(stratum: StratumDefinition, at: string): Finding[] {
  const findings: Finding[] = []
  const { by } = stratum
  const needs = (key: 'levels' | 'lookback_hours' | 'reason', needed: boolean) => {
    const given = stratum[key] !== undefined
    if (needed && !given) findings.push(finding('missing-key', { keys: [key] }, { pointer: at }))
    if (!needed && given) findings.push(ofLevels('unused-key', `${at}/${key}`, key, by))
  }
  needs('reason', by === 'omitted')
  needs('levels', by !== 'omitted')
  needs('lookback_hours', isCut(by))
  if (by === 'omitted') {
    findings.push(finding('stratum-omitted', { name: stratum.name }, { pointer: at }))
    return findings
  }
  if (by === 'volatility' && stratum.lookback_hours === 1) {
    const args = { bound: 'at least', limit: 2, found: '1' } as const
    findings.push(finding('out-of-bounds', args, { pointer: `${at}/lookback_hours` }))
  }
  const levels = stratum.levels ?? []
  findings.push(...levelFindings(levels, by, `${at}/levels`))
  return findings.length > 0 ? findings : KINDS[by].findings(levels, `${at}/levels`, by)
}

/** Each level has its own name, and exactly the members of its kind. */
function levelFindings(levels: readonly Level[], by: By, at: string): Finding[] {
  const findings: Finding[] = []
  const { members } = KINDS[by]
  for (const [index, level] of levels.entries()) {
    const pointer = pointerTo(at, index)
    const first = levels.findIndex((each) => each.level === level.level)
    if (first < index) {
      findings.push(listedTwice(level.level, pointerTo(at, first), `${pointer}/level`))
    }
    for (const key of Object.keys(level)) {
      if (key === 'level' || members.includes(key as keyof Level)) continue
      findings.push(ofLevels('unused-key', pointerTo(pointer, key), key, by))
    }
    // The highest level has no upper cut-point; every other level needs one.
    if (isCut(by) && index === levels.length - 1) continue
    const absent = members.filter((key) => !Object.hasOwn(level, key))
    if (absent.length > 0) findings.push(finding('missing-key', { keys: absent }, { pointer }))
  }
  return findings
}

function cutFindings(levels: readonly Level[], at: string, by: By): Finding[] {
  const findings: Finding[] = []
  let before = by === 'volatility' ? 0 : Number.NEGATIVE_INFINITY
  for (const [index, { below }] of levels.entries()) {
    const pointer = `${pointerTo(at, index)}/below`
    if (index === levels.length - 1) {
      if (below !== undefined) findings.push(ofLevels('last-cut-point', pointer))
    } else if (below !== undefined) {
      if (below <= before) findings.push(ofLevels('descending', pointer, below, before))
      before = below
    }
  }
  return findings
}

type Level = NonNullable<StratumDefinition['levels']>[number]

/** Days in the order of the week. */
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** How the levels of a stratum define their origins. */
interface LevelKind {
  /** The required members of each level; it may have no others. */
  readonly members: readonly (keyof Level)[]
  readonly findings: (levels: readonly Level[], at: string, by: By) => Finding[]
  /** @param hours - how far volatility and returns look back. */
  readonly levelOf: (levels: readonly Level[], sources: StratumSources, hours: number) => LevelOf
}

/** Cut-points in ascending order. */
const cuts = (valueAt: typeof volatilityAt): LevelKind => ({
  members: ['below'],
  findings: cutFindings,
  levelOf:
    (levels, { closeAt = () => undefined }, hours) =>
    (origin) => {
      const value = valueAt(closeAt, origin, hours)
      return levels.find(({ below = Number.POSITIVE_INFINITY }) => value < below)?.level
    },
})
const isCut = (by: By) => KINDS[by].members.includes('below')

/** Levels by lists of values; a value belongs to at most one level. */
function listed(
  member: 'hours' | 'days' | 'regimes',
  all: readonly (string | number)[],
  valueAt: (origin: Instant, sources: StratumSources) => string | number | undefined,
): LevelKind {
  return {
    members: [member],
    levelOf: (levels, sources) => {
      const byValue = new Map(
        levels.flatMap(({ level, [member]: values = [] }) =>
          values.map((value) => [value, level] as const),
        ),
      )
      return (origin) => byValue.get(valueAt(origin, sources) ?? '')
    },
    findings: (levels, at) => {
      const findings: Finding[] = []
      const owner = new Map<string | number, string>()
      for (const [index, level] of levels.entries()) {
        for (const [position, value] of (level[member] ?? []).entries()) {
          const other = owner.get(value)
          if (other === undefined) owner.set(value, level.level)
          else {
            const pointer = pointerTo(`${pointerTo(at, index)}/${member}`, position)
            findings.push(ofLevels('overlap', pointer, value, other))
          }
        }
      }
      const left = all.filter((value) => !owner.has(value)).map(String)
      if (left.length > 0) findings.push(finding('levels-leave-out', { left }, { pointer: at }))
      return findings
    },
  }
}

/** Levels by their first and last time, both included. */
const spansOf = (levels: readonly Level[]) =>
  levels.map(({ level, from = '', to = '' }) => ({
    level,
    from: instantOrNaN(from),
    to: instantOrNaN(to),
  }))

const period: LevelKind = {
  members: ['from', 'to'],
  levelOf: (levels) => {
    const spans = spansOf(levels)
    return (origin) => spans.find(({ from, to }) => from <= origin && origin <= to)?.level
  },
  findings: (levels, at) => {
    const findings: Finding[] = []
    const spans = spansOf(levels)
    for (const [index, span] of spans.entries()) {
      const pointer = pointerTo(at, index)
      if (span.from > span.to) findings.push(ofLevels('reversed', pointer))
      const other = spans.slice(0, index).find(({ from, to }) => from <= span.to && span.from <= to)
      if (other !== undefined) findings.push(ofLevels('overlap', pointer, span.level, other.level))
    }
    return findings
  },
}

/** The form of levels, by the `by` of their stratum. */
const KINDS: Readonly<Record<By, LevelKind>> = {
  hour_of_day: listed('hours', [...Array(24).keys()], (origin) =>
    modulo(Math.floor(origin / MICROS_PER_HOUR), 24),
  ),
  weekday: listed('days', DAYS, (origin) => {
    // 1970-01-01 was a Thursday.
    const day = Math.floor(origin / MICROS_PER_DAY) + DAYS.indexOf('thu')
    return DAYS[modulo(day, 7)]
  }),
  regime: listed('regimes', [], (origin, { regimeAt }) => regimeAt?.(origin) ?? undefined),
  period,
  volatility: cuts(volatilityAt),
  trailing_return: cuts(trailingReturnAt),
  omitted: { members: [], findings: () => [], levelOf: () => () => undefined },
}
