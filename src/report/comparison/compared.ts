import type { EvaluationResult } from '../../evaluation/result/types.js'

/** One of the evaluations of a comparison. */
export interface Compared {
  /** Its place, from 1. */
  readonly number: number
  /** `2 · spring-2026-shootout`: registrations may have one name. */
  readonly label: string
  /** As it was named on the command line. */
  readonly folder: string
  readonly result: EvaluationResult
}

/** What a comparison shows of a result; all else is let go, for many results would fill the memory. */
export function compared(result: EvaluationResult, folder: string, index: number): Compared {
  const number = index + 1
  const tests = result.tests.filter(({ measure, horizon, stratum }) => {
    if (stratum !== 'all') return measure === 'point_loss' && horizon === 'overall'
    return measure === 'point_loss' || measure === 'direction_error'
  })
  return {
    number,
    label: `${number} · ${result.inputs.registration.name}`,
    folder,
    result: {
      ...result,
      tests,
      measures: result.measures.filter(({ stratum }) => stratum === 'all'),
      accounting: result.accounting.filter(({ stratum }) => stratum === 'all'),
      shared_keys: [],
    },
  }
}

/** Candidates against comparators that any of the evaluations has, by name, in the order of their coming. */
export function pairsOf(all: readonly Compared[]) {
  const pairs = new Map<string, { readonly candidate: string; readonly comparator: string }>()
  for (const { result } of all) {
    for (const { candidate, comparator } of result.tests) {
      pairs.set(JSON.stringify([candidate, comparator]), { candidate, comparator })
    }
  }
  return [...pairs.values()]
}

/** Horizons that any of the evaluations has, in hours, ascending. */
export function horizonsOf(all: readonly Compared[]): number[] {
  const horizons = all.flatMap(({ result }) => result.settings.horizons_hours)
  return [...new Set(horizons)].sort((a, b) => a - b)
}
