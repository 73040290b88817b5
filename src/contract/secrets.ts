/** Signs that a text may be an address with a password, or a key. */
const SECRET_MARKS = /:\/\/|@|password|\b(?:pass(?:wd)?|pwd)\s*=|-----BEGIN/i
const PEM_MARK = /-----BEGIN/i
/** Shown instead of a text that must be hidden completely. */
const HIDDEN = '(not shown: it may hold a secret)'
const HIDDEN_PEM = '(not shown: a PEM file or key)'
/** A host with its port, in characters that no password needs to escape. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i
const PATH = /^[\w./~-]*$/

/** Whether a text may be an address with a password, or a key. */
export const mayHoldSecret = (text: string): boolean => SECRET_MARKS.test(text)

/** An address with a name or password in it, a word for a password with its value, or a key. */
const SECRET =
  /[a-z][\w+.-]*:\/{1,2}[^/\s]*@|:\/\/\S*@|(?:passw(?:or)?d|\b(?:pass|pwd))\s*=|-----BEGIN/i

/**
 * Whether a text certainly has the form of a secret. Unlike `mayHoldSecret`, it allows names with an @, and text about
 * passwords.
 */
export const showsSecret = (text: string): boolean => SECRET.test(text)

/** Whether a text starts as a PEM key or certificate. */
export const isPem = (text: string): boolean => /^\uFEFF?\s*-----BEGIN/.test(text)

/**
 * Every address, key or other text from the user must pass through this function before it is shown or recorded. If the
 * text may contain a secret, this shows only scheme, host and database (or path), if they are certain; other texts stay
 * as they are.
 */
export function withoutSecrets(text: string): string {
  if (!mayHoldSecret(text)) return text
  if (PEM_MARK.test(text)) return HIDDEN_PEM
  const [, scheme, rest = ''] = /([a-z][a-z\d+.-]*):\/\/(.*)/is.exec(text) ?? []
  if (scheme === undefined) return HIDDEN
  const [, address = '', query = ''] = /^([^\s"'`<>?#]*)(.*)/s.exec(rest) ?? []
  const slash = address.indexOf('/')
  const [authority, path] =
    slash < 0 ? [address, ''] : [address.slice(0, slash), address.slice(slash)]
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  // A later @ may end a password in which / ? or # was not escaped.
  const isCertain = !`${path}${query}`.includes('@') && (host === '' || HOST.test(host))
  if (!isCertain) return `${scheme}://…`
  return `${scheme}://${host}${PATH.test(path) ? path : '/…'}${query.startsWith('?') ? '?…' : ''}`
}

/**
 * Removes the secrets of given texts from a message.
 * @param given - what the user gave, such as arguments and values of variables.
 */
export function hideSecrets(message: string, given: readonly string[]): string {
  // The longest first, because one may be a part of another.
  const secrets = given.filter(mayHoldSecret).toSorted((a, b) => b.length - a.length)
  return secrets.reduce((masked, secret) => {
    const shown = withoutSecrets(secret)
    const spellings = [secret, JSON.stringify(secret).slice(1, -1)]
    return spellings.reduce((text, spelling) => text.replaceAll(spelling, () => shown), masked)
  }, message)
}
