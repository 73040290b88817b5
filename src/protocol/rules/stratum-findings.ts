import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { instantOrNaN } from '../../contract/instant.js'
import { pointerTo } from '../../contract/pointer.js'
import { quoteValue } from '../../contract/schema-findings.js'
import type { SeriesProtocol, StratumDefinition } from '../../contract/types.js'

/** A stratum of a plan under version 1 or of a protocol of version 2: its form is checked, its members may not fit. */
export interface CheckedStratum {
  readonly name: string
  readonly by: By
  readonly levels?: readonly CheckedLevel[]
  readonly lookback_hours?: number
  readonly reason?: string
  readonly series?: string
  readonly changes?: number
  readonly transform?: object
}
type By = StratumDefinition['by'] | NonNullable<SeriesProtocol['strata']>[number]['by']

interface CheckedLevel {
  readonly level: string
  readonly hours?: readonly number[]
  readonly days?: readonly string[]
  readonly regimes?: readonly string[]
  readonly below?: number | string
  readonly from?: string
  readonly to?: string
}

/** Members that only some kinds of strata have. */
const MEMBERS = ['levels', 'lookback_hours', 'reason', 'series', 'changes', 'transform'] as const
type Member = (typeof MEMBERS)[number]

/** What a kind of strata consists of. */
interface StratumKind {
  readonly needs: readonly Member[]
  readonly may?: readonly Member[]
  /** The required members of each level; it may have no others. */
  readonly members: readonly (keyof CheckedLevel)[]
  readonly findings: (levels: readonly CheckedLevel[], at: string) => Finding[]
}

/** Days in the order of the week. */
export const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/**
 * The faults of the definition of a stratum: members and levels that do not fit its kind, levels that overlap, and
 * cut-points that do not ascend.
 * @param at - the pointer to it.
 */
export function stratumFindings(stratum: CheckedStratum, at: string): Finding[] {
  const { by, levels = [] } = stratum
  const { needs, may = [], findings } = KINDS[by]
  const faults = MEMBERS.flatMap((key) => {
    const isGiven = stratum[key] !== undefined
    if (needs.includes(key) && !isGiven) {
      return [finding('missing-key', { keys: [key] }, { pointer: at })]
    }
    if (!isGiven || needs.includes(key) || may.includes(key)) return []
    return [ofLevels('unused-key', `${at}/${key}`, key, by)]
  })
  if (by === 'omitted') return faults
  if (by === 'volatility' && stratum.lookback_hours === 1) {
    const args = { bound: 'at least', limit: 2, found: '1' } as const
    faults.push(finding('out-of-bounds', args, { pointer: `${at}/lookback_hours` }))
  }
  faults.push(...levelFindings(levels, by, `${at}/levels`))
  return faults.length > 0 ? faults : findings(levels, `${at}/levels`)
}

/** One warning for all strata that add no test. */
export function omittedStrata(strata: readonly Pick<CheckedStratum, 'name' | 'by'>[]): Finding[] {
  const names = strata.filter(({ by }) => by === 'omitted').map(({ name }) => name)
  return names.length === 0 ? [] : [finding('stratum-omitted', { names }, { pointer: '/strata' })]
}

/** A name that occurs twice in a list. @param first - where it occurs first. */
export const listedTwice = (name: string, first: string, pointer: string): Finding =>
  finding('listed-twice', { found: quoteValue(name), first }, { pointer })

/** Definitions with the name of an earlier one. */
export function repeatedStrata(strata: readonly Pick<CheckedStratum, 'name'>[]): Finding[] {
  return strata.flatMap(({ name }, index) => {
    const first = strata.findIndex((each) => each.name === name)
    if (first === index) return []
    return [listedTwice(name, pointerTo('/strata', first), `${pointerTo('/strata', index)}/name`)]
  })
}

function ofLevels(
  fault: ArgsOf<'stratum-levels'>['fault'],
  pointer: string,
  found: string | number = '',
  other: string | number = '',
): Finding {
  const args = { fault, found: String(found), other: String(other) }
  return finding('stratum-levels', args, { pointer })
}

/** Each level has its own name, and exactly the members of its kind. */
function levelFindings(levels: readonly CheckedLevel[], by: By, at: string): Finding[] {
  const findings: Finding[] = []
  const { members } = KINDS[by]
  for (const [index, level] of levels.entries()) {
    const pointer = pointerTo(at, index)
    const first = levels.findIndex((each) => each.level === level.level)
    if (first < index) {
      findings.push(listedTwice(level.level, pointerTo(at, first), `${pointer}/level`))
    }
    for (const key of Object.keys(level)) {
      if (key === 'level' || members.includes(key as keyof CheckedLevel)) continue
      findings.push(ofLevels('unused-key', pointerTo(pointer, key), key, by))
    }
    // The highest level has no upper cut-point; every other level needs one.
    if (members.includes('below') && index === levels.length - 1) continue
    const absent = members.filter((key) => !Object.hasOwn(level, key))
    if (absent.length > 0) findings.push(finding('missing-key', { keys: absent }, { pointer }))
  }
  return findings
}

/** Cut-points in ascending order, above a smallest value. */
const cuts =
  (above: number): StratumKind['findings'] =>
  (levels, at) => {
    const findings: Finding[] = []
    let before = above
    for (const [index, { below }] of levels.entries()) {
      const pointer = `${pointerTo(at, index)}/below`
      if (below === undefined) continue
      const cut = Number(below)
      if (index === levels.length - 1) findings.push(ofLevels('last-cut-point', pointer))
      else if (cut <= before) findings.push(ofLevels('descending', pointer, cut, before))
      before = Math.max(before, cut)
    }
    return findings
  }

/** Lists of values; a value belongs to at most one level. */
const listed =
  (member: 'hours' | 'days' | 'regimes', all: readonly (string | number)[]) =>
  (levels: readonly CheckedLevel[], at: string): Finding[] => {
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
  }

/** Levels by their first and last time, both included. */
export const levelSpans = (levels: readonly CheckedLevel[]) =>
  levels.map(({ level, from = '', to = '' }) => ({
    level,
    from: instantOrNaN(from),
    to: instantOrNaN(to),
  }))

function spanFindings(levels: readonly CheckedLevel[], at: string): Finding[] {
  const findings: Finding[] = []
  const spans = levelSpans(levels)
  for (const [index, span] of spans.entries()) {
    const pointer = pointerTo(at, index)
    if (span.from > span.to) findings.push(ofLevels('reversed', pointer))
    const other = spans.slice(0, index).find(({ from, to }) => from <= span.to && span.from <= to)
    if (other !== undefined) findings.push(ofLevels('overlap', pointer, span.level, other.level))
  }
  return findings
}

const LEVELS = ['levels'] as const
const HOURS_OF_DAY = [...Array(24).keys()]

const KINDS: Readonly<Record<By, StratumKind>> = {
  hour_of_day: { needs: LEVELS, members: ['hours'], findings: listed('hours', HOURS_OF_DAY) },
  weekday: { needs: LEVELS, members: ['days'], findings: listed('days', DAY_NAMES) },
  regime: { needs: LEVELS, members: ['regimes'], findings: listed('regimes', []) },
  period: { needs: LEVELS, members: ['from', 'to'], findings: spanFindings },
  volatility: { needs: ['levels', 'lookback_hours'], members: ['below'], findings: cuts(0) },
  trailing_return: {
    needs: ['levels', 'lookback_hours'],
    members: ['below'],
    findings: cuts(Number.NEGATIVE_INFINITY),
  },
  past_volatility: {
    needs: ['levels', 'series', 'changes'],
    may: ['transform'],
    members: ['below'],
    findings: cuts(0),
  },
  omitted: { needs: ['reason'], members: [], findings: () => [] },
}
