import { readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { ForeproofError, fileError } from '../contract/error.js'

/**
 * Keeps a second build away while one runs. A lock whose process is gone is taken over.
 * @returns what gives the lock back.
 * @throws {ForeproofError} `unavailable` when another build is running.
 */
export function lock(path: string): () => void {
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx' })
      return () => unlinkSync(path)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2) {
        throw fileError(cause, path)
      }
    }
    const holder = holderOf(path)
    if (holder !== undefined && runs(holder)) {
      throw new ForeproofError('unavailable', `another build of this site is running`, {
        file: path,
        help: `Wait for process ${holder}, or remove ${path} if that is no build.`,
      })
    }
    try {
      unlinkSync(path)
    } catch {
      // Its holder was quicker.
    }
  }
}

function holderOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8').trim())
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}
