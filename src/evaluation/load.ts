import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { checkRegistration } from '../contract/generated/check-registration.js'
import type { Instant } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import type { Protocol, Registration, SeriesProtocol } from '../contract/types.js'
import {
  type Document,
  MAX_LIST_DOCUMENT_BYTES,
  type UnreadableDocument,
} from '../document/read.js'
import { readRegular } from '../files/regular.js'
import type { PeriodList } from '../periods/list.js'
import { ledgerPath, MAX_LEDGER_BYTES } from '../protocol/ledger-file.js'
import { accessPath } from '../protocol/readings.js'
import { locateFindings } from '../protocol/rules/check.js'
import { compileRules, rulesOver } from '../protocol/rules/compile.js'
import type { FrozenEntry, RegisteredEntry } from '../protocol/rules/entry.js'
import { findTooLax } from '../protocol/rules/lax.js'
import { findFrozenEntry } from '../protocol/rules/ledger.js'
import { parseDocument } from '../protocol/rules/parse.js'
import { checkPolicy } from '../protocol/rules/policy.js'
import { type VerifyLedgerResult, verifyFrozen, verifyLedger } from '../protocol/verify.js'
import { findWindowOrigins } from '../registration/series-plan-rules.js'
import {
  digestFindings,
  findRegisteredEntry,
  ledgerFindings,
  verifyRegistration,
} from '../registration/verify.js'
import { assertReadable, assertSound, linkError } from './links.js'
import type { EvaluationBasis, SeriesBasis } from './plan.js'
import { type ExpectedForecasts, hourlyExpected, seriesExpected } from './proof/expected.js'
import type { Result } from './result/result.js'

/** The documents of an evaluation, each verified against the others. */
export type Documents = HourlyDocuments | SeriesDocuments

/** Under a protocol of version 1. */
export interface HourlyDocuments extends VerifiedDocuments, EvaluationBasis {}

/** Under a protocol of version 2. */
export interface SeriesDocuments extends VerifiedDocuments, SeriesBasis {}

export const isOfSeries = (documents: Documents): documents is SeriesDocuments =>
  'periods' in documents

interface VerifiedDocuments {
  readonly registrationEntry: RegisteredEntry
  readonly protocolEntry: FrozenEntry
  /** The file of the protocol: the one that the user named, or the one in the ledger. */
  readonly protocolFile: string
  /** The ledger that has both, and its folder. */
  readonly ledger: VerifyLedgerResult
  readonly folder: string
  /** The forecasts that the registration requires. */
  readonly expected: ExpectedForecasts
  /** If the registration has verdict hypotheses and the outcomes were read, see `withOtherRegistrations`. */
  readonly registrations?: NonNullable<Result['registrations']>
}

/**
 * Reads registration, ledger and protocol and verifies them against each other: both are in the ledger, and the
 * registration belongs to this protocol. A path to a file means that protocol; in a folder, it is the one that the
 * ledger has under the version that the registration names. `pair`, `score` and `audit` all use this.
 * @param now - no entry of the ledger may be later; default: the clock.
 * @param through - the last origin to score of a window of a backtest, by its label; default: that of the window.
 */
export async function loadDocuments(
  paths: { readonly registration: string; readonly protocol: string },
  now?: Instant,
  through?: string,
): Promise<Documents> {
  const { registration, document } = await loadRegistration(paths.registration)
  const folder = protocolFolder(paths.protocol)
  const ledger = await assertReadable('ledger', () => verifyLedger(folder, now))
  if (ledger === undefined) {
    throw linkError('ledger', [finding('ledger-absent', {}, { file: folder })])
  }
  // Faults in the record of this registration belong to a link of their own; what it has then is not known.
  const accessFile = accessPath(folder, registration.registration_sha256)
  const isOwn = ({ code, file }: Finding) => code === 'access-chain-broken' && file === accessFile
  const isBroken = ledger.findings.some(isOwn)
  const isLost = ({ code }: Finding) => isBroken && code === 'ledger-readings-gone'
  assertSound(
    'ledger',
    ledger.findings.filter((each) => !isOwn(each) && !isLost(each)),
  )
  const { version } = registration.protocol
  const named =
    folder === paths.protocol ? findProtocolFile(version, ledger, folder) : paths.protocol
  if (named === undefined) {
    throw linkError('ledger', [finding('protocol-not-frozen', { version }, { file: ledger.file })])
  }
  const frozen = await assertReadable('protocol', () =>
    parseDocument(readRegular(named, MAX_LIST_DOCUMENT_BYTES), named),
  )
  const { findings: faults, periods } = await assertReadable('protocol', () =>
    verifyFrozen(frozen, ledger),
  )
  assertSound('protocol', faults, frozen)
  const policy = checkPolicy(frozen as Document, periods)
  assertSound('protocol', locateFindings(policy, frozen as Document), frozen)
  const compiled = documentPaths(registration, frozen as Document, periods)
  const findings = [...compiled.findings, ...ledgerFindings(registration, ledger)]
  assertSound('registration', locateFindings(findings, document), document)
  return {
    ...compiled.verified(through),
    // What the ledger proves has its entries there.
    registrationEntry: findRegisteredEntry(registration, ledger) as RegisteredEntry,
    protocolEntry: ledger.byFile.get(basename(named)) as FrozenEntry,
    protocolFile: named,
    ledger,
    folder,
  }
}

/** The compiled registration and protocol, if there are no findings. */
function documentPaths(
  registration: Registration,
  frozen: Document,
  periods: PeriodList | undefined,
) {
  const protocol = frozen.value as Protocol | SeriesProtocol
  const findings = verifyRegistration(registration, protocol, periods)
  const verified = (through?: string) => {
    const common = {
      registration,
      rules: rulesOver(registration.rules, periods ?? []),
      tooLax: findTooLax(compileRules(protocol, periods)),
    }
    if (periods === undefined) {
      if (through !== undefined) throw notShortened('hourly', through)
      return { ...common, expected: hourlyExpected(common) }
    }
    const origins = originsThrough(registration, periods, through)
    const ofList = { ...common, periods, origins }
    return { ...ofList, expected: seriesExpected(ofList) }
  }
  return { findings, verified }
}

/** The origins of a window up to the given one; only a backtest is shortened. */
function originsThrough(
  { mode, window }: Registration,
  periods: PeriodList,
  through = window.to,
): number[] {
  if (mode === 'prospective' && through !== window.to) throw notShortened('prospective', through)
  const origins = findWindowOrigins(periods, window)
  const end = origins.findIndex((at) => periods[at]?.label === through)
  if (end < 0) throw notShortened('unknown', through, window)
  return origins.slice(0, end + 1)
}

function notShortened(
  fault: ArgsOf<'window-not-shortened'>['fault'],
  period: string,
  { from, to }: { readonly from: string; readonly to: string } = { from: '', to: '' },
): Error {
  return linkError('registration', [finding('window-not-shortened', { fault, period, from, to })])
}

/** A registration of sound form and digest; its protocol is not known yet. */
async function loadRegistration(path: string) {
  const document = await assertReadable('registration', () => readRegistration(path))
  assertSound('registration', registrationFormFindings(document), document)
  const sound = document as Document
  return { registration: sound.value as Registration, document: sound }
}

/**
 * Reads a registration as a document, without verifying it.
 * @throws {ForeproofError} as `readRegular`.
 */
export function readRegistration(path: string): Document | UnreadableDocument {
  return parseDocument(readRegular(path, MAX_LIST_DOCUMENT_BYTES), path)
}

/** The file of a version in a ledger; undefined if there is none. */
function findProtocolFile(
  version: string,
  ledger: VerifyLedgerResult,
  folder: string,
): string | undefined {
  const entry = findFrozenEntry(ledger, version)
  return entry && join(folder, entry.file)
}

/** The folder of a protocol, or the given folder itself. */
export function protocolFolder(path: string): string {
  try {
    return statSync(path).isDirectory() ? path : dirname(path)
  } catch (cause) {
    throw fileError(cause, path)
  }
}

/** Form and digest of a registration, before its protocol is known. */
export function registrationFormFindings(
  document: Document | UnreadableDocument,
): readonly Finding[] {
  if (!document.ok) return document.findings
  const { value, file } = document
  if (isObject(value) && 'plan_version' in value)
    return [finding('plan-not-registered', {}, { file })]
  const form = checkRegistration(value)
  return locateFindings(form.length > 0 ? form : digestFindings(value as Registration), document)
}

/**
 * The protocol folder of a registration that is not beside it: the first folder, from that of the registration upwards,
 * that has a ledger with the registration's digest, itself or in `protocols/`.
 * @throws {ForeproofError} `usage` if there is none, or the file is not a registration.
 */
export function findProtocolFolder(registration: string): string {
  const digest = digestIn(registration)
  for (let folder = dirname(resolve(registration)); ; folder = dirname(folder)) {
    for (const candidate of [folder, join(folder, 'protocols')]) {
      const ledger = readText(ledgerPath(candidate))
      if (ledger.includes(digest)) return candidate
    }
    if (folder === dirname(folder)) break
  }
  throw new ForeproofError(
    'usage',
    `${registration}: no ledger in this folder or above it has this registration`,
    {
      file: registration,
      help: 'Name the frozen protocol or its folder: --protocol PATH',
    },
  )
}

function digestIn(registration: string): string {
  const text = new TextDecoder().decode(readRegular(registration, MAX_LIST_DOCUMENT_BYTES))
  const digest = /"registration_sha256"\s*:\s*"([0-9a-f]{64})"/.exec(text)?.[1]
  if (digest !== undefined) return digest
  throw new ForeproofError('usage', `${registration}: is not a registration`, {
    file: registration,
    help: 'Name the file that foreproof register wrote.',
  })
}

function readText(path: string): string {
  try {
    return readRegular(path, MAX_LEDGER_BYTES).toString('utf8')
  } catch {
    // Most folders on the way have no ledger, and some cannot be read.
    return ''
  }
}
