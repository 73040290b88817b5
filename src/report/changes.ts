import type { ChangedInput } from '../protocol/readings.js'

/** What a correction changed, as it is said first of it. */
export const CHANGE_SAYS: Readonly<Record<ChangedInput, string>> = {
  forecasts: 'Forecasts were changed after outcomes were read.',
  outcomes: 'Other outcomes were used.',
  code: 'Another version of foreproof computed it.',
}
