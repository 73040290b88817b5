import { canonicalize } from '../document/canonical.js'
import { leafHash } from './merkle.js'

/**
 * Registrations that a log holds, by the digests of their entries in a ledger. A reader with a digest can make the
 * leaf of it: so that a log has it is shown by the digest alone, and that a leaf is that of no forecast.
 */

/** The leaf of an entry of a ledger. @param entrySha256 - in hex. */
export function registrationLeaf(entrySha256: string): Uint8Array {
  return leafHash(canonicalize({ entry_sha256: entrySha256 }))
}

/** The small texts that a history keeps beside its rows. */
interface Notes {
  noted(key: string): Promise<string | undefined>
  note(key: string, text: string): Promise<void>
}

/** Keeps digests, beside those that are kept. @returns those that are new. */
export async function addRegistrations(
  notes: Notes,
  digests: readonly string[],
): Promise<string[]> {
  const known = parseRegistrations(await notes.noted(REGISTRATIONS_NOTE))
  const added = [...new Set(digests)].filter((digest) => !known.includes(digest))
  if (added.length > 0) await notes.note(REGISTRATIONS_NOTE, JSON.stringify([...known, ...added]))
  return added
}

/** Where a history keeps the digests. */
export const REGISTRATIONS_NOTE = 'registrations in the log'

/** Those that are kept there; none where the note is not as it was written. */
export function parseRegistrations(noted: string | undefined): string[] {
  try {
    const digests: unknown = JSON.parse(noted ?? '[]')
    return Array.isArray(digests) ? digests.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
