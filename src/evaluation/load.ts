import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { checkRegistration } from '../contract/check-registration.js'
import { fileError } from '../contract/error.js'
import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import {
  type Document,
  MAX_BYTES,
  readDocument,
  type UnreadableDocument,
} from '../document/read.js'
import { readRegular } from '../files/regular.js'
import { locateFindings } from '../protocol/rules/check.js'
import type { FrozenEntry, RegisteredEntry } from '../protocol/rules/entry.js'
import { frozenEntries } from '../protocol/rules/ledger.js'
import {
  checkAgainstLedger,
  type VerifyLedgerResult,
  verifyDocument,
  verifyLedger,
} from '../protocol/verify.js'
import { ledgerFindings, registeredEntry } from '../registration/ledger.js'
import { digestFindings, verifyRegistration } from '../registration/verify.js'
import { type Broken, broken, guarded } from './links.js'
import { readRegistration } from './read-registration.js'

/** Where the inputs of an evaluation are. */
export interface InputPaths {
  readonly registration: string
  /** The folder of frozen protocols with their ledger, or a protocol in it. */
  readonly protocol: string
  readonly history: string
  readonly outcomes: string
}

/** The documents of an evaluation, each proved against the others. */
export interface Documents {
  readonly registration: Registration
  readonly registrationEntry: RegisteredEntry
  readonly protocol: Protocol
  readonly protocolEntry: FrozenEntry
  /** Where the protocol was read: the file that was named, or the one that the ledger names. */
  readonly protocolFile: string
  /** The ledger that has both, and the folder that it lies in. */
  readonly ledger: VerifyLedgerResult
  readonly folder: string
}

export type DocumentsResult = ({ readonly ok: true } & Documents) | Broken

/**
 * Reads registration, ledger and protocol and proves that each is what the others say: both are
 * entered in the ledger, and the registration is of this protocol. A protocol that is named as a file
 * is that file; of a folder, it is the one that the ledger has under the version the registration
 * names. The one way for `pair`, `score` and `audit`.
 * @param now - no entry of the ledger may be later; by default what the clock says.
 */
export async function loadDocuments(
  paths: Pick<InputPaths, 'registration' | 'protocol'>,
  now?: Instant,
): Promise<DocumentsResult> {
  const read = await guarded('registration', () => readRegistration(paths.registration))
  if (!read.ok) return read
  const document = read.value
  const unsound = registrationFormFindings(document)
  if (!document.ok || !hasNoErrors(unsound)) return broken('registration', unsound, document)
  const folder = protocolFolder(paths.protocol)
  const verified = await guarded('ledger', () => verifyLedger(folder, now))
  if (!verified.ok) return verified
  const ledger = verified.value
  if (ledger === undefined) {
    return broken('ledger', [finding('ledger-absent', {}, { file: folder })])
  }
  if (!hasNoErrors(ledger.findings)) return broken('ledger', ledger.findings)
  const { version } = (document.value as Registration).protocol
  const named = folder === paths.protocol ? fileOf(version, ledger, folder) : paths.protocol
  if (named === undefined) {
    return broken('ledger', [finding('protocol-not-frozen', { version }, { file: ledger.file })])
  }
  const text = await guarded('protocol', () => readDocument(readRegular(named, MAX_BYTES), named))
  if (!text.ok) return text
  const frozen = text.value
  const unfrozen = protocolFindings(frozen, ledger)
  if (!frozen.ok || !hasNoErrors(unfrozen)) return broken('protocol', unfrozen, frozen)
  const protocol = frozen.value as Protocol
  const findings = [
    ...verifyRegistration(document.value, protocol),
    ...ledgerFindings(document.value as Registration, ledger),
  ]
  if (!hasNoErrors(findings)) {
    return broken('registration', locateFindings(findings, document), document)
  }
  const registration = document.value as Registration
  return {
    ok: true,
    registration,
    // What the ledger bears out has its entries there.
    registrationEntry: registeredEntry(registration, ledger) as RegisteredEntry,
    protocol,
    protocolEntry: ledger.byFile.get(basename(named)) as FrozenEntry,
    protocolFile: named,
    ledger,
    folder,
  }
}

/** The file that a ledger has under a version; undefined where it has none. */
function fileOf(version: string, ledger: VerifyLedgerResult, folder: string): string | undefined {
  const entry = frozenEntries(ledger).find((each) => each.protocol_version === version)
  return entry && join(folder, entry.file)
}

/** A protocol that was named itself, and the ledger beside it where there is one. */
export interface NamedProtocol {
  readonly document: Document | UnreadableDocument
  readonly ledger: VerifyLedgerResult | undefined
  /** Of the ledger, then of the protocol. */
  readonly findings: readonly Finding[]
}

/** Holds a protocol that was named itself against the ledger beside it, where there is one. */
export function proveNamedProtocol(document: Document | UnreadableDocument): NamedProtocol {
  const ledger = verifyLedger(dirname(document.file))
  const findings = [...(ledger?.findings ?? []), ...protocolFindings(document, ledger)]
  return { document, ledger, findings }
}

/** The folder that a protocol lies in, or that was named itself. */
export function protocolFolder(path: string): string {
  try {
    return statSync(path).isDirectory() ? path : dirname(path)
  } catch (cause) {
    throw fileError(cause, path)
  }
}

/** Form and digest of a registration, before its protocol is known. */
function registrationFormFindings(document: Document | UnreadableDocument): readonly Finding[] {
  if (!document.ok) return document.findings
  const { value, file } = document
  if (isPlan(value)) return [finding('plan-not-registered', {}, { file })]
  const form = checkRegistration(value)
  return locateFindings(form.length > 0 ? form : digestFindings(value as Registration), document)
}

function isPlan(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'plan_version' in value
}

/** Format and digest of a protocol and, where these are sound, its entry in a ledger. */
function protocolFindings(
  document: Document | UnreadableDocument,
  ledger: VerifyLedgerResult | undefined,
): readonly Finding[] {
  const own = verifyDocument(document)
  if (!document.ok || !hasNoErrors(own) || ledger === undefined) return own
  return [...own, ...checkAgainstLedger(document, ledger)]
}
