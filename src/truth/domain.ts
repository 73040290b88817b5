import type { SeriesProtocol } from '../contract/types.js'

export type DomainFault = 'minimum' | 'integer'

/** Why a protocol cannot score a value; undefined if it can. */
export function domainFault(
  value: number,
  { minimum, integer }: SeriesProtocol['forecast'],
): DomainFault | undefined {
  if (minimum !== undefined && value < Number(minimum)) return 'minimum'
  return integer && !Number.isInteger(value) ? 'integer' : undefined
}
