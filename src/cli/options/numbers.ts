import { ForeproofError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'

/**
 * The value of an option that counts something.
 * @throws {ForeproofError} `usage` for anything but a positive whole number.
 */
export function positive(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new ForeproofError('usage', `${option}: a positive whole number is needed`)
}

/** Says how many findings were counted but not listed; nothing when all were. */
export function more(count: number): Finding[] {
  return count === 0 ? [] : [finding('history-more', { count })]
}
