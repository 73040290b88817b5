import type { Memory } from '../inference/ewc.js'
import type { StratumLevel } from '../pairing/plan.js'

/** What a test compares; all but `coverage` are losses, where lower is better. */
export const MEASURES = [
  'point_loss',
  'direction_error',
  'interval_score',
  'pinball_0.1',
  'pinball_0.5',
  'pinball_0.9',
  'coverage',
] as const

/** What a verdict rests on: a loss, and the direction. */
export type VerdictMeasure = 'point_loss' | 'direction_error'

/** One test of the registered family: candidate minus comparator, on the keys for which both are scored. */
export interface TestDefinition {
  /** Unique within the family: `ridge/persistence/point_loss/overall/all`, `…/wis/-1/all`, `…/wis/overall/group=state`. */
  readonly name: string
  /** Names of models in the history or the built-in rules. */
  readonly candidate: string
  readonly comparator: string
  /** Id of the score. */
  readonly measure: string
  /** The role of the score in a verdict. */
  readonly role: VerdictMeasure | 'other'
  /** How long its differences depend on each other. */
  readonly memory: Memory
  /** In steps; or the mean over all cells, which exists only for the primary score and in groups. */
  readonly horizon: number | 'overall'
  /** Of origins. */
  readonly stratum: StratumLevel
  /** Only the cells of one group of series, or `all`. */
  readonly group: string
  /** True for the tests that a verdict rests on: of the primary score and of direction, over all origins. */
  readonly decides: boolean
}
