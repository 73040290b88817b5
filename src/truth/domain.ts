export type DomainFault = 'minimum' | 'integer'

/** The values that rules, or a document of version 2, allow. */
export interface Domain {
  readonly minimum?: string | number | null
  readonly integer: boolean
}

/** Why a protocol cannot score a value; undefined if it can. */
export function findDomainFault(
  value: number,
  { minimum = null, integer }: Domain,
): DomainFault | undefined {
  if (minimum !== null && value < Number(minimum)) return 'minimum'
  return integer && !Number.isInteger(value) ? 'integer' : undefined
}
