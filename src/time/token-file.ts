import { join } from 'node:path'
import type { Finding } from '../contract/findings/finding.js'
import { canonicalize } from '../document/canonical.js'
import { sha256Hex } from '../document/digest.js'
import { readRegular } from '../files/regular.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import type { EntryStamp } from './level.js'
import type { Anchor } from './rfc3161/anchors.js'
import { LARGEST_TOKEN, type TimeStamp } from './rfc3161/types.js'
import { verifyToken } from './rfc3161/verify-token.js'

export const TOKEN_SUFFIX = '.tsr'

/** Where anchors lie beside a ledger. */
export function anchorFolder(folder: string): string {
  return join(folder, 'anchors')
}

/** Where the stamps of a ledger lie: a folder for each stamped entry. */
export function stampFolder(folder: string): string {
  return join(folder, 'stamps')
}

/** The file of an authority's token over an entry. */
export function tokenFile(folder: string, entry: LedgerEntry, authority: string): string {
  return join(stampFolder(folder), entry.entry_sha256, `${authority}${TOKEN_SUFFIX}`)
}

/** The bytes of an entry that are stamped, in RFC 8785 form: their SHA-256 is its `entry_sha256`. */
export function stampedBytes({ entry_sha256: _, ...rest }: LedgerEntry): Uint8Array {
  return Buffer.from(canonicalize(rest))
}

/** A stamp over one entry, from the token that says so. */
export function entryStamp(
  stamp: TimeStamp,
  token: Uint8Array,
  { seq, entry_sha256 }: LedgerEntry,
  file: string,
): EntryStamp {
  return { ...stamp, seq, entrySha256: entry_sha256, file, tokenSha256: sha256Hex(token) }
}

export type ReadTokenResult =
  | { readonly ok: true; readonly stamp: EntryStamp; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Reads a token file and verifies it against an entry.
 * @throws {ForeproofError} as `readRegular`; a symbolic link is not followed.
 */
export async function readToken(
  file: string,
  entry: LedgerEntry,
  anchors: readonly Anchor[],
): Promise<ReadTokenResult> {
  const token = readRegular(file, LARGEST_TOKEN, { links: 'refuse' })
  const verified = await verifyToken(token, stampedBytes(entry), anchors, { file })
  if (!verified.ok) return verified
  return { ...verified, stamp: entryStamp(verified.stamp, token, entry, file) }
}
