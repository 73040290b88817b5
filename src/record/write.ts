import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileError } from '../contract/error.js'
import { createFolderSync, StagedFolder } from '../files/new-folder.js'
import { deriveRecord } from './derive.js'
import { RECORD_JSON, RECORD_PAGE, recordText } from './files.js'
import type { GatheredRecord } from './gather.js'
import { recordPage } from './page.js'
import type { ForeproofRecord } from './track-record.js'

/**
 * Writes a record as a folder, completely or not at all.
 * @throws {ForeproofError} `refused` if something else has the name; `io`.
 */
export function writeRecord({ inputs, files }: GatheredRecord, out: string): ForeproofRecord {
  const record = deriveRecord(inputs)
  const staged = new StagedFolder(out)
  try {
    for (const { path, from, bytes } of files) {
      if (bytes !== undefined) staged.put(path, bytes)
      else copyInto(staged, path, from)
    }
    staged.put(RECORD_JSON, recordText(record))
    staged.put(RECORD_PAGE, recordPage(record))
    staged.commit()
  } catch (cause) {
    throw fileError(cause, out)
  } finally {
    staged.discard()
  }
  return record
}

/** Evidence may be larger than memory. */
function copyInto({ staging }: StagedFolder, path: string, from: string): void {
  const to = join(staging, path)
  createFolderSync(dirname(to))
  copyFileSync(from, to)
}
