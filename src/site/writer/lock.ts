import { ForeproofError } from '../../contract/error.js'
import { takeLock } from '../../files/lock.js'

/**
 * Keeps a second build away while one runs.
 * @returns what gives the lock back.
 * @throws {ForeproofError} `unavailable` when another build is running.
 */
export function lockSite(file: string): () => void {
  return takeLock(file, {
    refuse: (holder) =>
      new ForeproofError('unavailable', 'another build of this site is running', {
        file,
        help: `Wait for process ${holder}, or remove ${file} if that is no build.`,
      }),
  })
}
