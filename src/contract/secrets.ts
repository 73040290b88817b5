/** What a text holds that may be an address with a password, or a key. */
const SECRET_MARKS = /:\/\/|@|password|\b(?:pass(?:wd)?|pwd)\s*=|-----BEGIN/i
const PEM_MARK = /-----BEGIN/i
/** Shown for a text of which nothing can be shown. */
const HIDDEN = '(not shown: it may hold a secret)'
const HIDDEN_PEM = '(not shown: a PEM file or key)'
/** A host with its port, in the letters that no password needs escaping for. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i
const PATH = /^[\w./~-]*$/

/** Whether a text may be an address with a password, or a key. */
export const mayHoldSecret = (text: string): boolean => SECRET_MARKS.test(text)

/** An address with a name or password in it, a word for a password with its value, or a key. */
const SECRET =
  /[a-z][\w+.-]*:\/{1,2}[^/\s]*@|:\/\/\S*@|(?:passw(?:or)?d|\b(?:pass|pwd))\s*=|-----BEGIN/i

/** Whether a text has such a form that a secret is in it: names of people and things may have an @, or speak of passwords. */
export const showsSecret = (text: string): boolean => SECRET.test(text)

/** Whether a text is that of a key or certificate in PEM, from its beginning. */
export const isPem = (text: string): boolean => /^\uFEFF?\s*-----BEGIN/.test(text)

/**
 * The one way of an address, a key or any other text that a user gave into a message or record. Of a text that may hold
 * a secret this shows scheme, host and database (or path) where they are certain, and nothing else; other texts stay.
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
  // An @ further on may be the end of a password in which / ? or # was not escaped.
  const isCertain = !`${path}${query}`.includes('@') && (host === '' || HOST.test(host))
  if (!isCertain) return `${scheme}://…`
  return `${scheme}://${host}${PATH.test(path) ? path : '/…'}${query.startsWith('?') ? '?…' : ''}`
}

/**
 * A message without the secrets of the texts that it was made from.
 * @param given - what the user gave, such as arguments and values of variables.
 */
export function hideSecrets(message: string, given: readonly string[]): string {
  // The longest first: one may be a part of another.
  const secrets = given.filter(mayHoldSecret).toSorted((a, b) => b.length - a.length)
  return secrets.reduce((said, secret) => {
    const shown = withoutSecrets(secret)
    const spellings = [secret, JSON.stringify(secret).slice(1, -1)]
    return spellings.reduce((text, spelling) => text.replaceAll(spelling, () => shown), said)
  }, message)
}
