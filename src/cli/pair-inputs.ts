import { existsSync, realpathSync } from 'node:fs'
import { checkRegistration } from '../contract/check-registration.js'
import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/finding.js'
import { type Instant, parseTimestamp } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { Vintage } from '../outcomes/types.js'
import { loadDocument, loadFile } from '../protocol/load.js'
import { Verifier } from '../protocol/verify.js'
import type { Sources } from './sources.js'

/** A document that verified, or what was found in it. */
export type Verified<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Reads a protocol and proves it: form, digest, and the ledger beside it. */
export async function verifiedProtocol(
  path: string,
  stdin: NodeJS.ReadableStream,
  sources: Sources,
): Promise<Verified<Protocol>> {
  const document = await loadDocument(path, stdin)
  const verifier = new Verifier()
  verifier.add(document)
  if (document.ok && verifier.findings.every(({ severity }) => severity !== 'error')) {
    return { ok: true, value: document.value as Protocol }
  }
  sources.keep(document)
  return { ok: false, findings: verifier.findings }
}

/**
 * Reads a registration and proves that it is what was registered, under this protocol and, once
 * the outcome is known, on this vintage.
 * @throws {ForeproofError} `refused` when it is of another protocol or vintage.
 */
export function verifiedRegistration(
  path: string,
  protocol: Protocol,
  vintage: Vintage,
  sources: Sources,
): Verified<Registration> {
  const document = loadFile(path)
  const findings = document.ok ? checkRegistration(document.value) : document.findings
  if (!document.ok || findings.length > 0) {
    sources.keep(document)
    return { ok: false, findings: findings.map((finding) => ({ ...finding, file: path })) }
  }
  const registration = document.value as Registration
  refuseOther(path, registration, protocol, vintage)
  return { ok: true, value: registration }
}

function refuseOther(
  file: string,
  registration: Registration,
  protocol: Protocol,
  vintage: Vintage,
): void {
  const refuse = (pointer: string, says: string, help: string): never => {
    throw new ForeproofError('refused', says, { file, pointer, help })
  }
  const digest = digestWithout(registration, 'registration_sha256')
  if (registration.registration_sha256 !== digest) {
    refuse(
      '/registration_sha256',
      `the registration was changed: its digest is ${digest}`,
      'Restore the file as it was registered.',
    )
  }
  if (registration.protocol.sha256 !== protocol.protocol_sha256) {
    refuse(
      '/protocol/sha256',
      `registered under the protocol ${registration.protocol.version}, which has another digest`,
      'Give the protocol that the registration names.',
    )
  }
  const { vintage_sha256: registered } = registration.outcomes
  if (registered !== null && registered !== vintage.manifest.sha256) {
    refuse(
      '/outcomes/vintage_sha256',
      `registered on the vintage ${registered}, not ${vintage.manifest.sha256}`,
      'Give the registered vintage.',
    )
  }
}

/** Reads a timestamp given on the command line. @throws {ForeproofError} `usage` for any other text. */
export function instantOption(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const parsed = parseTimestamp(text)
  if (parsed.ok) return parsed.instant
  throw new ForeproofError('usage', `--${name} ${text}: ${FAULTS[parsed.fault]}`, {
    help: 'Write it like 2024-01-01T00:00:00Z.',
  })
}

const FAULTS = {
  syntax: 'no RFC 3339 timestamp',
  'offset-missing': 'no offset from UTC',
  'space-for-plus': 'a space stands where the + of the offset belongs',
  calendar: 'the calendar has no such time',
  'leap-second': 'a leap second has no instant of its own',
  precision: 'finer than a microsecond',
  range: 'out of range',
} as const

/** @throws {ForeproofError} `usage` when the output would replace one of the inputs. */
export function refuseToReplace(out: string, inputs: readonly string[]): void {
  if (!existsSync(out)) return
  const target = realpathSync(out)
  const input = inputs.find((path) => existsSync(path) && realpathSync(path) === target)
  if (input === undefined) return
  throw new ForeproofError('usage', `--out ${out} would replace an input`, {
    help: 'Choose another file.',
  })
}
