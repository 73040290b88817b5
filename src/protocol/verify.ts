import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Finding, finding } from '../contract/findings/finding.js'
import { capFindings } from '../contract/findings/finding-list.js'
import type { Instant } from '../contract/instant.js'
import type { Protocol, SeriesProtocol } from '../contract/types.js'
import { sha256Hex } from '../document/digest.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { readRegular } from '../files/regular.js'
import type { ReadPeriods } from '../periods/list.js'
import { openPeriods } from '../periods/read.js'
import { ledgerOf, readLedgerFile } from './ledger-file.js'
import { checkReadings } from './readings.js'
import {
  checkProtocolDigest,
  checkProtocolDocument,
  isSeriesProtocol,
  locateFindings,
  PROTOCOL_DIGEST,
} from './rules/check.js'
import { type FrozenEntry, isFrozen } from './rules/entry.js'
import { checkTimes, type Ledger } from './rules/ledger.js'

export interface VerifyLedgerResult extends Ledger {
  /** What was frozen, by the name of its file. */
  readonly byFile: ReadonlyMap<string, FrozenEntry>
}

/**
 * Format and digest of one protocol; nothing beside it is looked at. What could not be read gives the
 * findings of reading.
 * @returns none when the document is a frozen protocol that has not been changed.
 */
export function verifyDocument(document: Document | UnreadableDocument): readonly Finding[] {
  if (!document.ok) return document.findings
  return [...checkProtocolDocument(document), ...checkProtocolDigest(document)]
}

/** A list of every minute of a decade. */
export const MAX_LIST_BYTES = 512 * 1_048_576

/** Where the list of periods of a frozen protocol of version 2 is: beside its file. */
export function periodsOf(file: string): string {
  return file.replace(/(?:\.json)?$/, '.periods.csv')
}

/** Whether the list of periods beside a protocol of version 2 is the one that it was frozen with. */
function verifyPeriods(document: Document): Finding[] {
  if (!isSeriesProtocol(document.value)) return []
  const file = periodsOf(document.file)
  const { sha256: expected } = (document.value as SeriesProtocol).periods
  const found = existsSync(file) ? sha256Hex(readRegular(file, MAX_LIST_BYTES)) : undefined
  if (found === expected) return []
  const args =
    found === undefined
      ? ({ fault: 'missing', found: file, what: '', expected: '' } as const)
      : ({ fault: 'differs', found, what: 'sha256', expected } as const)
  return locateFindings([finding('series-periods', args, { pointer: '/periods/sha256' })], document)
}

/** The list that a protocol of version 2 was frozen with, from beside its file. */
export async function frozenPeriods(document: Document): Promise<ReadPeriods> {
  const findings = verifyPeriods(document)
  if (findings.length > 0) return { ok: false, findings }
  return await openPeriods(periodsOf(document.file))
}

/**
 * The ledger of a protocol folder with its whole chain checked, every file it names looked for, and
 * no entry later than the clock says or than the one below it, and every reading of outcomes that it names.
 * @param now - by default what the clock of this machine says; 5 minutes beyond it are tolerated.
 * @returns the ledger with its findings; undefined where the folder has none.
 * @throws {ForeproofError} `io` when it cannot be read.
 */
export function verifyLedger(
  folder: string,
  now: Instant = Date.now() * 1000,
): VerifyLedgerResult | undefined {
  const ledger = readLedgerFile(ledgerOf(folder))
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
  // In the middle of a merge conflict not all entries are known: there is nothing else to report.
  const others = isConflict(ledger)
    ? []
    : [...missing, ...checkTimes(ledger, now), ...checkReadings(folder, ledger)]
  return { ...ledger, byFile, findings: capFindings([...ledger.findings, ...others]) }
}

function isConflict({ findings }: Ledger): boolean {
  return findings.some(({ code }) => code === 'ledger-conflict')
}

/**
 * Whether a document is the one that the ledger beside it froze. Only a document that is sound in
 * itself is compared: what fails its own digest is not reported a second time.
 */
export function checkAgainstLedger(document: Document, ledger: VerifyLedgerResult): Finding[] {
  const entry = ledger.byFile.get(basename(document.file))
  if (entry === undefined) {
    if (isConflict(ledger)) return []
    const missing = finding('ledger-entry-missing', { ledger: ledger.file }, { pointer: '' })
    return locateFindings([missing], document)
  }
  // The document verifies, so what it declares is its digest.
  const { protocol_sha256: computed } = document.value as Protocol
  if (entry.protocol_sha256 === computed) return []
  const args = { frozen: entry.protocol_sha256, computed, frozenAt: entry.frozen_at }
  const differs = finding('ledger-digest-differs', args, { pointer: `/${PROTOCOL_DIGEST}` })
  return locateFindings([differs], document)
}

/** Verifies files one by one, each ledger beside them once. */
export class Verifier {
  readonly findings: Finding[] = []
  #ledgers = new Map<string, VerifyLedgerResult | undefined>()

  /** Ledgers met so far. */
  get ledgers(): readonly VerifyLedgerResult[] {
    return [...this.#ledgers.values()].filter((ledger) => ledger !== undefined)
  }

  /** Checks one document and, the first time its folder is met, the ledger there. */
  add(document: Document | UnreadableDocument): readonly Finding[] {
    const own = [...verifyDocument(document)]
    const ledger = this.addFolder(dirname(document.file))
    if (document.ok && own.length === 0) {
      own.push(...verifyPeriods(document))
      if (ledger !== undefined) own.push(...checkAgainstLedger(document, ledger))
    }
    this.findings.push(...own)
    return own
  }

  addFolder(folder: string): VerifyLedgerResult | undefined {
    if (!this.#ledgers.has(folder)) {
      const ledger = verifyLedger(folder)
      this.#ledgers.set(folder, ledger)
      this.findings.push(...(ledger?.findings ?? []))
    }
    return this.#ledgers.get(folder)
  }
}
