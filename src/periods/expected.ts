import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from './list.js'

/**
 * The first position at which a series is expected to have values: the list's first, unless the protocol names a later
 * one.
 */
export function expectedFrom(
  { from }: Pick<SeriesProtocol['series'][number], 'from'>,
  periods: PeriodList,
): number {
  return from === undefined ? 0 : periods.findIndex(({ label }) => label === from)
}
