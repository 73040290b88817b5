import type { ChangedInput } from '../protocol/readings.js'

/** The first sentence about a correction: what it changed. */
export const CHANGE_SAYS: Readonly<Record<ChangedInput, string>> = {
  forecasts: 'Forecasts were changed after outcomes were read.',
  outcomes: 'Other outcomes were used.',
  code: 'Another version of foreproof computed it.',
}
