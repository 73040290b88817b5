import { displayPath, isInvalidPath } from '../files/display-path.js'
import { displayAddress, isPostgres } from './postgres/address.js'

/** The name of a history in messages and records: its path, or host and database of its URL. */
export const historyName = (path: string): string =>
  isPostgres(path) ? displayAddress(path) : displayPath(path)

/** The files of a history; none if it is on a server. */
export function historyFiles(name: string): readonly string[] {
  return isPostgres(name) ? [] : [name]
}

const LIKE_A_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|postgres(?:ql)?(?::|\/\/))/i

/** Whether a name looks like an address that no store has, such as a mistyped URL. */
export const isUnknownAddress = (path: string): boolean =>
  !isPostgres(path) && (LIKE_A_URL.test(path) || isInvalidPath(path))
