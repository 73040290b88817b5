import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from './list.js'

/** From which position of the list on values of a series are expected: its first, unless the protocol says a later one. */
export function expectedFrom(
  { from }: Pick<SeriesProtocol['series'][number], 'from'>,
  periods: PeriodList,
): number {
  return from === undefined ? 0 : periods.findIndex(({ label }) => label === from)
}
