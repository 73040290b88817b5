import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { canonicalize } from '../document/canonical.js'
import { FILES, ownFiles } from '../evaluation/evidence/folder.js'
import { listFileNames } from '../files/regular.js'
import { LEDGER_NAME } from '../protocol/ledger-file.js'
import { accessPath } from '../protocol/readings.js'
import { entryDigests } from '../protocol/rules/entry.js'
import { frozenEntries, type Ledger, registeredEntries } from '../protocol/rules/ledger.js'
import { periodListPath } from '../protocol/verify.js'
import { anchorFolder, stampFolder, TOKEN_SUFFIX } from '../time/token-file.js'
import type { ForeproofRecord } from './track-record.js'

export const RECORD_JSON = 'record.json'
export const RECORD_PAGE = 'index.html'

/** The text of record.json. */
export const recordText = (record: ForeproofRecord): string => `${canonicalize(record)}\n`

/** The folders of a record. */
export const RECORD_PARTS = {
  protocols: 'protocols',
  registrations: 'registrations',
  evidence: 'evidence',
  proofs: 'proofs',
} as const

/** A file of a record: its path there, and its content or the file that it is a copy of. */
export type RecordFile = { readonly path: string } & (
  | { readonly from: string; readonly bytes?: undefined }
  | { readonly from?: undefined; readonly bytes: Uint8Array }
)

/** The ledger with everything beside it that the ledger names: documents, lists, stamps, anchors, readings. */
export function protocolFiles(folder: string, ledger: Ledger): RecordFile[] {
  const documents = frozenEntries(ledger).flatMap(({ file }) => [file, periodListPath(file)])
  const stamps = ledger.lines
    .flatMap(({ entry }) => entryDigests(entry))
    .flatMap((digest) =>
      listFileNames(join(stampFolder(folder), digest))
        .filter((name) => name.endsWith(TOKEN_SUFFIX))
        .map((name) => `${basename(stampFolder(folder))}/${digest}/${name}`),
    )
  const anchors = listFileNames(anchorFolder(folder))
    .filter((name) => /^[^.].*\.(?:pem|crl)$/.test(name))
    .map((name) => `${basename(anchorFolder(folder))}/${name}`)
  const readings = registeredEntries(ledger).map(({ registration_sha256 }) =>
    accessPath('', registration_sha256),
  )
  return [LEDGER_NAME, ...documents, ...stamps, ...anchors, ...readings]
    .map((name) => ({ path: `${RECORD_PARTS.protocols}/${name}`, from: join(folder, name) }))
    .filter(({ from }) => existsSync(from))
}

/** The result of an evidence folder, or the whole of it, below the digest of the result. */
export function evidenceFiles(digest: string, folder: string, isComplete: boolean): RecordFile[] {
  const names = isComplete ? ownFiles(folder) : [FILES.result]
  return names.map((name) => ({
    path: `${RECORD_PARTS.evidence}/${digest}/${name}`,
    from: join(folder, name),
  }))
}
