import { type Finding, finding } from '../contract/findings/finding.js'
import { instantOrNaN } from '../contract/instant.js'
import { pointerTo } from '../contract/pointer.js'
import type { StratumDefinition } from '../contract/types.js'

export type Level = NonNullable<StratumDefinition['levels']>[number]

/** Days in the order of the week; 1970-01-01 was a Thursday. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** How the levels of a stratum say which origins are theirs. */
export interface LevelKind {
  /** The members that each level needs, and the only ones it may have. */
  readonly members: readonly (keyof Level)[]
  readonly findings: (levels: readonly Level[], at: string) => Finding[]
}

/** Levels by lists of values; a value belongs to one level at most. */
function listed(
  member: 'hours' | 'days' | 'regimes',
  all: readonly (string | number)[],
): LevelKind {
  return {
    members: [member],
    findings: (levels, at) => {
      const findings: Finding[] = []
      const owner = new Map<string | number, string>()
      for (const [index, level] of levels.entries()) {
        const values = level[member] ?? []
        for (const [position, value] of values.entries()) {
          const other = owner.get(value)
          if (other === undefined) owner.set(value, level.level)
          else {
            const pointer = pointerTo(`${pointerTo(at, index)}/${member}`, position)
            findings.push(finding('levels-overlap', { value: String(value), other }, { pointer }))
          }
        }
      }
      const left = all.filter((value) => !owner.has(value)).map(String)
      if (left.length > 0) findings.push(finding('levels-leave-out', { left }, { pointer: at }))
      return findings
    },
  }
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

const period: LevelKind = {
  members: ['from', 'to'],
  findings: (levels, at) => {
    const findings: Finding[] = []
    const spans = levels.map((level, index) => ({
      level: level.level,
      from: instantOrNaN(level.from ?? ''),
      to: instantOrNaN(level.to ?? ''),
      pointer: pointerTo(at, index),
    }))
    for (const [index, span] of spans.entries()) {
      if (span.from > span.to)
        findings.push(finding('level-reversed', {}, { pointer: span.pointer }))
      const other = spans.slice(0, index).find(({ from, to }) => from <= span.to && span.from <= to)
      if (other !== undefined) {
        const args = { value: span.level, other: other.level }
        findings.push(finding('levels-overlap', args, { pointer: span.pointer }))
      }
    }
    return findings
  },
}

/** What levels look like, by the `by` of their stratum; `below` are cut-points in ascending order. */
export const KINDS: Readonly<Record<StratumDefinition['by'], LevelKind | 'below' | undefined>> = {
  hour_of_day: listed('hours', HOURS),
  weekday: listed('days', DAYS),
  regime: listed('regimes', []),
  period,
  volatility: 'below',
  trailing_return: 'below',
  omitted: undefined,
}
