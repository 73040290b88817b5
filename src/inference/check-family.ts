import { ForeproofError } from '../contract/error.js'
import type { FamilyInput } from './types.js'

/** Every statistic of a tile is held while it is summed: beyond this, gigabytes a thread. */
export const MOST_REPLICATES = 20_000_000

/** Beyond it, sums and squares could overflow, and a statistic be taken for a missing one. */
const LARGEST = 1e150

/**
 * Refuses input on which no figure would mean anything.
 *
 * @throws ForeproofError invalid-input
 */
export function checkFamily(input: FamilyInput): void {
  const { origins, blockLength, replicates, seed, minimumPairs, minimumBlocks } = input
  const counts = { origins, blockLength, replicates, workers: input.workers ?? 1 }
  for (const [name, value] of Object.entries(counts)) {
    if (!Number.isSafeInteger(value) || value < 1) refuse(`${name} is not a whole number from 1 up`)
  }
  for (const [name, value] of Object.entries({ minimumPairs, minimumBlocks })) {
    if (!Number.isSafeInteger(value) || value < 0) refuse(`${name} is not a whole number from 0 up`)
  }
  if (replicates > MOST_REPLICATES) {
    refuse(`${replicates} replicates are more than one run can hold (${MOST_REPLICATES})`)
  }
  if (!Number.isSafeInteger(seed)) refuse('the seed is not a whole number within ±(2^53 - 1)')
  if (!(input.alpha > 0 && input.alpha < 1)) refuse('alpha does not lie between 0 and 1')
  checkSeries(input)
}

function checkSeries(input: FamilyInput): void {
  const names = new Set<string>()
  const seen = new Set<Float64Array | Uint8Array>()
  for (const { name, components } of [...input.tests, ...(input.controls ?? [])]) {
    if (names.has(name)) refuse(`two tests are called ${name}`)
    names.add(name)
    for (const { values, members } of components) {
      for (const array of members === undefined ? [values] : [values, members]) {
        if (seen.has(array)) continue
        seen.add(array)
        if (array.length !== input.origins) {
          refuse(`${name}: a series has ${array.length} entries for ${input.origins} origins`)
        }
        if (array === members) continue
        const absurd = firstAbsurd(values)
        if (absurd >= 0) {
          refuse(`${name}: the difference at origin ${absurd} is infinite or beyond ${LARGEST}`)
        }
      }
    }
  }
}

/** A plain loop: this looks at every number there is, while nothing else can run. */
function firstAbsurd(values: Float64Array): number {
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) > LARGEST) return i
  return -1
}

function refuse(message: string): never {
  throw new ForeproofError('invalid-input', `inference: ${message}`)
}
