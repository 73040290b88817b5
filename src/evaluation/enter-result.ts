import { dirname } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant, instantOrNaN } from '../contract/instant.js'
import { writeFileAtomic } from '../files/atomic.js'
import { withLock } from '../files/lock.js'
import { createFolderSync } from '../files/new-folder.js'
import { appendToLedger, ledgerPath, readLedgerFile } from '../protocol/ledger-file.js'
import {
  type AccessEntry,
  accessPath,
  accessText,
  readAccess,
  readAccessFile,
} from '../protocol/readings.js'
import type { RegisteredEntry, ResultEntry } from '../protocol/rules/entry.js'
import { findResultEntry, nextEntryAt, registrationEnds } from '../protocol/rules/ledger.js'
import { findRegisteredEntry } from '../registration/verify.js'
import { FILES } from './evidence/folder.js'
import { readEvidence, readResult, requireEvidence } from './evidence/open.js'
import { assertSound, type Broken, catchBroken } from './links.js'

/**
 * Enters a result in the ledger of its registration, unless it is there already: a run that was broken off gives the
 * same result when it is repeated. A clock that is behind costs no result: it takes the time of the entry before it.
 * @param at - when the result was written, according to the record of readings.
 * @throws {ForeproofError} `refused` if the registration was closed while it was scored; as `appendToLedger`.
 */
export function enterResult(
  file: string,
  { registration_sha256, protocol_version, protocol_sha256 }: RegisteredEntry,
  result_sha256: string,
  at: Instant,
): ResultEntry {
  const entry = appendToLedger(file, (ledger) => {
    const entered = findResultEntry(ledger, { registration_sha256, result_sha256 })
    if (entered !== undefined) return { entry: entered }
    const { closed } = registrationEnds(ledger).get(registration_sha256) ?? {}
    if (closed !== undefined) {
      throw new ForeproofError(
        'refused',
        `${ledger.file}: entry ${closed.seq} closed the registration while it was scored`,
        { file: ledger.file, help: 'Nothing is scored under a closed registration.' },
      )
    }
    const result_at = formatUtc(nextEntryAt(ledger, at))
    const of = { registration_sha256, protocol_version, protocol_sha256 }
    return { append: { ...of, result_sha256, result_at } }
  })
  return entry as ResultEntry
}

/**
 * Enters the result of an evidence folder that was scored beside another copy of the ledger, with its record of
 * readings.
 * @param folder - the evidence. @param protocols - the folder of the ledger.
 * @throws {ForeproofError} `refused` if the ledger lacks the registration, or has another record of readings; as
 * `enterResult`.
 */
export async function takeOverResult(
  folder: string,
  protocols: string,
): Promise<Broken | { readonly ok: true; readonly entry: ResultEntry }> {
  requireEvidence(folder)
  return await catchBroken(async () => {
    const { result_sha256, inputs } = await readResult(folder)
    const registration_sha256 = inputs.registration.sha256
    const file = ledgerPath(protocols)
    const ledger = readLedgerFile(file)
    const registered = ledger && findRegisteredEntry({ registration_sha256 }, ledger)
    if (registered === undefined) {
      throw refused(
        folder,
        `${file} does not have its registration`,
        'Name the folder of its ledger with --dir.',
      )
    }
    const name = `${folder}/${FILES.access}`
    const read = readAccess(readEvidence(folder, FILES.access), name, registration_sha256)
    assertSound('access', read.findings)
    const last = read.entries.at(-1)
    if (last?.result_sha256 !== result_sha256) {
      throw refused(
        folder,
        'its record of readings does not end with its result',
        'It was edited. Restore the folder.',
      )
    }
    takeOverReadings(accessPath(protocols, registration_sha256), read.entries, folder)
    return { ok: true, entry: enterResult(file, registered, result_sha256, instantOrNaN(last.at)) }
  })
}

/** Extends the record of readings beside the ledger with that of an evidence folder, if one continues the other. */
function takeOverReadings(path: string, entries: readonly AccessEntry[], folder: string): void {
  createFolderSync(dirname(path))
  withLock(path, () => {
    const log = readAccessFile(path, entries[0]?.registration_sha256 ?? '')
    assertSound('access', log.findings)
    const parted = log.entries.findIndex(
      (entry, index) => entries[index] && entries[index].entry_sha256 !== entry.entry_sha256,
    )
    if (parted >= 0) {
      throw refused(
        folder,
        `outcomes were read in both places: from line ${parted + 1} on, ${path} differs from its record of readings`,
        'Both cannot be the record of one registration. The first reading beside this ledger counts.',
      )
    }
    if (entries.length > log.entries.length) writeFileAtomic(path, accessText(entries))
  })
}

const refused = (file: string, why: string, help: string) =>
  new ForeproofError('refused', `${file}: ${why}`, { file, help })
