import { join } from 'node:path'
import { type Finding, finding } from '../contract/findings/finding.js'
import { canonicalize } from '../document/canonical.js'
import { sha256Hex } from '../document/digest.js'
import { folderEntries, readRegular } from '../files/regular.js'
import { formerEntries, type LedgerEntry } from '../protocol/rules/entry.js'
import type { Ledger, LedgerLine } from '../protocol/rules/ledger.js'
import type { Authority, LedgerStamp } from './level.js'
import { type Anchor, readAnchors, selectTrusted } from './rfc3161/anchors.js'
import { MAX_TOKEN_BYTES, type TimeStamp } from './rfc3161/time-stamp.js'
import { verifyToken } from './rfc3161/verify-token.js'

export const TOKEN_SUFFIX = '.tsr'

/** Where anchors lie beside a ledger. */
export function anchorFolder(folder: string): string {
  return join(folder, 'anchors')
}

/** Where the stamps of a ledger lie: a folder for each stamped entry. */
export function stampFolder(folder: string): string {
  return join(folder, 'stamps')
}

/** The file of an authority's token over an entry. */
export function tokenFile(folder: string, entry: LedgerEntry, authority: string): string {
  return join(stampFolder(folder), entry.entry_sha256, `${authority}${TOKEN_SUFFIX}`)
}

/** The bytes of an entry that are stamped, in RFC 8785 form: their SHA-256 is its `entry_sha256`. */
export function stampedBytes({ entry_sha256: _, ...rest }: LedgerEntry): Uint8Array {
  return Buffer.from(canonicalize(rest))
}

/** A stamp over one entry, from the token that says so. */
export function toLedgerStamp(
  stamp: TimeStamp,
  token: Uint8Array,
  { seq, entry_sha256 }: LedgerEntry,
  file: string,
): LedgerStamp {
  return { ...stamp, seq, entrySha256: entry_sha256, file, tokenSha256: sha256Hex(token) }
}

export type ReadTokenResult =
  | { readonly ok: true; readonly stamp: LedgerStamp; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Reads a token file and verifies it against an entry.
 * @throws {ForeproofError} as `readRegular`; a symbolic link is not followed.
 */
export async function readToken(
  file: string,
  entry: LedgerEntry,
  anchors: readonly Anchor[],
): Promise<ReadTokenResult> {
  const token = readRegular(file, MAX_TOKEN_BYTES, { links: 'refuse' })
  const verified = await verifyToken(token, stampedBytes(entry), anchors, { file })
  if (!verified.ok) return verified
  return { ...verified, stamp: toLedgerStamp(verified.stamp, token, entry, file) }
}

export interface ReadStampsResult {
  /** Stamps that verify, in the order of their files. */
  readonly stamps: readonly LedgerStamp[]
  /** The anchors of the folder that count, as a registration would pin them. */
  readonly authorities: readonly Authority[]
  readonly findings: readonly Finding[]
}

/**
 * Every token below `FOLDER/stamps/ENTRY_SHA256/AUTHORITY.tsr`, verified against `FOLDER/anchors` and the
 * entry it is named after. What has another name, or does not verify, is a finding and does not count.
 * @param folder - that of the ledger, or any other that holds a copy of its stamps and anchors.
 * @param ledger - one that verifies: a chain with a fault covers nothing.
 * @param own - the anchors of a reader: stamps that lead to others of the folder are left out.
 * @throws {ForeproofError} as `readAnchors` and `readRegular`; `invalid-input` where no folder has its name.
 */
export async function readStamps(
  folder: string,
  ledger: Ledger,
  own?: readonly Anchor[],
): Promise<ReadStampsResult> {
  const there = readAnchors(anchorFolder(folder))
  const anchors = selectTrusted(there, own)
  const others = new Set(there.map(({ name }) => name))
  for (const { name } of anchors) others.delete(name)
  const stamps: LedgerStamp[] = []
  const findings: Finding[] = []
  const lines = new Map<string, StampedLine>()
  for (const line of ledger.lines) {
    const { seq, entry_sha256 } = line.entry
    for (const entry of formerEntries(line.entry)) {
      lines.set(entry.entry_sha256, { ...line, entry, alone: seq })
    }
    lines.set(entry_sha256, line)
  }
  for (const { name, isFolder, path } of itemsIn(stampFolder(folder))) {
    const line = lines.get(name)
    if (line === undefined || !isFolder) findings.push(foreign('entries', path, isFolder))
    else {
      for (const file of itemsIn(path)) {
        if (others.has(file.name.slice(0, -TOKEN_SUFFIX.length))) continue
        const read = await readOne(file, line, anchors, ledger)
        findings.push(...read.findings)
        const { alone } = line
        if (read.stamp) stamps.push(alone === undefined ? read.stamp : { ...read.stamp, alone })
      }
    }
  }
  const authorities = anchors.map(({ name, sha256 }) => ({ name, anchor_sha256: sha256 }))
  return { stamps, authorities, findings }
}

const itemsIn = (folder: string) =>
  folderEntries(folder).map((entry) => ({
    name: entry.name,
    path: join(folder, entry.name),
    isFolder: entry.isDirectory(),
  }))

type Item = ReturnType<typeof itemsIn>[number]

/** A line of a ledger, with its entry as it is or as it was in an earlier place. */
type StampedLine = LedgerLine & Pick<LedgerStamp, 'alone'>

interface ReadOneResult {
  readonly stamp?: LedgerStamp
  readonly findings: readonly Finding[]
}

async function readOne(
  { name, path, isFolder }: Item,
  { entry, line }: LedgerLine,
  anchors: readonly Anchor[],
  ledger: Ledger,
): Promise<ReadOneResult> {
  if (isFolder || !name.endsWith(TOKEN_SUFFIX)) {
    return { findings: [foreign('stamps', path, isFolder)] }
  }
  const authority = name.slice(0, -TOKEN_SUFFIX.length)
  const args = { authority, entry: entry.seq, version: entry.protocol_version, token: path }
  const at = { file: ledger.file, pointer: '', position: { line, column: 1 } }
  const without = finding('stamp-not-counted', args, at)
  const misnamed = (found: string | null): ReadOneResult => ({
    findings: [finding('stamp-misnamed', { authority, found }, { file: path }), without],
  })
  // So a full folder cannot make us verify more tokens than there are anchors.
  if (!anchors.some((anchor) => anchor.name === authority)) {
    return misnamed(null)
  }
  const read = await readToken(path, entry, anchors)
  if (!read.ok) return { findings: [...read.findings, without] }
  const actual = read.stamp.authority
  if (actual === authority) return { findings: read.findings, stamp: read.stamp }
  return misnamed(actual)
}

function foreign(among: 'entries' | 'stamps', path: string, isFolder: boolean): Finding {
  return finding('stamp-file-unknown', { among, isFolder }, { file: path })
}
