import { isPostgres, shownAddress } from './postgres/address.js'

/** What messages and records call a history: its path, or its URL without a password. */
export function shownHistory(path: string): string {
  if (isPostgres(path)) return shownAddress(path)
  const scheme = otherScheme(path)
  return scheme === undefined ? path : `${scheme}…`
}

/** The files that a history is in, which other folders name by other paths; none where it is on a server. */
export function historyFiles(name: string): readonly string[] {
  return isPostgres(name) ? [] : [name]
}

const LIKE_A_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|postgres(?:ql)?(?::|\/\/))/i

/** The scheme of a URL that no store goes by, such as a slip of the pen: it may have a password all the same. */
export function otherScheme(path: string): string | undefined {
  return isPostgres(path) ? undefined : LIKE_A_URL.exec(path)?.[0]
}
