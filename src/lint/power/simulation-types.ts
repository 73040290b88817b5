/** Of so many simulated evaluations, how many. */
export interface SimulatedShare {
  readonly hits: number
  readonly of: number
}

/** What of a simulation adds up over shards: whole numbers alone, so that the sum has no order. */
export interface SimulationCounts {
  /** Per prediction and reduction: found on the better side in the first step of the ladder. */
  readonly power: readonly (readonly SimulatedShare[])[]
  /** Of families in which there is nothing to find: with any rejection, and any that decides. */
  readonly size: { readonly any: SimulatedShare; readonly deciding: SimulatedShare }
}

export interface SimulationFigures {
  /** Simulated evaluations of the whole run, in all shards. */
  readonly evaluations: number
  /** Which part of the run these counts are; null for all of it. */
  readonly shard: { readonly index: number; readonly of: number } | null
  readonly counts: SimulationCounts
}
