import { existsSync } from 'node:fs'
import { statRegular } from '../../../files/regular.js'

/** What SQLite keeps beside a database, and opens whenever it opens that. */
const BESIDE = ['', '-journal', '-wal', '-shm']

/**
 * Looks at a database and the files beside it before SQLite opens them: a pipe in the place of one would
 * hold it for ever. They are not opened here: closing one would give up the locks of this process on it.
 * @throws {ForeproofError} `invalid-input` naming what is no regular file.
 */
export function refuseOtherKinds(path: string): void {
  for (const name of BESIDE.map((suffix) => `${path}${suffix}`)) {
    try {
      statRegular(name)
    } catch (cause) {
      // A journal may go at any time: whoever wrote it has committed.
      if (existsSync(name)) throw cause
    }
  }
}
