import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import type { Instant } from '../contract/instant.js'
import type { Document } from '../document/read.js'
import { codeVersion } from '../evaluation/code-version.js'
import { readResult, requireEvidence } from '../evaluation/evidence/open.js'
import { orBroken } from '../evaluation/links.js'
import { readRegistration, registrationFormFindings } from '../evaluation/load.js'
import { readRegular } from '../files/regular.js'
import { ledgerOf, MAX_LEDGER_BYTES, unverifiedLedger } from '../protocol/ledger-file.js'
import { accessPath, readAccessFile } from '../protocol/readings.js'
import { isRegistered } from '../protocol/rules/entry.js'
import { verifyLedger } from '../protocol/verify.js'
import type { AnyRegistration } from '../registration/types.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import { readStamps } from '../time/token-file.js'
import type { ReadableResult, RecordInputs } from './derive.js'

export interface GatherOptions {
  readonly protocols: string
  /** Files of registrations; by their digest, wherever they lie. */
  readonly registrations: readonly string[]
  readonly evidence: readonly string[]
  readonly anchors?: readonly Anchor[] | undefined
  readonly now: Instant
}

/** Reads everything that a record is derived from. What is not there is not checked, and never taken to hold. */
export async function gatherRecord(options: GatherOptions): Promise<RecordInputs> {
  const { protocols, now } = options
  const file = ledgerOf(protocols)
  const ledger = verifyLedger(protocols, now)
  if (ledger === undefined) {
    throw new ForeproofError('not-found', `${file}: no such file`, { file })
  }
  const faults = ledger.findings.filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw unverifiedLedger(file, faults, 'No record was written.')
  const entries = ledger.lines.map(({ entry }) => entry).filter(isRegistered)
  const beside = entries.map((entry) => join(protocols, entry.file)).filter((path) => existsSync(path))
  const registrations = new Map<string, AnyRegistration>()
  for (const path of [...options.registrations, ...beside]) {
    const document = readRegistration(path)
    if (registrationFormFindings(document).length > 0) continue
    const value = (document as Document).value as AnyRegistration
    registrations.set(value.registration_sha256, value)
  }
  const known = new Set(entries.map((entry) => entry.registration_sha256))
  const results = new Map<string, ReadableResult>()
  for (const folder of options.evidence) {
    const result = await resultIn(folder, known)
    results.set(result.result_sha256, result)
  }
  const readings = new Map(
    [...known].map((digest) => [digest, readAccessFile(accessPath(protocols, digest), digest).entries]),
  )
  const { stamps, authorities } = await readStamps(protocols, ledger, options.anchors)
  return {
    ...{ ledger, bytes: readRegular(file, MAX_LEDGER_BYTES), registrations, results, readings },
    ...{ stamps, authorities, protocols: new Map(), now, code: codeVersion() },
  }
}

/** The result of an evidence folder, of a registration of this ledger. */
async function resultIn(folder: string, known: ReadonlySet<string>): Promise<ReadableResult> {
  requireEvidence(folder)
  const read = await orBroken(async () => ({ ok: true as const, result: await readResult(folder) }))
  if (!read.ok) {
    throw new ForeproofError('invalid-input', `${folder}: its result is broken`, {
      ...{ file: folder, findings: read.findings },
    })
  }
  const { result } = read
  if (known.has(result.inputs.registration.sha256)) {
    const { result_sha256, kind, dispositions, registrations } = result
    return { result_sha256, kind, dispositions, registrations: registrations ?? null }
  }
  throw new ForeproofError('refused', `${folder}: is of no registration of this ledger`, {
    ...{ file: folder, help: 'Leave it out, or name the folder of its ledger with --protocols.' },
  })
}
