import type { MeasureName } from '../scoring/measures.js'

/** scoringutils has these two: the first on the scale of log prices, the second at the level of 80 %. */
const NAME_OF: Partial<Record<MeasureName, string>> = {
  point_loss: 'ae_point',
  coverage: 'interval_coverage_80',
}

/** What tables call a measure: as scoringutils does where it has it, otherwise as registrations do. */
export function tidyName(measure: MeasureName): string {
  return NAME_OF[measure] ?? measure
}
