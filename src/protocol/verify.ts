import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Finding, finding } from '../contract/findings/finding.js'
import { capFindings } from '../contract/findings/finding-list.js'
import type { Instant } from '../contract/instant.js'
import type { Protocol, SeriesProtocol } from '../contract/types.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { readRegular } from '../files/regular.js'
import { STDIN_NAME } from '../files/stdin.js'
import { MAX_LIST_BYTES, type PeriodList, parsePeriods } from '../periods/list.js'
import { ledgerPath, readLedgerFile } from './ledger-file.js'
import { checkReadings } from './readings.js'
import {
  checkFrozenDocument,
  isSeriesProtocol,
  locateFindings,
  PROTOCOL_DIGEST,
} from './rules/check.js'
import { type FrozenEntry, isFrozen, isRegistered } from './rules/entry.js'
import { checkEnds, checkTimes, frozenEntries, type Ledger } from './rules/ledger.js'
import { checkSeriesPeriods } from './rules/series-periods.js'

export interface VerifyLedgerResult extends Ledger {
  /** The frozen protocols, by file name. */
  readonly byFile: ReadonlyMap<string, FrozenEntry>
}

/**
 * Checks whether a protocol is sound: its form, its digest and, for version 2, its list of periods. Every reader of
 * frozen protocols uses this check, so that none accepts a protocol which `freeze` would have refused. An unreadable
 * document gives the findings of reading. It reads no other file: see `checkSoundness`.
 * @param periods - for a protocol of version 2, the list beside it.
 * @returns no findings if the document is an unchanged frozen protocol.
 */
export function verifyDocument(
  document: Document | UnreadableDocument,
  periods?: PeriodList,
): readonly Finding[] {
  const findings = checkFrozenDocument(document)
  if (findings.length > 0 || !document.ok || !isSeriesProtocol(document.value)) return findings
  return locateFindings(checkSeriesPeriods(document.value as SeriesProtocol, periods), document)
}

/** The path of the list of periods of a frozen protocol of version 2: beside its file. */
export function periodListPath(file: string): string {
  return file.replace(/(?:\.json)?$/, '.periods.csv')
}

/** Returns the bytes of a list of periods; undefined if it does not exist. */
export type ListReader = (file: string) => Uint8Array | undefined

/** The faults of a protocol and its list, and the list if there are none; version 1 has no list. */
export interface Soundness {
  readonly findings: readonly Finding[]
  readonly periods?: PeriodList
}

/**
 * Checks the soundness of a protocol with the list beside its file.
 * @param readList - default: from the disk.
 * @throws {ForeproofError} if the list cannot be read.
 */
export function checkSoundness(
  document: Document | UnreadableDocument,
  readList: ListReader = readListFile,
): Soundness {
  const ownFaults = checkFrozenDocument(document)
  if (ownFaults.length > 0 || !document.ok || !isSeriesProtocol(document.value))
    return { findings: ownFaults }
  const { file } = document
  if (file === STDIN_NAME) return { findings: verifyDocument(document) }
  const list = periodListPath(file)
  const bytes = readList(list)
  if (bytes === undefined) {
    const args = { fault: 'missing', found: list, what: '', expected: '' } as const
    const missing = finding('series-periods', args, { pointer: '/periods/sha256' })
    return { findings: locateFindings([missing], document) }
  }
  const read = parsePeriods(bytes, list)
  if (!read.ok) return read
  const findings = verifyDocument(document, read.periods)
  return findings.length > 0 ? { findings } : { findings, periods: read.periods }
}

const readListFile = (file: string) =>
  existsSync(file) ? readRegular(file, MAX_LIST_BYTES) : undefined

/**
 * Verifies the ledger of a protocol folder: its whole chain, the existence of every file it names, that no entry is
 * later than the clock or than the next entry, and every reading of outcomes that it names.
 * @param now - default: the clock of this machine; 5 minutes beyond it are tolerated.
 * @returns the ledger with its findings; undefined if the folder has none.
 * @throws {ForeproofError} `io` if it cannot be read.
 */
export function verifyLedger(
  folder: string,
  now: Instant = Date.now() * 1000,
): VerifyLedgerResult | undefined {
  const ledger = readLedgerFile(ledgerPath(folder))
  if (ledger === undefined) return undefined
  const present = new Set(readdirSync(folder))
  const byFile = new Map<string, FrozenEntry>()
  const missing: Finding[] = []
  for (const { entry, line } of ledger.lines) {
    if (!isFrozen(entry)) continue
    byFile.set(entry.file, entry)
    if (present.has(entry.file)) continue
    const args = { version: entry.protocol_version, frozen: entry.file }
    const at = { file: ledger.file, pointer: '/file', position: { line, column: 1 } }
    missing.push(finding('ledger-file-missing', args, at))
  }
  // In the middle of a merge conflict some entries are unknown, so nothing else is reported.
  const others = isConflict(ledger)
    ? []
    : [
        ...missing,
        ...checkTimes(ledger, now),
        ...checkEnds(ledger),
        ...checkReadings(folder, ledger),
      ]
  return { ...ledger, byFile, findings: capFindings([...ledger.findings, ...others]) }
}

/** Registrations of a ledger whose files are missing at their recorded paths; a private one may be stored elsewhere. */
export function missingFiles(folder: string, ledger: Ledger): Finding[] {
  return ledger.lines.flatMap(({ entry, line }) => {
    if (!isRegistered(entry) || existsSync(join(folder, entry.file))) return []
    const at = { file: ledger.file, pointer: '/file', position: { line, column: 1 } }
    return [finding('registration-file-gone', { entry: entry.seq, path: entry.file }, at)]
  })
}

function isConflict({ findings }: Ledger): boolean {
  return findings.some(({ code }) => code === 'ledger-conflict')
}

/**
 * Checks that a document is the one that the ledger beside it froze. Only a sound document is compared; one that fails
 * its own digest is not reported twice.
 */
export function checkAgainstLedger(document: Document, ledger: VerifyLedgerResult): Finding[] {
  const entry = ledger.byFile.get(basename(document.file))
  if (entry === undefined) {
    if (isConflict(ledger)) return []
    const missing = finding('ledger-entry-missing', { ledger: ledger.file }, { pointer: '' })
    return locateFindings([missing], document)
  }
  // The document verifies, so its declared digest is correct.
  const { protocol_sha256: computed, protocol_version: version } = document.value as Protocol
  if (entry.protocol_sha256 === computed) {
    const { protocol_version: frozen } = entry
    if (frozen === version) return []
    const other = finding(
      'ledger-version-differs',
      { version, frozen },
      { pointer: '/protocol_version' },
    )
    return locateFindings([other], document)
  }
  const args = { frozen: entry.protocol_sha256, computed, frozenAt: entry.frozen_at }
  const differs = finding('ledger-digest-differs', args, { pointer: `/${PROTOCOL_DIGEST}` })
  return locateFindings([differs], document)
}

/** Reports if a sound protocol has a successor in the ledger beside it: nothing new may begin under it. */
export function supersededFindings(
  { value }: Document,
  ledger: VerifyLedgerResult | undefined,
): Finding[] {
  const { protocol_version: version } = value as Protocol
  const later = ledger && frozenEntries(ledger).find(({ supersedes }) => supersedes === version)
  if (later === undefined) return []
  const args = { version, by: later.protocol_version }
  return [finding('protocol-superseded', args, { pointer: '/protocol_version' })]
}

/** A protocol named by the user, compared with the ledger beside it if there is one. */
export interface VerifiedProtocol extends Soundness {
  readonly document: Document | UnreadableDocument
  readonly ledger: VerifyLedgerResult | undefined
  /** Those of the ledger, then those of the protocol. */
  readonly findings: readonly Finding[]
}

/** Checks that a protocol is sound and, if a ledger is beside it, that the ledger verifies and contains it. */
export function verifyProtocol(document: Document | UnreadableDocument): VerifiedProtocol {
  const ledger = ledgerBeside(document)
  const { findings, periods } = verifyFrozen(document, ledger)
  const all = [...(ledger?.findings ?? []), ...findings]
  return { document, ledger, findings: all, ...(periods && { periods }) }
}

/** The soundness of a protocol and, if it is sound, its entry in a ledger. */
export function verifyFrozen(
  document: Document | UnreadableDocument,
  ledger: VerifyLedgerResult | undefined,
  readList?: ListReader,
): Soundness {
  const sound = checkSoundness(document, readList)
  if (!document.ok || sound.findings.length > 0 || ledger === undefined) return sound
  const findings = checkAgainstLedger(document, ledger)
  return findings.length > 0 ? { findings } : sound
}

/** A document from standard input has no ledger beside it. */
const ledgerBeside = ({ file }: Document | UnreadableDocument) =>
  file === STDIN_NAME ? undefined : verifyLedger(dirname(file))

/** Verifies files one by one, and each ledger beside them once. */
export class Verifier {
  readonly findings: Finding[] = []
  #ledgers = new Map<string, VerifyLedgerResult | undefined>()

  /** The ledgers checked so far. */
  get ledgers(): readonly VerifyLedgerResult[] {
    return [...this.#ledgers.values()].filter((ledger) => ledger !== undefined)
  }

  /** Checks one document with its list and, once per folder, the ledger there. */
  add(document: Document | UnreadableDocument): readonly Finding[] {
    const isFile = document.file !== STDIN_NAME
    const ledger = isFile ? this.addFolder(dirname(document.file)) : undefined
    const { findings } = verifyFrozen(document, ledger)
    this.findings.push(...findings)
    return findings
  }

  addFolder(folder: string): VerifyLedgerResult | undefined {
    if (!this.#ledgers.has(folder)) {
      const ledger = verifyLedger(folder)
      this.#ledgers.set(folder, ledger)
      this.findings.push(...(ledger ? [...ledger.findings, ...missingFiles(folder, ledger)] : []))
    }
    return this.#ledgers.get(folder)
  }
}
