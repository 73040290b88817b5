import { ForeproofError, isRefusal } from '../contract/error.js'
import { hasNoErrors } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { ledgerPath, unverifiedLedger } from '../protocol/ledger-file.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import { verifyLedger } from '../protocol/verify.js'
import { type Anchor, readAnchors } from './rfc3161/anchors.js'
import { anchorFolder } from './token-file.js'

/**
 * The entry of a ledger that is to be stamped.
 * @param seq - its position, from 1, or `last`.
 * @throws {ForeproofError} `not-found` where there is no ledger or no such entry; `invalid-input` when the ledger
 * does not verify: a stamp would cover its fault.
 */
export function entryToStamp(folder: string, seq: number | 'last', now: Instant): LedgerEntry {
  const file = ledgerPath(folder)
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
 * The anchors in the folder that a reader names; undefined if none is named.
 * @throws {ForeproofError} `not-found` if the folder has none, because with a wrong name no stamp would count.
 * `usage` for a file that is not an anchor: this is not a fault of the checked file, so it must not have that exit
 * code.
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
 * The anchors of a folder, at least one. A person must put them there; they are never taken from an answer.
 * @throws {ForeproofError} `unavailable` if there is none; as `readAnchors`.
 */
export function requireAnchors(folder: string): readonly Anchor[] {
  const anchors = readAnchors(folder)
  if (anchors.length > 0) return anchors
  throw new ForeproofError('unavailable', `${folder}: no anchor to verify a stamp with`, {
    file: folder,
    help: `No authority was asked. Take the root certificate of the authority from its own site, compare its fingerprint with what the authority publishes elsewhere (openssl x509 -in FILE -noout -fingerprint -sha256), and put it there as NAME.pem: NAME is what its stamps will be called.`,
  })
}
