import type { Result } from '../../evaluation/result/types.js'
import { readableTime } from '../../output/figures.js'
import { stepsSaid } from '../sentences.js'
import { groupedBy, isHours, methodIn, minimumBlocksIn, stepsIn } from '../view.js'

/** One of the evaluations of a comparison. */
export interface Compared {
  /** Its position, from 1. */
  readonly number: number
  /** `2 · spring-2026-shootout`, because registrations may have equal names. */
  readonly label: string
  /** As given on the command line. */
  readonly folder: string
  readonly result: Result
}

/** A property in which evaluations may differ. */
interface Aspect {
  readonly what: string
  /** What a difference invalidates; if absent, the difference is only reported. */
  readonly spoils?: string
  /** The value to show. */
  readonly shown: (of: Compared) => string
  /** The value to compare, if it differs from the one shown. */
  readonly same?: (of: Compared) => string
}

const short = (sha256: string) => `${sha256.slice(0, 8)}…`

const ASPECTS: readonly Aspect[] = [
  {
    what: 'protocol',
    spoils: 'they were judged by other rules',
    shown: ({ result: { inputs } }) =>
      `${inputs.protocol.version} (${short(inputs.protocol.sha256)})`,
    same: ({ result }) => result.inputs.protocol.sha256,
  },
  {
    what: 'window',
    spoils: 'an easier stretch of time makes every loss lower',
    shown: ({ result: { settings } }) =>
      `${readableTime(settings.window.from)} to ${readableTime(settings.window.to)}`,
  },
  {
    what: 'outcomes',
    spoils: 'the values themselves may differ',
    shown: ({ result: { inputs } }) => `${inputs.outcomes.id} (${short(inputs.outcomes.sha256)})`,
    // The as-of time adds nothing to the window, because no target is after it.
    same: ({ result }) => result.inputs.outcomes.sha256,
  },
  {
    what: 'steps',
    spoils: 'the overall loss is the mean of other steps',
    shown: ({ result }) => stepsSaid(stepsIn(result), isHours(result)),
  },
  {
    what: 'method',
    shown: ({ result }) => {
      const { alpha, limits } = result.settings.rules
      const direction = limits.direction === null ? '' : `, direction limit ${limits.direction}`
      return `${methodIn(result)}, α ${alpha}, floor ${limits.practical_effect}, limit of harm ${limits.harm}${direction}, ${minimumBlocksIn(result)} blocks at least`
    },
  },
  {
    what: 'family',
    shown: ({
      result: {
        reading: { family },
      },
    }) => `${family.size} tests (${short(family.sha256)})`,
    same: ({ result }) => result.reading.family.sha256,
  },
  {
    what: 'history',
    shown: ({ result }) => short(result.inputs.history.sha256),
    same: ({ result }) => result.inputs.history.sha256,
  },
  {
    what: 'code',
    shown: ({ result: { code } }) => `${code.name} ${code.version} (${short(code.sha256)})`,
    same: ({ result }) => result.code.sha256,
  },
]

export interface Disagreement {
  readonly what: string
  /** Why figures must not be compared; undefined if they may. */
  readonly spoils?: string
  readonly groups: readonly { readonly value: string; readonly numbers: readonly number[] }[]
}

/** The properties in which the evaluations differ; those that rule out a comparison come first. */
export function disagreementsOf(all: readonly Compared[]): Disagreement[] {
  return ASPECTS.flatMap(({ what, spoils, shown, same = shown }) => {
    const groups = [...groupedBy(all, same).values()].map((members) => ({
      value: shown(members[0] as Compared),
      numbers: members.map(({ number }) => number),
    }))
    return groups.length > 1 ? [{ what, ...(spoils !== undefined && { spoils }), groups }] : []
  })
}

/** Evaluations with the same result: their agreement shows nothing. */
export function repeatedIn(all: readonly Compared[]): number[][] {
  return [...groupedBy(all, ({ result }) => result.result_sha256).values()]
    .filter((members) => members.length > 1)
    .map((members) => members.map(({ number }) => number))
}
