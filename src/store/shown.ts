import { displayPath, isInvalidPath } from '../files/given.js'
import { displayAddress, isPostgres } from './postgres/address.js'

/** What messages and records call a history: its path, or host and database of its URL. */
export const historyName = (path: string): string =>
  isPostgres(path) ? displayAddress(path) : displayPath(path)

/** The files that a history is in, which other folders name by other paths; none where it is on a server. */
export function historyFiles(name: string): readonly string[] {
  return isPostgres(name) ? [] : [name]
}

const LIKE_A_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|postgres(?:ql)?(?::|\/\/))/i

/** Whether what is named is an address that no store goes by, such as a mistyped one, or a key. */
export const isUnknownAddress = (path: string): boolean =>
  !isPostgres(path) && (LIKE_A_URL.test(path) || isInvalidPath(path))
