import { isObject, objectIn } from '../contract/is-object.js'
import { isDigest } from '../document/digest.js'

/** The files in the API's folder where a static deployment publishes its recorded attempts. */
export const ATTEMPTS_INDEX = 'attempts.json'

export interface AttemptsFile {
  /** Relative to the index: `attempts/2026-01.ndjson`. */
  readonly path: string
  /** Number of lines. */
  readonly attempts: number
  /** Of the file's bytes, as 64 hexadecimal digits. */
  readonly sha256: string
}

/** Content of `attempts.json`: a file for each month of origins (UTC) that has attempts, in order. */
export interface AttemptsIndex {
  readonly files: readonly AttemptsFile[]
}

/** The number behind the month is a generation, see `GENERATIONS` in the layout of a site. */
const PATH = /^attempts\/(\d{4}-\d{2})(?:-\d{1,9})?\.ndjson$/

/** The file of a month, `2026-01`; with a generation if files are never overwritten. */
export function monthFile(month: string, generation?: number): string {
  return `attempts/${month}${generation === undefined ? '' : `-${generation}`}.ndjson`
}

/** The month of a file. */
export function parseMonth(path: string): string | undefined {
  return PATH.exec(path)?.[1]
}

/** Parses an index; undefined if it is invalid, or if a path leads out of its folder. */
export function parseAttemptsIndex(text: string): AttemptsIndex | undefined {
  const files = objectIn(text)?.files
  return Array.isArray(files) && files.every(isFile) ? { files } : undefined
}

function isFile(value: unknown): value is AttemptsFile {
  if (!isObject(value)) return false
  const { path, attempts, sha256 } = value
  return (
    typeof path === 'string' &&
    PATH.test(path) &&
    Number.isSafeInteger(attempts) &&
    isDigest(sha256)
  )
}
