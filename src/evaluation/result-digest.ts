import { canonicalize } from '../document/canonical.js'
import { sha256Hex } from '../document/digest.js'

/**
 * Outside of the digest of a result lies, besides the digest, how often outcomes were read before: that follows from
 * the record of readings, so a run that was broken off gives the same result when it is repeated.
 */
const OUTSIDE: ReadonlySet<string> = new Set(['exploratory', 'earlier_readings', 'result_sha256'])

/** The RFC 8785 form of a result, and its digest; a result is large, so each member is written once. */
export function resultForm(result: object): { readonly text: string; readonly digest: string } {
  const values = result as Readonly<Record<string, unknown>>
  const members = Object.keys(values)
    .sort()
    .map((name) => ({ name, text: `${canonicalize(name)}:${canonicalize(values[name])}` }))
  const join = (of: typeof members) => `{${of.map(({ text }) => text).join(',')}}`
  const digest = sha256Hex(join(members.filter(({ name }) => !OUTSIDE.has(name))))
  return { text: join(members), digest }
}

export const resultDigest = (result: object): string => resultForm(result).digest
