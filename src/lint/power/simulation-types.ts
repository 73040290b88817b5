import type { PowerFigures } from './figures.js'

export type SimulationFigures = NonNullable<PowerFigures['simulation']>

/** What of a simulation adds up over shards: whole numbers alone, so that the sum has no order. */
export type SimulationCounts = SimulationFigures['counts']

/** Of so many simulated evaluations, how many. */
export type SimulatedShare = SimulationCounts['size']['any']
