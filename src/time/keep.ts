import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createFileAtomic, writeFileAtomic } from '../files/atomic.js'
import { makeFolderSync } from '../files/make-folder.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import type { EntryStamp } from './level.js'
import type { ObtainedStamp } from './obtain.js'
import type { Anchor } from './rfc3161/anchors.js'
import { entryStamp, readToken, tokenFile } from './token-file.js'

/** An entry of a ledger that verifies, and what its stamps are held against. */
export interface StampTarget {
  /** The folder of the ledger. */
  readonly folder: string
  readonly entry: LedgerEntry
  readonly anchors: readonly Anchor[]
}

export interface KeptStamp {
  /** `kept` when that authority had stamped the entry before: the earlier stamp says more. */
  readonly outcome: 'written' | 'kept' | 'replaced'
  /** The stamp that lies in the folder now. */
  readonly stamp: EntryStamp
}

/**
 * Puts a token that verified into its place. A token of the same authority that is there already is
 * kept, unless it does not verify.
 * @throws {ForeproofError} as `writeFileAtomic`; `invalid-input` when something else than a file is in
 * the way.
 */
export async function keepToken(
  { folder, entry, anchors }: StampTarget,
  { stamp, token }: Pick<ObtainedStamp, 'stamp' | 'token'>,
): Promise<KeptStamp> {
  const file = tokenFile(folder, entry, stamp.authority)
  const isThere = existsSync(file)
  const earlier = isThere ? await readToken(file, entry, anchors) : undefined
  if (earlier?.ok === true && earlier.stamp.authority === stamp.authority) {
    return { outcome: 'kept', stamp: earlier.stamp }
  }
  makeFolderSync(dirname(file))
  if (isThere) writeFileAtomic(file, token)
  else createFileAtomic(file, token)
  const outcome = isThere ? 'replaced' : 'written'
  return { outcome, stamp: entryStamp(stamp, token, entry, file) }
}
