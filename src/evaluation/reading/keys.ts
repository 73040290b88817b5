import type { StratumLevel } from '../../pairing/plan.js'
import type { Rules } from '../../protocol/rules/compile.js'
import type { ScoredCell } from '../../scoring/cells.js'
import {
  countKeys,
  countOutcomes,
  countUncalled,
  countWithheld,
  type KeyCounts,
  keyCodes,
  type UncalledCounts,
} from '../../scoring/differences.js'
import type { PairedSeries } from '../pair.js'
import type { ReadingCell } from './cells.js'

/** The counts of the registered keys of a cell in a comparison, of all or those of one level. */
export interface ComparedKeys extends KeyCounts {
  readonly with_outcome: number
  /** Directions; null where none is asked, or none is charged. */
  readonly uncalled: UncalledCounts | null
  /** Keys with an outcome and without an interval of the candidate; null where none may be without. */
  readonly intervals_withheld: number | null
}

export type KeyCounter = (
  pair: { readonly candidate: string; readonly comparator: string },
  cell: ReadingCell,
  level: StratumLevel,
) => ComparedKeys

/** Counts the keys of a cell that two models share, and why the others were lost. */
export function createKeyCounter(
  { scores, forecast, weights }: Pick<Rules, 'scores' | 'forecast' | 'weights'>,
  { memberships }: Pick<PairedSeries, 'memberships'>,
  getCell: (model: string, cell: number) => ScoredCell,
): KeyCounter {
  const direction = scores.find(({ kind }) => kind === 'direction')?.id
  const isSeparate = forecast.interval === 'separate' && weights !== null
  return ({ candidate, comparator }, { id, isKey, there }, level) => {
    const [ours, theirs] = [getCell(candidate, id), getCell(comparator, id)]
    const codes = keyCodes(ours.pairs, theirs.pairs, 'point')
    const mask = memberships.of(level)?.mask
    const members =
      mask === undefined ? isKey : isKey.map((one, index) => one & (mask[index] as number))
    const charged = direction === undefined ? undefined : ours.charged?.[direction]
    const columns = [ours, theirs].map((of) => of.columns[direction ?? ''] as Float64Array)
    return {
      ...countKeys(codes, members),
      with_outcome: countOutcomes(there, members),
      uncalled: charged ? countUncalled(codes, columns[0]!, charged, columns[1]!, members) : null,
      intervals_withheld: isSeparate ? countWithheld(there, ours.pairs, members) : null,
    }
  }
}

const COUNTS = [
  'candidate_not_scored',
  'comparator_not_scored',
  'neither_scored',
  'vintage_mismatch',
] as const

/** Counts of several cells together. */
export class SummedKeys {
  #expected = 0
  #withOutcome = 0
  #shared = 0
  readonly #lost = {
    candidate_not_scored: 0,
    comparator_not_scored: 0,
    neither_scored: 0,
    vintage_mismatch: 0,
  }
  #uncalled: UncalledCounts | null = null
  #withheld: number | null = null

  add({ expected, with_outcome, shared, lost, uncalled, intervals_withheld }: ComparedKeys): void {
    this.#expected += expected
    this.#withOutcome += with_outcome
    this.#shared += shared
    for (const name of COUNTS) this.#lost[name] += lost[name]
    if (uncalled !== null) {
      const { asked, not_called } = this.#uncalled ?? { asked: 0, not_called: 0 }
      this.#uncalled = {
        asked: asked + uncalled.asked,
        not_called: not_called + uncalled.not_called,
      }
    }
    if (intervals_withheld !== null) this.#withheld = (this.#withheld ?? 0) + intervals_withheld
  }

  get sum(): ComparedKeys {
    return {
      expected: this.#expected,
      with_outcome: this.#withOutcome,
      shared: this.#shared,
      lost: { ...this.#lost },
      uncalled: this.#uncalled,
      intervals_withheld: this.#withheld,
    }
  }
}
