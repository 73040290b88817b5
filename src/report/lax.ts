import type { Result } from '../evaluation/result/result.js'
import { keepSentences, listed, percent, percentagePoints } from '../output/figures.js'
import {
  type LaxNumber,
  laxerThanReference,
  STRICT_NUMBERS,
  type StrictName,
} from '../protocol/rules/lax.js'
import { isDecided, isHourlyCloses } from './view.js'

type SaidNumber = Omit<LaxNumber, 'name'> & { readonly name: string }

const SHARES: readonly string[] = [
  'practical_effect',
  'harm',
  'availability',
  'availability_stratum',
]

/** A number that shows how strict rules are, as text: `share left out 20 % (2 %)`. */
export function strictSaid({ name, found, bound }: SaidNumber): string {
  const shown = (value: number) => {
    if (name === 'direction') return percentagePoints(value)
    return SHARES.includes(name) ? percent(value) : String(value)
  }
  // A result written by another program may contain any name.
  const what = Object.hasOwn(STRICT_NUMBERS, name) ? STRICT_NUMBERS[name as StrictName].what : name
  return `${what} ${shown(found)} (${shown(bound)})`
}

/**
 * The requirements of the version 1 reference, and the pool of its strongest simple comparator; a test compares them
 * with the frozen file.
 */
const REFERENCE = {
  required: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ar1', 'strongest_simple'],
  pool: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'drift_7d', 'ar1', 'ema_return_24h'],
} as const

/** What a protocol of hourly closes leaves out. */
function hourlyLaxer(result: Result): string[] {
  if (!isHourlyCloses(result)) return []
  const { required, baselines } = result.settings.rules
  const names = required.map(({ name }) => name)
  const absent = REFERENCE.required.filter((name) => !names.includes(name))
  const pool = baselines.find((of) => of.pool !== null)?.pool ?? []
  // With an empty pool, there is no strongest comparator.
  const left = pool.length === 0 ? [] : REFERENCE.pool.filter((name) => !pool.includes(name))
  return keepSentences([
    !isDecided(result) && 'no joint test, by the rules of earlier protocols',
    absent.length > 0 && `not required: ${listed(absent)}`,
    left.length > 0 && `not in the pool of strongest_simple: ${listed(left)}`,
  ])
}

/** One sentence that lists what is laxer in an evaluation than in the reference; undefined if nothing is. */
export function laxerNumbers(result: Result): string | undefined {
  const { rules } = result.settings
  const numbers = laxerThanReference(rules)
  const all = [...numbers.map(strictSaid), ...hourlyLaxer(result)]
  if (all.length === 0) return undefined
  return `Laxer than the reference (its number in brackets): ${all.join('; ')}.`
}
