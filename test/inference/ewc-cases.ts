import type { Series } from '../../src/inference/types.js'
import { numbers } from '../support/random.js'

export interface EwcCase {
  readonly components: readonly Series[]
  readonly nu: number
}

export interface EwcGolden {
  readonly estimate: number
  readonly standardError: number
  readonly p: number
}

/** Differences that remember: an autoregression of rho, with holes in stretches, and a shift. */
function remembering(origins: number, seed: number, rho: number, shift: number): Series {
  const random = numbers(seed)
  const values = new Float64Array(origins)
  let last = 0
  for (let i = 0; i < origins; i++) {
    last = rho * last + random() + random() + random() - 1.5
    const hole = Math.floor(i / 7) % 5 === seed % 5 && random() < 0.7
    values[i] = hole ? Number.NaN : 0.001 * last + shift
  }
  return { values }
}

/** Every third day of hours 8 to 15: a stratum that lies in clusters. */
function clustered(origins: number): Uint8Array {
  return Uint8Array.from({ length: origins }, (_, i) =>
    Math.floor(i / 24) % 3 === 0 && i % 24 >= 8 && i % 24 < 16 ? 1 : 0,
  )
}

/** From an estimate near 0 to one whose p is far below what any family asks. */
export const EWC_CASES: readonly EwcCase[] = [
  { nu: 4, components: [remembering(400, 1, 0, 0)] },
  { nu: 5, components: [remembering(500, 2, 0.5, 0.0002)] },
  { nu: 8, components: [remembering(800, 3, 0.9, 0.002)] },
  { nu: 16, components: [remembering(2000, 4, 0.95, -0.004)] },
  { nu: 16, components: [remembering(2001, 5, 0.3, 0.01)] },
  { nu: 16, components: [{ ...remembering(3000, 6, 0.8, 0.001), members: clustered(3000) }] },
  { nu: 7, components: [7, 8, 9, 10].map((seed) => remembering(700, seed, 0.6, 0.0004)) },
  {
    nu: 11,
    components: [11, 12, 13, 14].map((seed) => ({
      ...remembering(1100, seed, 0.9, -0.001 * seed),
      members: clustered(1100),
    })),
  },
]

/** What the script reads. */
export function scriptCases(cases: readonly EwcCase[]): string {
  return JSON.stringify(
    cases.map(({ nu, components }) => ({
      nu,
      components: components.map(({ values, members }) =>
        Array.from(values, (value, i) =>
          Number.isNaN(value) || (members && members[i] !== 1) ? null : value,
        ),
      ),
    })),
  )
}
