import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import type { Protocol, SeriesProtocol } from '../contract/types.js'
import { digestWithout, sha256Hex } from '../document/digest.js'
import type { Document } from '../document/read.js'
import { createFileAtomic } from '../files/atomic.js'
import { assertFolder } from '../files/new-folder.js'
import { readRegular } from '../files/regular.js'
import {
  describePeriods,
  MAX_LIST_BYTES,
  type PeriodList,
  parsePeriods,
  periodsText,
} from '../periods/list.js'
import { appendToLedger, ledgerPath } from './ledger-file.js'
import { loadFile } from './load.js'
import {
  checkProtocolValue,
  isSafeVersion,
  isSeriesProtocol,
  locateFindings,
  PROTOCOL_DIGEST,
  protocolText,
  withDigest,
} from './rules/check.js'
import type { FrozenEntry } from './rules/entry.js'
import { frozenEntries, type Ledger } from './rules/ledger.js'
import { largestSize } from './rules/parse.js'
import { placeholders } from './rules/placeholders.js'
import { checkPolicy } from './rules/policy.js'
import { checkSeriesPeriods, NO_LIST } from './rules/series-periods.js'
import { periodListPath } from './verify.js'

export interface FreezeOptions {
  /** The protocol folder; created if it does not exist. */
  readonly folder: string
  readonly now: Instant
  /** A frozen version that this one replaces. */
  readonly supersedes?: string | undefined
  /** For a protocol of version 2: its list of periods, which is frozen beside it. */
  readonly periods?: PeriodList | undefined
  /** Check and compute, write nothing. */
  readonly dryRun?: boolean
}

export interface FreezeResult {
  readonly protocol: Protocol | SeriesProtocol
  readonly file: string
  /** False if the same content was already frozen, so that there was nothing to do. */
  readonly created: boolean
  /** Absent in a dry run. */
  readonly entry?: FrozenEntry
}

/**
 * Every reason why a draft cannot be frozen, except its digest: findings with file, line and column. Without errors
 * among them, `freezeProtocol` accepts it.
 */
export function checkDraft(document: Document, periods?: PeriodList): Finding[] {
  const value = withFacts(document.value, periods)
  const draft = isObject(value) ? withDigest(value, '0'.repeat(64)) : value
  const findings = checkProtocolValue(draft)
  if (isSeriesProtocol(draft)) {
    // First, because without the list its figures are missing, too.
    if (periods === undefined) findings.unshift(NO_LIST)
    else if (findings.length === 0) {
      const protocol = draft as unknown as SeriesProtocol
      findings.push(...checkSeriesPeriods(protocol, periods))
      findings.push(...checkPolicy({ value: draft }, periods))
    }
  }
  if (isObject(draft)) findings.push(...sizeFindings(draft, periods ?? []))
  const version = isObject(value) ? value.protocol_version : undefined
  if (typeof version === 'string' && version !== '' && !isSafeVersion(version)) {
    const args = { version }
    findings.push(finding('version-unsafe', args, { pointer: '/protocol_version' }))
  }
  return locateFindings([...placeholders(value, ''), ...findings], document)
}

/** The written file must keep the size limits of reading: a compactly written draft may grow beyond them. */
function sizeFindings(draft: object, periods: PeriodList): Finding[] {
  const sizes = [
    [protocolText(draft), largestSize(draft)],
    [periods.length > 0 ? periodsText(periods) : '', MAX_LIST_BYTES],
  ] as const
  const [, limit] = sizes.find(([text, largest]) => Buffer.byteLength(text) > largest) ?? []
  return limit === undefined ? [] : [finding('document-too-large', { limit }, { pointer: '' })]
}

/**
 * Freezes a draft in which `checkDraft` found nothing: computes its digest, writes `FOLDER/VERSION.json` exclusively,
 * and appends to the ledger. Freezing the same content again changes nothing, except that it completes an interrupted
 * freeze.
 * @throws {ForeproofError} `refused` if the version, or a file of its name, has another content; `invalid-input` if the
 * ledger does not verify.
 */
export function freezeProtocol(document: Document, options: FreezeOptions): FreezeResult {
  const { folder, supersedes } = options
  const draft = withFacts(document.value, options.periods) as Protocol
  const digest = digestWithout(draft, PROTOCOL_DIGEST)
  const protocol = withDigest(draft, digest) as unknown as Protocol
  const version = protocol.protocol_version
  const file = join(folder, `${version}.json`)
  const listPath = options.periods && join(folder, periodListPath(`${version}.json`))
  if (options.dryRun) return { protocol, file, created: !existsSync(file) }
  assertFolder(folder, 'Name the folder of the protocols.')
  let created = false
  const entry = appendToLedger(ledgerPath(folder), (ledger) => {
    const earlier = frozenAs(ledger, version)
    assertSameText(earlier?.protocol_sha256, digest, `version ${version}`, ledger.file)
    assertKnown(ledger, version, supersedes)
    if (existsSync(file)) assertSameText(digestOfFile(file), digest, file, file)
    else {
      assertSameCase(folder, `${version}.json`)
      if (listPath !== undefined) createList(listPath, options.periods ?? [])
      createFileAtomic(file, protocolText(protocol))
      created = true
    }
    if (earlier !== undefined) return { entry: earlier }
    const append = {
      protocol_version: version,
      protocol_sha256: digest,
      file: `${version}.json`,
      frozen_at: formatUtc(options.now),
      ...(supersedes === undefined ? {} : { supersedes }),
    }
    const undo = () => {
      if (created) for (const made of [file, listPath ?? file]) rmSync(made, { force: true })
    }
    return { append, undo }
  })
  return { protocol, file, created, entry: entry as FrozenEntry }
}

/** The draft with the figures of its list, if it omits them. */
function withFacts(value: unknown, periods: PeriodList | undefined): unknown {
  if (!isSeriesProtocol(value) || periods === undefined) return value
  const { periods: given } = value as Partial<SeriesProtocol>
  return { ...(value as object), periods: { ...describePeriods(periods), ...given } }
}

/** Reuses the list of an interrupted freeze if it is the same. */
function createList(file: string, periods: PeriodList): void {
  const text = periodsText(periods)
  if (!existsSync(file)) createFileAtomic(file, text)
  else {
    const existing = parsePeriods(readRegular(file, MAX_LIST_BYTES), file)
    const there = existing.ok ? describePeriods(existing.periods).sha256 : 'no list of periods'
    assertSameText(there, sha256Hex(text), file, file)
  }
}

function frozenAs(ledger: Ledger, version: string): FrozenEntry | undefined {
  return frozenEntries(ledger).find((entry) => entry.protocol_version === version)
}

function assertSameText(
  earlier: string | undefined,
  digest: string,
  what: string,
  file: string,
): void {
  if (earlier === undefined || earlier === digest) return
  const message = `${what} is already frozen with different content (${earlier})`
  throw new ForeproofError('refused', message, {
    file,
    help: 'A frozen protocol must not change. Give the draft a new protocol_version, and name the old one with --supersedes.',
  })
}

function assertKnown(ledger: Ledger, version: string, supersedes: string | undefined): void {
  if (supersedes === undefined) return
  const isSelf = supersedes === version
  if (!isSelf && frozenAs(ledger, supersedes) !== undefined) return
  const none = `${ledger.file}: no version ${supersedes} was frozen`
  throw new ForeproofError('refused', isSelf ? `${version} cannot supersede itself` : none, {
    file: ledger.file,
    help: 'Name a protocol_version that is in the ledger.',
  })
}

/** On file systems that ignore case, the two names would be one file. */
function assertSameCase(folder: string, name: string): void {
  const existing = readdirSync(folder).find((each) => each.toLowerCase() === name.toLowerCase())
  if (existing === undefined) return
  const file = join(folder, existing)
  const message = `${file} differs from ${name} only in upper and lower case`
  throw new ForeproofError('refused', message, {
    file,
    help: 'Choose a protocol_version that differs in more than case.',
  })
}

/** The digest of a file's content; a file that is not a sound protocol has none and blocks the freeze. */
function digestOfFile(file: string): string {
  const document = loadFile(file)
  if (!document.ok || !isObject(document.value)) return 'no protocol'
  return digestWithout(document.value, PROTOCOL_DIGEST)
}
