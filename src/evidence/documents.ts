import { join } from 'node:path'
import { checkRegistration } from '../contract/check-registration.js'
import { ForeproofError } from '../contract/error.js'
import { type Finding, holds } from '../contract/finding.js'
import { formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { loadFile } from '../protocol/load.js'
import { placed } from '../protocol/rules/check.js'
import { type FrozenEntry, isFrozen, type RegisteredEntry } from '../protocol/rules/entry.js'
import { checkAgainstLedger, verifyDocument, verifyLedger } from '../protocol/verify.js'
import { enumerateFamily, familyDigest } from '../registration/family.js'
import { instantOf } from './pairing-stage.js'

/** Where the inputs of an evaluation are. */
export interface InputPaths {
  readonly registration: string
  /** The folder of frozen protocols, with their ledger. */
  readonly protocols: string
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

/** Errors of reading become findings of a link; a fault of our own stays one. */
export function guarded<T>(link: Link, work: () => T): T | Broken {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ForeproofError) || error.code === 'bug' || error.exitCode === 3) throw error
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
}

/** Reads registration, ledger and protocol and proves that each is what the others say. */
export function verifyDocuments(
  paths: Pick<InputPaths, 'registration' | 'protocols'>,
): ({ readonly ok: true } & Documents) | Broken {
  const registered = guarded('registration', () => loadRegistration(paths.registration))
  if (!registered.ok) return registered
  const { registration } = registered
  const ledger = guarded('ledger', () => verifyLedger(paths.protocols))
  if (ledger === undefined) {
    return broken('ledger', [fault('ledger-absent', paths.protocols)])
  }
  if ('ok' in ledger) return ledger
  if (!holds(ledger.findings)) return broken('ledger', ledger.findings)
  const entries = ledger.lines.map((line) => line.entry)
  const { version, sha256 } = registration.protocol
  const protocolEntry = entries.find(
    (entry): entry is FrozenEntry => isFrozen(entry) && entry.protocol_version === version,
  )
  if (!protocolEntry) {
    return broken('ledger', [fault('protocol-not-frozen', ledger.file, { version })])
  }
  const registrationEntry = entries.find(
    (entry): entry is RegisteredEntry =>
      !isFrozen(entry) && entry.registration_sha256 === registration.registration_sha256,
  )
  if (!registrationEntry) {
    const args = { registration: registration.registration_sha256 }
    return broken('ledger', [fault('registration-not-in-ledger', ledger.file, args)])
  }
  if (registrationEntry.registered_at !== registration.registered_at) {
    const args = { ledger: registrationEntry.registered_at, found: registration.registered_at }
    return broken('registration', [fault('registration-time-differs', paths.registration, args)])
  }
  const file = join(paths.protocols, protocolEntry.file)
  const document = guarded('protocol', () => loadFile(file))
  if ('link' in document) return document
  const findings = verifyDocument(document)
  if (!document.ok || !holds(findings)) return broken('protocol', findings)
  const against = checkAgainstLedger(document, ledger)
  if (!holds(against)) return broken('protocol', against)
  const protocol = document.value as Protocol
  if (protocol.protocol_sha256 !== sha256) {
    const args = { version, registered: sha256, found: protocol.protocol_sha256 }
    return broken('protocol', [fault('protocol-not-registered', file, args)])
  }
  return { ok: true, registration, registrationEntry, protocol, protocolEntry }
}

function loadRegistration(file: string) {
  const document = loadFile(file)
  if (!document.ok) return broken('registration', document.findings)
  const findings = placed(checkRegistration(document.value), document)
  if (!holds(findings)) return broken('registration', findings)
  const registration = document.value as Registration
  const computed = digestWithout(registration, 'registration_sha256')
  if (computed !== registration.registration_sha256) {
    const args = { computed, declared: registration.registration_sha256 }
    return broken('registration', [fault('registration-edited', file, args)])
  }
  const names = enumerateFamily(registration).map((test) => test.name)
  const same =
    registration.family_size === names.length &&
    registration.family_sha256 === familyDigest(names) &&
    registration.family.every((name, index) => name === names[index])
  if (!same) return broken('registration', [fault('registration-family', file)])
  return { ok: true as const, registration }
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
  const asOf = instantOf(registration.as_of)
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
    return broken('outcomes', [fault('vintage-not-registered', path, args)])
  }
  if (outcomes.vintage_id !== null && outcomes.vintage_id !== manifest.vintage_id) {
    const args = { registered: outcomes.vintage_id, found: manifest.vintage_id }
    return broken('outcomes', [fault('vintage-id-differs', path, args)])
  }
  if (outcomes.vintage_sha256 === null && outcomes.source !== manifest.source) {
    const args = { registered: outcomes.source, found: manifest.source }
    return broken('outcomes', [fault('vintage-source-differs', path, args)])
  }
  const horizon = Math.max(...registration.horizons_hours)
  const needed = instantOf(registration.window.to) + horizon * MICROS_PER_HOUR
  if (vintage.last < needed) {
    const args = { needed: formatUtc(needed), last: manifest.last }
    return broken('outcomes', [fault('vintage-too-short', path, args)])
  }
  return { ok: true, vintage }
}
