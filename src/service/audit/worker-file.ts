import { format, parse } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { namesOpenFile } from '../../files/regular.js'
import { statOf } from './path-guard.js'

/**
 * The audit log of one of several workers, `reads.worker-2.jsonl` for `reads.jsonl`: two processes cannot
 * rotate one file. A device is never rotated, and is the same for all.
 */
export function auditPathOf(path: string, worker: number): string {
  if (statOf(path)?.isCharacterDevice()) return path
  const { dir, name, ext } = parse(path)
  return format({ dir, name: `${name}.worker-${worker}`, ext })
}

/**
 * The audit logs of so many workers.
 * @param named the variable or flag that the path came from.
 * @throws {ForeproofError} `usage` for a pipe, in which the lines of several would run into each other, and for a
 * file by such a name as /dev/stdout, which would itself be moved aside with the first rotation.
 */
export function auditPathsOf(path: string, workers: number, named: string): string[] {
  const found = statOf(path)
  if (found?.isFile() && namesOpenFile(path)) {
    throw new ForeproofError('usage', `${named} is ${path}, which leads to a file here`, {
      help: 'Give the path of that file itself: the audit log moves its file aside when it is full.',
    })
  }
  if (workers === 1) return [path]
  if (found?.isFIFO() || found?.isSocket()) {
    throw new ForeproofError('usage', `${named} is a pipe, which ${workers} workers cannot share`, {
      help: 'Give a file: each worker writes one of its own beside it.',
    })
  }
  return Array.from({ length: workers }, (_, index) => auditPathOf(path, index + 1))
}
