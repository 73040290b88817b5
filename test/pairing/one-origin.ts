import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { HourlyPlan } from '../../src/pairing/hourly.js'
import { at } from './made.js'

export const ORIGIN = '2025-07-31T12:00:00+00:00'
export const CLOSES = { closeAt: () => 117_000 }

/** One model at one origin and horizon, judged prospectively, with an hour to publish. */
export const PLAN: HourlyPlan = {
  from: at(ORIGIN),
  to: at(ORIGIN),
  models: ['alpha'],
  horizons: [2],
  asOf: at('2025-08-02T00:00:00Z'),
  mode: 'prospective',
  provenanceRequired: false,
  registeredAt: at('2025-07-01T00:00:00Z'),
  publicationLag: MICROS_PER_HOUR,
}
