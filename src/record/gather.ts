import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import {
  type Finding,
  finding,
  firstReason,
  formatMessage,
  hasNoErrors,
} from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { Protocol, Registration, SeriesProtocol } from '../contract/types.js'
import { sha256Hex } from '../document/digest.js'
import { type Document, MAX_LIST_DOCUMENT_BYTES } from '../document/read.js'
import { readResult, requireEvidence } from '../evaluation/evidence/open.js'
import { catchBroken } from '../evaluation/links.js'
import { readRegistration, registrationFormFindings } from '../evaluation/load.js'
import type { CodeVersion, Result } from '../evaluation/result/result.js'
import { readRegular } from '../files/regular.js'
import { MAX_PROOF_BYTES } from '../log/check-proof.js'
import type { Policy } from '../log/policy.js'
import { ledgerPath, MAX_LEDGER_BYTES, unverifiedLedger } from '../protocol/ledger-file.js'
import { type AccessEntry, accessPath, readAccessFile } from '../protocol/readings.js'
import { locateFindings } from '../protocol/rules/check.js'
import { compileRules } from '../protocol/rules/compile.js'
import {
  entryDigests,
  isCorrected,
  isResult,
  type LedgerEntry,
  type RegisteredEntry,
} from '../protocol/rules/entry.js'
import { findTooLax } from '../protocol/rules/lax.js'
import { findResultEntry, frozenEntries, registeredEntries } from '../protocol/rules/ledger.js'
import { parseDocument } from '../protocol/rules/parse.js'
import { type VerifyLedgerResult, verifyFrozen, verifyLedger } from '../protocol/verify.js'
import { ledgerFindings } from '../registration/verify.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import { readStamps } from '../time/token-file.js'
import { changedBy } from './corrections.js'
import { evidenceFiles, protocolFiles, type RecordFile } from './files.js'
import type {
  ProtocolRules,
  RecordedRegistration,
  RecordInputs,
  SummarizedResult,
  WitnessedEntry,
} from './inputs.js'
import { earlyFault, settingsFault, settingsIn } from './settings.js'
import { summarizeResult } from './summary.js'
import { checkRegistrationProof, createRegistrationProof, witnessPolicy } from './witness-proofs.js'

/** Where the parts of a record are. */
export interface RecordSources {
  /** The folder of the ledger. */
  readonly protocols: string
  /** Files of registrations, wherever they lie; without them, those at the paths that the ledger has. */
  readonly registrations: readonly string[] | undefined
  /** Evidence folders. */
  readonly evidence: readonly string[]
  /** Proofs that a log has a registration, by digest of the registration; made from the evidence if absent. */
  readonly proofs?: ReadonlyMap<string, string>
}

export interface GatherOptions extends RecordSources {
  /** All files of the evidence are copied, not the results alone. */
  readonly isComplete: boolean
  readonly evidenceUrl: string | null
  /** Those that a reader trusts, in place of those that came with the record. */
  readonly anchors?: readonly Anchor[] | undefined
  readonly witnesses?: Policy | undefined
  readonly now: Instant
  readonly code: CodeVersion
}

export interface GatheredRecord {
  readonly inputs: RecordInputs
  /** Every file that a record has besides record.json and its page. */
  readonly files: readonly RecordFile[]
  /** Warnings and notes. */
  readonly findings: readonly Finding[]
}

/**
 * Reads and verifies everything from which a record is derived. What is not here is never taken to hold.
 * @throws {ForeproofError} `not-found` without a ledger; `invalid-input` if the ledger, a protocol or a result does not
 * verify; `refused` for evidence of another ledger.
 */
export async function gatherRecord(options: GatherOptions): Promise<GatheredRecord> {
  const { protocols, now, code, evidenceUrl } = options
  const ledger = readVerified(protocols, now)
  const registrations = readRegistrations(options, ledger)
  const readings = readReadings(protocols, ledger)
  const sources = { ledger, readings, registrations: registrations.found }
  const { evidence, findings: unused } = await readEvidence(options, sources)
  const proofs = await readProofs(options, ledger, registrations.found, evidence)
  const { stamps, authorities, findings } = await readStamps(protocols, ledger, options.anchors)
  const results = new Map(evidence.map(({ digest, summary }) => [digest, summary]))
  const bytes = readRegular(ledgerPath(protocols), MAX_LEDGER_BYTES)
  return {
    inputs: {
      ...{ ledger, registrations: valuesIn(registrations.found), results, readings },
      ...{ stamps, authorities, witnessed: proofs.witnessed, evidenceUrl, now, code },
      ledgerSha256: sha256Hex(bytes),
      protocols: readProtocols(protocols, ledger),
    },
    files: [
      ...protocolFiles(protocols, ledger),
      ...[...registrations.found].map(([digest, { file }]) => ({
        path: `registrations/${digest}.json`,
        from: file,
      })),
      ...evidence.flatMap(({ digest, folder }) =>
        evidenceFiles(digest, folder, options.isComplete),
      ),
      ...proofs.files,
    ],
    findings: [
      ...ledger.findings,
      ...findings,
      ...registrations.findings,
      ...unused,
      ...lostReadings(ledger, readings),
      ...emptyCorrections(ledger, readings),
    ],
  }
}

function readVerified(protocols: string, now: Instant): VerifyLedgerResult {
  const file = ledgerPath(protocols)
  const ledger = verifyLedger(protocols, now)
  if (ledger === undefined) {
    throw new ForeproofError('not-found', `${file}: no such file`, {
      ...{ file, help: 'Name the folder of the ledger with --protocols.' },
    })
  }
  const errors = ledger.findings.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw unverifiedLedger(file, errors, 'There is no record of it.')
  return ledger
}

interface FoundRegistration {
  readonly file: string
  readonly value: RecordedRegistration
  /** What a result of it says of it. */
  readonly settings: object
}

const valuesIn = (found: ReadonlyMap<string, FoundRegistration>) =>
  new Map([...found].map(([digest, { value }]) => [digest, value]))

/** Registrations of a ledger by digest: those given, or those at the paths that the ledger has. */
function readRegistrations(
  { protocols, registrations }: RecordSources,
  ledger: VerifyLedgerResult,
) {
  const entries = registeredEntries(ledger)
  const wanted = new Set(entries.map((entry) => entry.registration_sha256))
  const byDigest = new Map<string, FoundRegistration>()
  const findings: Finding[] = []
  const byPath = entries.map(({ file }) => join(protocols, file)).filter((file) => existsSync(file))
  for (const file of registrations ?? new Set(byPath)) {
    const document = readRegistration(file)
    const [fault] = registrationFormFindings(document)
    const registration = fault ? undefined : ((document as Document).value as Registration)
    const digest = registration?.registration_sha256 ?? ''
    if (registration === undefined || !wanted.has(digest)) {
      const why = fault
        ? `it is not a registration, or was edited: ${formatMessage(fault).text}`
        : 'this ledger does not have it'
      findings.push(finding('record-file-unused', { file, why }, { file }))
    } else if (!byDigest.has(digest)) {
      byDigest.set(digest, {
        file,
        value: toRegistration(registration),
        settings: settingsIn(registration),
      })
      const differing = ledgerFindings(registration, ledger)
      findings.push(...locateFindings(differing, document as Document))
      if (registration.window.last_due === null)
        findings.push(finding('record-window-open', { name: registration.name }, { file }))
    }
  }
  return { found: byDigest, findings }
}

function toRegistration(registration: Registration): RecordedRegistration {
  const { registration_sha256, name, window, candidates, commitment, time } = registration
  return { registration_sha256, name, window, candidates, commitment, time }
}

interface FoundEvidence {
  readonly digest: string
  readonly folder: string
  readonly registration: string
  readonly summary: SummarizedResult
}

/** Results that are of their registrations; one whose registration is not here counts for nothing. */
async function readEvidence(
  { evidence }: RecordSources,
  sources: {
    readonly ledger: VerifyLedgerResult
    readonly readings: Readings
    readonly registrations: ReadonlyMap<string, FoundRegistration>
  },
) {
  const { ledger, readings, registrations } = sources
  const entries = new Map(
    registeredEntries(ledger).map((entry) => [entry.registration_sha256, entry]),
  )
  const byDigest = new Map<string, FoundEvidence>()
  const findings: Finding[] = []
  for (const folder of evidence) {
    const result = await readVerifiedResult(folder)
    const { result_sha256: digest, inputs } = result
    const { sha256: registration, ledger_entry_sha256: named } = inputs.registration
    const entry = entries.get(registration)
    assertOwn(folder, named, entry)
    const { settings } = registrations.get(registration) ?? {}
    if (settings === undefined) {
      const why = 'its registration is not here, and nothing else says what was to be scored'
      findings.push(finding('record-file-unused', { file: folder, why }, { file: folder }))
      continue
    }
    const of = { registration_sha256: registration, result_sha256: digest }
    const entered = findResultEntry(ledger, of)
    const fault = settingsFault(result, settings) ?? earlyFault(entry, entered)
    if (fault !== undefined) {
      throw new ForeproofError('invalid-input', `${folder}: ${fault}`, {
        ...{ file: folder, help: 'Restore the folder, or leave it out.' },
      })
    }
    if (byDigest.has(digest)) continue
    // One that the record of readings has is named there.
    const isRead = readings.get(registration)?.some((one) => one.result_sha256 === digest)
    if (entered === undefined && !isRead) {
      findings.push(finding('result-not-in-ledger', { digest }, { file: folder }))
    }
    byDigest.set(digest, { digest, folder, registration, summary: summarizeResult(result) })
  }
  return { evidence: [...byDigest.values()], findings }
}

async function readVerifiedResult(folder: string): Promise<Result> {
  requireEvidence(folder)
  const read = await catchBroken(async () => ({
    ok: true as const,
    result: await readResult(folder),
  }))
  if (read.ok) return read.result
  const { findings } = read
  throw new ForeproofError(
    'invalid-input',
    `${folder}: its result does not verify${firstReason(findings)}`,
    {
      ...{ file: folder, findings, help: 'Restore the folder, or leave it out.' },
    },
  )
}

/** @throws {ForeproofError} `refused` for a result that is of another ledger, or names another entry than this one's. */
function assertOwn(folder: string, named: string | null, entry: RegisteredEntry | undefined): void {
  if (entry !== undefined && named !== null && entryDigests(entry).includes(named)) return
  const why =
    entry === undefined
      ? 'this ledger does not have its registration'
      : `it names another entry than entry ${entry.seq} of this ledger`
  throw new ForeproofError('refused', `${folder}: ${why}`, {
    ...{ file: folder, help: 'Leave it out, or name the folder of its ledger.' },
  })
}

/** When witnesses had seen each registration, and the proofs of it. */
async function readProofs(
  { proofs, witnesses }: GatherOptions,
  ledger: VerifyLedgerResult,
  registrations: ReadonlyMap<string, FoundRegistration>,
  evidence: readonly FoundEvidence[],
) {
  const witnessed = new Map<string, WitnessedEntry>()
  const files: RecordFile[] = []
  for (const entry of registeredEntries(ledger)) {
    const { registration_sha256: digest } = entry
    const value = registrations.get(digest)?.value
    const folder = evidence.find(({ registration }) => registration === digest)?.folder
    const file = proofs?.get(digest)
    if (value === undefined) continue
    const made = proofs || !folder ? undefined : await createRegistrationProof(folder, entry, value)
    const bytes = file ? readRegular(file, MAX_PROOF_BYTES) : toBytes(made)
    if (bytes === undefined) continue
    const path = `proofs/${digest}.json`
    files.push({ path, bytes })
    const seen = await checkRegistrationProof(bytes, path, entry, witnesses ?? witnessPolicy(value))
    if (seen !== undefined) witnessed.set(digest, seen)
  }
  return { witnessed, files }
}

const toBytes = (proof: object | undefined) =>
  proof && Buffer.from(`${JSON.stringify(proof, null, 2)}\n`)

function readReadings(protocols: string, ledger: VerifyLedgerResult) {
  return new Map(
    registeredEntries(ledger).map(({ registration_sha256: digest }) => [
      digest,
      readAccessFile(accessPath(protocols, digest), digest).entries,
    ]),
  )
}

/** @throws {ForeproofError} `invalid-input` if a protocol is not the one that was frozen. */
function readProtocols(
  folder: string,
  ledger: VerifyLedgerResult,
): ReadonlyMap<string, ProtocolRules> {
  return new Map(
    frozenEntries(ledger).map(({ file: name, protocol_sha256 }) => {
      const file = join(folder, name)
      const document = parseDocument(readRegular(file, MAX_LIST_DOCUMENT_BYTES), file)
      const { findings, periods } = verifyFrozen(document, ledger)
      if (!hasNoErrors(findings)) {
        throw new ForeproofError(
          'invalid-input',
          `${file}: the protocol does not verify${firstReason(findings)}`,
          {
            ...{
              file,
              findings,
              help: `There is no record of it. See: foreproof verify ${folder}`,
            },
          },
        )
      }
      const rules = compileRules((document as Document).value as Protocol | SeriesProtocol, periods)
      const isLax = findTooLax(rules).length > 0
      return [protocol_sha256, { rules, isLax }]
    }),
  )
}

type Readings = ReadonlyMap<string, readonly AccessEntry[]>

const listEntries = ({ lines }: VerifyLedgerResult): LedgerEntry[] =>
  lines.map(({ entry }) => entry)

/** Results of the ledger that the record of readings does not have. */
function lostReadings(ledger: VerifyLedgerResult, readings: Readings): Finding[] {
  return listEntries(ledger)
    .filter(isResult)
    .filter(
      ({ registration_sha256, result_sha256 }) =>
        !readings
          .get(registration_sha256)
          ?.some((reading) => reading.result_sha256 === result_sha256),
    )
    .map(({ seq: entry }) => finding('record-reading-gone', { entry }, { file: ledger.file }))
}

/** Corrections that changed nothing. */
function emptyCorrections(ledger: VerifyLedgerResult, readings: Readings): Finding[] {
  return listEntries(ledger)
    .filter(isCorrected)
    .filter(
      (entry) => changedBy(entry, readings.get(entry.registration_sha256) ?? [])?.length === 0,
    )
    .map(({ seq: entry }) => finding('record-correction-empty', { entry }, { file: ledger.file }))
}
