import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { withLock } from '../../files/lock.js'
import { makeFolderSync } from '../../files/make-folder.js'
import { readRegular } from '../../files/regular.js'
import {
  type AccessEntry,
  type AccessFields,
  type AccessLog,
  accessText,
  chained,
  readAccess,
} from './access.js'
import { FILES, MAX_BYTES_OF } from './folder.js'

/**
 * Where readings under a registration are entered: beside the ledger that holds the registration,
 * named by its digest. Not in the folder a run writes, where another run would not look, nor beside
 * the registration's file, which can be copied.
 */
export function accessPath(protocolFolder: string, registrationSha256: string): string {
  return join(protocolFolder, 'access', `${registrationSha256}.jsonl`)
}

/** The readings so far; none when the file does not exist. */
export function readAccessFile(path: string, registrationSha256: string): AccessLog {
  if (!existsSync(path)) return { entries: [], findings: [] }
  return readAccess(readRegular(path, MAX_BYTES_OF[FILES.access]), path, registrationSha256)
}

/**
 * Appends an entry while no other process can.
 * @param decide makes the entry from those before it.
 * @returns all entries, the new one last.
 * @throws {ForeproofError} `refused` when the record as it stands does not hold.
 */
export function appendAccess(
  path: string,
  registrationSha256: string,
  decide: (before: readonly AccessEntry[]) => AccessFields,
): readonly AccessEntry[] {
  try {
    makeFolderSync(dirname(path))
  } catch (cause) {
    throw fileError(cause, dirname(path))
  }
  return withLock(path, () => {
    const { entries, findings } = readAccessFile(path, registrationSha256)
    if (findings.length > 0) {
      throw new ForeproofError('refused', `${path}: the record of readings is broken`, {
        file: path,
        findings,
        help: 'It was edited or cut. Restore it from version control; nothing was scored.',
      })
    }
    const entry = chained(decide(entries), entries.at(-1))
    const all = [...entries, entry]
    writeFileAtomic(path, accessText(all))
    return all
  })
}
