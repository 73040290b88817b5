import { isPostgres, shownAddress } from './postgres/address.js'

/** What messages and records call a history: its path, or its URL without a password. */
export function shownHistory(path: string): string {
  if (isPostgres(path)) return shownAddress(path)
  const scheme = otherScheme(path)
  return scheme === undefined ? path : `${scheme}…`
}

/** Whether a history is a file: its name is a path, which means another file in another folder. */
export function isHistoryFile(path: string): boolean {
  return !isPostgres(path)
}

/** The scheme of a URL that no store goes by, such as a slip of the pen: it may have a password all the same. */
export function otherScheme(path: string): string | undefined {
  return isPostgres(path) ? undefined : /^[a-z][a-z0-9+.-]*:\/\//i.exec(path)?.[0]
}
