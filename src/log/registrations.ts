import { canonicalize } from '../document/canonical.js'
import { leafHash } from './merkle.js'

/**
 * Registrations in a log, as digests of their ledger entries. From a digest, a reader can compute the leaf, and so
 * check that the log has it and that the leaf is not a forecast.
 */

/** The leaf of an entry of a ledger. @param entrySha256 - in hex. */
export function registrationLeaf(entrySha256: string): Uint8Array {
  return leafHash(canonicalize({ entry_sha256: entrySha256 }))
}

/** The notes of a history. */
interface Notes {
  noted(key: string): Promise<string | undefined>
  note(key: string, text: string): Promise<void>
}

/** Stores digests. @returns the new ones. */
export async function addRegistrations(
  notes: Notes,
  digests: readonly string[],
): Promise<string[]> {
  const noted = parseRegistrations(await notes.noted(REGISTRATIONS_NOTE))
  const added = [...new Set(digests)].filter((digest) => !noted.includes(digest))
  if (added.length > 0) await notes.note(REGISTRATIONS_NOTE, JSON.stringify([...noted, ...added]))
  return added
}

/** The note with the digests. */
export const REGISTRATIONS_NOTE = 'registrations in the log'

/** The digests in the note; none if it is malformed. */
export function parseRegistrations(noted: string | undefined): string[] {
  try {
    const digests: unknown = JSON.parse(noted ?? '[]')
    return Array.isArray(digests) ? digests.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
