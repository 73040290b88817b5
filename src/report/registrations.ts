import type { AlphaLeft } from '../evaluation/other-registrations.js'
import type { Result } from '../evaluation/result/result.js'
import { counted, listed, percent, readableTime } from '../output/figures.js'
import { unitIn } from './sentences.js'

type Registrations = NonNullable<Result['registrations']>
type Other = Registrations['others'][number]

/** The alpha in use, and why it differs from the protocol's: `5.0 %, as the protocol says`. */
export function alphaSaid(
  { protocol_alpha: alpha, repetition, divisor }: AlphaLeft,
  over: 'hours' | 'origins',
): string {
  if (divisor === 1) return `${percent(alpha)}, as the protocol says`
  return `${percent(alpha / divisor, 2)}, the protocol’s ${percent(alpha)} divided by ${divisor}: registration ${repetition} of the same candidate over ${over} of this window`
}

/** The sentence that comes first if alpha is divided. */
export function registeredBefore(result: Result): string | undefined {
  const { registrations } = result
  if (registrations === null || registrations.divisor === 1) return undefined
  return `Registered before: the alpha of this evaluation is ${alphaSaid(registrations, unitIn(result))}. With many tries one succeeds by chance.`
}

/** Other registrations in the ledger, and what the ledger cannot show. */
export function othersSaid(result: Result, registrations: Registrations): string {
  const { others } = registrations
  const othersText =
    others.length === 0
      ? 'No other registration of the ledger overlaps the window or has a candidate in common'
      : `${counted(others.length, 'other registration')} of the ledger ${others.length === 1 ? 'overlaps the window or has' : 'overlap the window or have'} a candidate in common`
  return `${othersText}; alpha is ${alphaSaid(registrations, unitIn(result))}. A model under a new name with other forecasts, or in another ledger, is not recognised.`
}

const END = {
  scored: 'scored; its verdict is in its own evidence',
  broken_off: 'outcomes read, no result written',
  closed: 'closed, never scored',
  not_scored: 'not yet scored when this report was made',
} as const satisfies Record<Other['end'], string>

/** One row per registration. */
export function othersTable({ others }: Registrations) {
  return {
    head: ['ledger entry', 'file', 'window', 'candidates in common', 'end'],
    rows: others.map(({ entry, file, window, overlaps, same, end, cancelled }) => [
      String(entry),
      file,
      window === null
        ? 'unknown: the file is gone or was edited, so it counts as overlapping'
        : `${readableTime(window.from)} to ${readableTime(window.to)}${overlaps ? ', overlaps' : ''}`,
      window === null ? 'unknown, so any' : listed(same.map(sameSaid)) || 'none',
      cancelled === null
        ? END[end]
        : `cancelled before its window by entry ${cancelled.entry}, so it does not count`,
    ]),
  }
}

function sameSaid({ candidate, as, by }: Other['same'][number]): string {
  if (by === 'name') return candidate
  return `${candidate} as ${as} (${by === 'forecasts' ? 'the same forecasts' : 'the same configuration'})`
}
