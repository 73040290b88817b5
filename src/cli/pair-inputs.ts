import { existsSync, realpathSync, statSync } from 'node:fs'
import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { type Instant, instantOrNaN, parseTimestamp } from '../contract/instant.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { HistoryReader } from '../history/store/types.js'
import type { Vintage } from '../outcomes/types.js'
import type { Stratum } from '../pairing/types.js'
import { loadDocument } from '../protocol/load.js'
import { Verifier } from '../protocol/verify.js'
import { loadRegistration } from '../registration/load.js'
import { buildStrata } from '../registration/strata.js'
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
 * Reads a registration and proves that it is what was registered under this protocol.
 * @throws {ForeproofError} `refused` when it was registered on another vintage.
 */
export function verifiedRegistration(
  path: string,
  protocol: Protocol,
  vintage: Vintage,
  sources: Sources,
): Verified<Registration> {
  const loaded = loadRegistration(path, protocol)
  if (!loaded.ok) {
    sources.keep(loaded.document)
    return loaded
  }
  const { registration } = loaded
  const { vintage_sha256: registered } = registration.outcomes
  if (registered !== null && registered !== vintage.manifest.sha256) {
    throw new ForeproofError(
      'refused',
      `registered on the vintage ${registered}, not ${vintage.manifest.sha256}`,
      { file: path, pointer: '/outcomes/vintage_sha256', help: 'Give the registered vintage.' },
    )
  }
  return { ok: true, value: registration }
}

/** The strata of a registration, able to place an origin by the vintage and the history. */
export async function strataOf(
  registration: Registration,
  vintage: Vintage,
  history: HistoryReader,
): Promise<readonly Stratum[]> {
  const { strata, window } = registration
  const asked = strata.some(({ by }) => by === 'regime')
  const bounds = { from: instantOrNaN(window.from), to: instantOrNaN(window.to) }
  const regimes = asked ? await history.regimes(bounds) : new Map<Instant, string>()
  return buildStrata(strata, {
    closeAt: vintage.closeAt,
    regimeAt: (origin) => regimes.get(origin),
  })
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

/**
 * Sees before any work that the output can take its name.
 * @throws {ForeproofError} `usage` when it would replace an input; `not-found` when it is a folder.
 */
export function checkOutput(out: string, inputs: readonly string[]): void {
  if (!existsSync(out)) return
  if (statSync(out).isDirectory()) {
    throw new ForeproofError('not-found', `--out ${out}: is a folder`, {
      help: 'Name a file inside it.',
    })
  }
  const target = realpathSync(out)
  const input = inputs.find((path) => existsSync(path) && realpathSync(path) === target)
  if (input === undefined) return
  throw new ForeproofError('usage', `--out ${out} would replace an input`, {
    help: 'Choose another file.',
  })
}

/**
 * Commas separate names, unless a name of the history has them.
 * @throws {ForeproofError} `usage` when none is left.
 */
export function chosenModels(given: readonly string[], known: readonly string[]): string[] {
  const names = given.flatMap((text) =>
    known.includes(text) ? [text] : text.split(',').map((name) => name.trim()),
  )
  const wanted = [...new Set(names.filter((name) => name !== ''))]
  if (wanted.length === 0) {
    throw new ForeproofError('usage', '--models names no model', {
      help: 'Name at least one, or leave the option out for all of the history.',
    })
  }
  return wanted
}
