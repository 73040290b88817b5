import { basename, resolve } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding, formatMessage } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { Document } from '../document/read.js'
import { appendToLedger, ledgerPath } from '../protocol/ledger-file.js'
import { accessPath, readAccessFile } from '../protocol/readings.js'
import { type ClosedEntry, type ClosedFields, isReason } from '../protocol/rules/entry.js'
import { type Ledger, registrationEnds } from '../protocol/rules/ledger.js'
import { findRegisteredEntry } from '../registration/verify.js'
import { protocolFolder, readRegistration, registrationFormFindings } from './load.js'

export interface CloseOptions extends Pick<ClosedFields, 'as' | 'reason'> {
  readonly registration: string
  /** The folder of frozen protocols with their ledger, or a protocol in it. */
  readonly protocol: string
  readonly now: Instant
}

export interface ClosedRegistration {
  readonly entry: ClosedEntry
  /** RFC 3339. */
  readonly firstInputs: string | null
}

/**
 * Records in the ledger that a registration will never be scored, and why. It stays in every count of registrations.
 * @returns the entry of the ledger, and when the first inputs of the registration are known, where its entry says so.
 * @throws {ForeproofError} `usage` for a reason that is empty, too long or contains control characters; `invalid-input`
 * for a registration or a ledger that does not verify; `refused` if it was never entered, is already closed, or has a
 * result.
 */
export function closeRegistration(options: CloseOptions): ClosedRegistration {
  const { as, reason, now } = options
  assertReason(reason, 'Say in one line why it will not be scored.')
  const document = readRegistration(options.registration)
  const [fault] = registrationFormFindings(document)
  if (fault !== undefined) {
    if (SAID_AS_THEY_ARE.has(fault.code)) throw invalid(options.registration, fault)
    throw new ForeproofError('invalid-input', `${options.registration}: is not a registration`, {
      ...{ file: options.registration, help: 'Name the file that foreproof register wrote.' },
    })
  }
  const { registration_sha256 } = (document as Document).value as { registration_sha256: string }
  const folder = protocolFolder(options.protocol)
  let firstInputs: string | null = null
  const entry = appendToLedger(ledgerPath(folder), (ledger) => {
    const registered = findRegisteredEntry({ registration_sha256 }, ledger)
    if (registered === undefined)
      throw refused(options, 'is not in the ledger', 'Name its ledger: --protocol FOLDER')
    assertOpen(options, ledger, registration_sha256, folder)
    const { protocol_version, protocol_sha256 } = registered
    firstInputs = registered.first_inputs
    const of = { registration_sha256, protocol_version, protocol_sha256 }
    return { append: { ...of, as, reason, closed_at: formatUtc(now) } }
  })
  return { entry: entry as ClosedEntry, firstInputs }
}

/** Faults of what is one, or will be; a list of the members of something else helps nobody. */
const SAID_AS_THEY_ARE: ReadonlySet<string> = new Set(['digest-mismatch', 'plan-not-registered'])

/** @throws {ForeproofError} `usage` for a reason that is empty, too long or contains control characters. */
export function assertReason(reason: string, help: string): void {
  if (isReason(reason)) return
  throw new ForeproofError('usage', '--reason: not 1 to 500 printable characters', {
    help: `${help} Everybody who reads the ledger sees it.`,
  })
}

function assertOpen(options: CloseOptions, ledger: Ledger, digest: string, folder: string): void {
  const { closed, result } = registrationEnds(ledger).get(digest) ?? {}
  if (closed !== undefined) {
    throw refused(
      options,
      `was closed before, by entry ${closed.seq}`,
      'A registration is closed once.',
    )
  }
  const { entries, findings } = readAccessFile(accessPath(folder, digest), digest)
  if (findings[0] !== undefined) throw invalid(options.registration, findings[0])
  const written = entries.some(({ event }) => event === 'result_written')
  if (result !== undefined || written) {
    throw refused(options, 'has a result', 'What was scored cannot be closed.')
  }
}

const refused = ({ registration }: CloseOptions, why: string, help: string) =>
  new ForeproofError('refused', `${registration}: ${why}`, { file: registration, help })

function invalid(file: string, found: Finding): ForeproofError {
  const { text, help } = formatMessage(found)
  return new ForeproofError('invalid-input', `${file}: ${text}`, { file, findings: [found], help })
}

/** An error if a registration was closed, because nothing is scored under it. */
export function closedFindings(
  { registration_sha256 }: { readonly registration_sha256: string },
  ledger: Ledger,
): Finding[] {
  const { closed } = registrationEnds(ledger).get(registration_sha256) ?? {}
  if (closed === undefined) return []
  const { seq: entry, as, reason } = closed
  return [
    finding('registration-closed', { entry, as, reason, ledger: basename(resolve(ledger.file)) }),
  ]
}
