import { ForeproofError, isRefusal } from '../contract/error.js'
import { hasNoErrors } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { ledgerOf, unverifiedLedger } from '../protocol/ledger-file.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import { verifyLedger } from '../protocol/verify.js'
import { type Anchor, readAnchors } from './rfc3161/anchors.js'
import { anchorFolder } from './token-file.js'

/**
 * The entry of a ledger that is to be stamped.
 * @param seq - its place, from 1, or `last`.
 * @throws {ForeproofError} `not-found` where there is no ledger or no such entry; `invalid-input` when
 * the ledger does not verify: a stamp would cover its fault.
 */
export function entryToStamp(folder: string, seq: number | 'last', now: Instant): LedgerEntry {
  const file = ledgerOf(folder)
  const ledger = verifyLedger(folder, now)
  if (ledger === undefined) {
    throw new ForeproofError('not-found', `${file}: no such file`, {
      file,
      help: 'Name the folder of the protocols with --dir. The first freeze makes a ledger.',
    })
  }
  if (!hasNoErrors(ledger.findings)) {
    throw unverifiedLedger(file, ledger.findings, 'Nothing was stamped.')
  }
  const line = ledger.lines.at(seq === 'last' ? -1 : seq - 1)
  if (line !== undefined) return line.entry
  const asked = seq === 'last' ? 'no entry' : `no entry ${seq}`
  throw new ForeproofError('not-found', `${file}: the ledger has ${asked}`, {
    file,
    help: `It has ${ledger.lines.length}.`,
  })
}

/** The anchors beside a ledger. @throws {ForeproofError} as `demandAnchors`. */
export const readLedgerAnchors = (folder: string): readonly Anchor[] =>
  requireAnchors(anchorFolder(folder))

/**
 * The anchors that a reader trusts, of the folder that the reader names; undefined where none is named.
 * @throws {ForeproofError} `not-found` where the folder has none: under a wrong name no stamp at all would count. `usage`
 * for a file that is no anchor: that is no fault of what is checked, and its exit code must not say so.
 */
export function readReaderAnchors(folder: string | undefined): readonly Anchor[] | undefined {
  if (folder === undefined) return undefined
  const anchors = readOwnAnchors(folder)
  if (anchors.length > 0) return anchors
  throw new ForeproofError('not-found', `${folder}: holds no anchor`, {
    file: folder,
    help: 'Put the root certificates that you trust there, each as NAME.pem.',
  })
}

function readOwnAnchors(folder: string): readonly Anchor[] {
  try {
    return readAnchors(folder)
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    const { message, file, help } = cause
    throw new ForeproofError('usage', message, { file, help, cause })
  }
}

/**
 * The anchors of a folder, of which there must be one: trust is put there by a person, never taken from
 * an answer.
 * @throws {ForeproofError} `unavailable` where there is none; as `readAnchors`.
 */
export function requireAnchors(folder: string): readonly Anchor[] {
  const anchors = readAnchors(folder)
  if (anchors.length > 0) return anchors
  throw new ForeproofError('unavailable', `${folder}: no anchor to verify a stamp with`, {
    file: folder,
    help: `No authority was asked. Take the root certificate of the authority from its own site, compare its fingerprint with what the authority publishes elsewhere (openssl x509 -in FILE -noout -fingerprint -sha256), and put it there as NAME.pem: NAME is what its stamps will be called.`,
  })
}
