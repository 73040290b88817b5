import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkRegistration } from '../contract/check-registration.js'
import { fileError } from '../contract/error.js'
import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { loadFile } from '../protocol/load.js'
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
}

export type DocumentsResult = ({ readonly ok: true } & Documents) | Broken

/**
 * Reads registration, ledger and protocol and proves that each is what the others say: the protocol
 * is the one that the ledger has under the version the registration names, and both are entered.
 */
export async function loadDocuments(
  paths: Pick<InputPaths, 'registration' | 'protocol'>,
): Promise<DocumentsResult> {
  const document = await guarded('registration', () => readRegistration(paths.registration))
  if ('link' in document) return document
  const unsound = registrationFormFindings(document)
  if (!document.ok || !hasNoErrors(unsound)) return broken('registration', unsound, document)
  const folder = protocolFolder(paths.protocol)
  const ledger = await guarded('ledger', () => verifyLedger(folder))
  if (ledger === undefined)
    return broken('ledger', [finding('ledger-absent', {}, { file: folder })])
  if ('ok' in ledger) return ledger
  if (!hasNoErrors(ledger.findings)) return broken('ledger', ledger.findings)
  const { version } = (document.value as Registration).protocol
  const protocolEntry = frozenEntries(ledger).find((each) => each.protocol_version === version)
  if (!protocolEntry) {
    return broken('ledger', [finding('protocol-not-frozen', { version }, { file: ledger.file })])
  }
  const frozen = await guarded('protocol', () => loadFile(join(folder, protocolEntry.file)))
  if ('link' in frozen) return frozen
  const unfrozen = protocolFindings(frozen, ledger)
  if (!frozen.ok || !hasNoErrors(unfrozen)) return broken('protocol', unfrozen, frozen)
  const protocol = frozen.value as Protocol
  const loaded = proveRegistration(document, protocol, ledger)
  if (!loaded.ok) return loaded
  const { registration } = loaded
  // What the ledger bears out has an entry there.
  const registrationEntry = registeredEntry(registration, ledger) as RegisteredEntry
  return { ok: true, registration, registrationEntry, protocol, protocolEntry }
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

/**
 * A registration under a protocol that is proved already.
 * @param ledger where it must be entered; without one, that is not looked at.
 */
export function proveRegistration(
  document: Document | UnreadableDocument,
  protocol: Protocol,
  ledger?: VerifyLedgerResult,
): { readonly ok: true; readonly registration: Registration } | Broken {
  if (!document.ok) return broken('registration', document.findings, document)
  const registration = document.value as Registration
  const own = verifyRegistration(registration, protocol)
  const findings = ledger ? [...own, ...ledgerFindings(registration, ledger)] : own
  if (hasNoErrors(findings)) return { ok: true, registration }
  return broken('registration', locateFindings(findings, document), document)
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
