import { readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { ForeproofError, fileError } from '../contract/error.js'
import { isRunning, startOf } from '../files/process.js'

/**
 * Keeps a second build away while one runs. A lock whose process is gone is taken over.
 * @returns what gives the lock back.
 * @throws {ForeproofError} `unavailable` when another build is running.
 */
export function lock(path: string): () => void {
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, `${[process.pid, startOf(process.pid)].join(' ').trim()}\n`, {
        flag: 'wx',
      })
      return () => rmSync(path, { force: true })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 2) {
        throw fileError(cause, path)
      }
    }
    const holder = holderOf(path)
    if (holder !== undefined && isRunning(holder.pid, holder.start)) {
      throw new ForeproofError('unavailable', `another build of this site is running`, {
        file: path,
        help: `Wait for process ${holder.pid}, or remove ${path} if that is no build.`,
      })
    }
    try {
      unlinkSync(path)
    } catch {
      // Its holder was quicker.
    }
  }
}

function holderOf(path: string): { pid: number; start: string | undefined } | undefined {
  try {
    const [number, start] = readFileSync(path, 'utf8').trim().split(' ')
    const pid = Number(number)
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, start } : undefined
  } catch {
    return undefined
  }
}
