import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkRegistration } from '../contract/check-registration.js'
import { ForeproofError, fileError } from '../contract/error.js'
import { type Finding, holds } from '../contract/findings/finding.js'
import { checkedInstant, formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { Document } from '../document/read.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { loadFile } from '../protocol/load.js'
import { placed } from '../protocol/rules/check.js'
import { type FrozenEntry, isFrozen, type RegisteredEntry } from '../protocol/rules/entry.js'
import { checkAgainstLedger, verifyDocument, verifyLedger } from '../protocol/verify.js'
import { ledgerFindings, registeredEntry } from '../registration/ledger.js'
import { readRegistration } from '../registration/load.js'
import { digestFindings, verifyRegistration } from '../registration/verify.js'

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

/** Links of the evidence chain, in the order in which each rests on the ones before. */
export type Link =
  | 'ledger'
  | 'protocol'
  | 'registration'
  | 'outcomes'
  | 'history'
  | 'result'
  | 'pairs'
  | 'computation'
  | 'access'
  | 'report'

/** What was found wrong, and in which link. */
export interface Broken {
  readonly ok: false
  readonly link: Link
  readonly findings: readonly Finding[]
}

export function broken(link: Link, findings: readonly Finding[]): Broken {
  return { ok: false, link, findings }
}

export function fault(code: string, file: string, args: Finding['args'] = {}): Finding {
  return { code, severity: 'error', file, args }
}

/**
 * Wrong content becomes a finding of a link. A fault of our own, of the machine, or a file that is
 * not there stays an error; only in an evidence folder is an absent file a finding too.
 */
export function guarded<T>(link: Link, work: () => T, absent?: 'is-a-finding'): T | Broken {
  try {
    return work()
  } catch (error) {
    return brokenBy(error, link, absent)
  }
}

/** The same for work that takes a while. */
export async function guardedAsync<T>(link: Link, work: () => Promise<T>): Promise<T | Broken> {
  try {
    return await work()
  } catch (error) {
    return brokenBy(error, link)
  }
}

function brokenBy(error: unknown, link: Link, absent?: 'is-a-finding'): Broken {
  if (!(error instanceof ForeproofError)) throw error
  const wrong = error.code === 'invalid-input' || error.code === 'refused'
  if (!wrong && !(error.code === 'not-found' && absent)) throw error
  if (error.findings.length > 0) return broken(link, error.findings)
  const { file, pointer, position } = error
  return broken(link, [
    {
      code: 'evidence-unreadable',
      severity: 'error',
      ...(file !== undefined && { file }),
      ...(pointer !== undefined && { pointer }),
      ...(position !== undefined && { position }),
      args: { reason: error.message, help: error.help ?? null },
    },
  ])
}

/** Reads registration, ledger and protocol and proves that each is what the others say. */
export function verifyDocuments(
  paths: Pick<InputPaths, 'registration' | 'protocol'>,
): ({ readonly ok: true } & Documents) | Broken {
  const read = guarded('registration', () => readSound(paths.registration))
  if ('link' in read) return read
  const registration = read.value as Registration
  const folder = protocolFolder(paths.protocol)
  const ledger = guarded('ledger', () => verifyLedger(folder))
  if (ledger === undefined) return broken('ledger', [fault('ledger-absent', folder)])
  if ('ok' in ledger) return ledger
  if (!holds(ledger.findings)) return broken('ledger', ledger.findings)
  const { version } = registration.protocol
  const protocolEntry = ledger.lines
    .map((line) => line.entry)
    .filter(isFrozen)
    .find((entry) => entry.protocol_version === version)
  if (!protocolEntry) {
    return broken('ledger', [fault('protocol-not-frozen', ledger.file, { version })])
  }
  const document = guarded('protocol', () => loadFile(join(folder, protocolEntry.file)))
  if ('link' in document) return document
  const unsound = verifyDocument(document)
  if (!document.ok || !holds(unsound)) return broken('protocol', unsound)
  const unfrozen = checkAgainstLedger(document, ledger)
  if (!holds(unfrozen)) return broken('protocol', unfrozen)
  const protocol = document.value as Protocol
  const findings = [
    ...verifyRegistration(registration, protocol),
    ...ledgerFindings(registration, ledger),
  ]
  if (!holds(findings)) return broken('registration', placed(findings, read))
  // What the ledger bears out has an entry there.
  const registrationEntry = registeredEntry(registration, ledger) as RegisteredEntry
  return { ok: true, registration, registrationEntry, protocol, protocolEntry }
}

/** A registration whose form and digest are right, before its protocol is known. */
function readSound(path: string): Document | Broken {
  const document = readRegistration(path)
  if (!document.ok) return broken('registration', document.findings)
  if (isPlan(document.value)) return broken('registration', [fault('plan-not-registered', path)])
  const form = checkRegistration(document.value)
  const findings = form.length > 0 ? form : digestFindings(document.value as Registration)
  return holds(findings) ? document : broken('registration', placed(findings, document))
}

function isPlan(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'plan_version' in value
}

/** The folder that a protocol lies in, or that was named itself. */
export function protocolFolder(path: string): string {
  try {
    return statSync(path).isDirectory() ? path : dirname(path)
  } catch (cause) {
    throw fileError(cause, path)
  }
}

/**
 * Reads the outcomes and proves that they are the registered ones and reach far enough.
 * @param now undefined where the time of day plays no part, as in an audit.
 */
export function verifyOutcomes(
  path: string,
  registration: Registration,
  now?: Instant,
): { readonly ok: true; readonly vintage: Vintage } | Broken {
  const asOf = checkedInstant(registration.as_of)
  if (now !== undefined && now < asOf) {
    const args = { asOf: formatUtc(asOf), now: formatUtc(now) }
    return broken('outcomes', [fault('not-matured-yet', path, args)])
  }
  const vintage = guarded('outcomes', () => readVintage(path))
  if ('ok' in vintage) return vintage
  const { manifest } = vintage
  const { outcomes } = registration
  if (outcomes.vintage_sha256 !== null && outcomes.vintage_sha256 !== manifest.sha256) {
    const args = { registered: outcomes.vintage_sha256, found: manifest.sha256 }
    return broken('outcomes', [fault('outcomes-not-registered', path, args)])
  }
  if (outcomes.vintage_id !== null && outcomes.vintage_id !== manifest.vintage_id) {
    const args = { registered: outcomes.vintage_id, found: manifest.vintage_id }
    return broken('outcomes', [fault('outcomes-id-differs', path, args)])
  }
  if (outcomes.vintage_sha256 === null && outcomes.source !== manifest.source) {
    const args = { registered: outcomes.source, found: manifest.source }
    return broken('outcomes', [fault('outcomes-source-differs', path, args)])
  }
  const horizon = Math.max(...registration.horizons_hours)
  const needed = checkedInstant(registration.window.to) + horizon * MICROS_PER_HOUR
  if (vintage.last < needed) {
    const args = { needed: formatUtc(needed), last: manifest.last }
    return broken('outcomes', [fault('outcomes-too-short', path, args)])
  }
  return { ok: true, vintage }
}
