import type { PeriodList } from './list.js'

/**
 * The first position at which a series is expected to have values: the list's first, unless the protocol names a later
 * one.
 */
export function expectedFrom(
  { from = null }: { readonly from?: string | null },
  periods: PeriodList,
): number {
  return from === null ? 0 : periods.findIndex(({ label }) => label === from)
}
