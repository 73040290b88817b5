import { digestWithout } from '../document/digest.js'

/**
 * The digest of a result. How often outcomes were read before lies outside of it: that follows from the record of
 * readings, so a run that was broken off gives the same result when it is repeated.
 */
export function resultDigest(result: object): string {
  const { exploratory: _, earlier_readings: __, ...rest } = result as Record<string, unknown>
  return digestWithout(rest, 'result_sha256')
}
