import type { EvaluationResult } from '../../evaluation/result/types.js'
import { listed, readableTime } from '../../output/figures.js'
import { groupedBy, methodOf, minimumBlocksIn } from '../view.js'

/** One of the evaluations of a comparison. */
export interface Compared {
  /** Its position, from 1. */
  readonly number: number
  /** `2 · spring-2026-shootout`, because registrations may have equal names. */
  readonly label: string
  /** As given on the command line. */
  readonly folder: string
  readonly result: EvaluationResult
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
      `${readableTime(settings.from)} to ${readableTime(settings.to)}`,
  },
  {
    what: 'outcomes',
    spoils: 'the prices themselves may differ',
    shown: ({ result: { inputs } }) => `${inputs.vintage.id} (${short(inputs.vintage.sha256)})`,
    // The as-of time adds nothing to the window, because no target is after it.
    same: ({ result }) => result.inputs.vintage.sha256,
  },
  {
    what: 'horizons',
    spoils: 'the overall loss is the mean of other horizons',
    shown: ({ result }) => listed(result.settings.horizons_hours.map((hours) => `${hours} h`)),
  },
  {
    what: 'method',
    shown: ({ result }) => {
      const { alpha, practical_effect_floor: floor, regression_limit: regression } = result.settings
      return `${methodOf(result)}, α ${alpha}, floor ${floor}, regression limit ${regression}, direction limit ${result.settings.direction_limit}, ${minimumBlocksIn(result)} blocks at least`
    },
  },
  {
    what: 'family',
    shown: ({ result: { family } }) => `${family.size} tests (${short(family.sha256)})`,
    same: ({ result }) => result.family.sha256,
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
