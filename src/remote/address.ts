/** A text as an address of the web; undefined for any other, and for one with credentials in it. */
export function webAddress(text: string): URL | undefined {
  if (!isWeb(text)) return undefined
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : undefined
}

/**
 * An address as messages show it: without user name, password, query and fragment, for any of them
 * may be a key. What is no address of the web is shown as it is, unless it looks like it had a password.
 */
export function addressText(text: string): string {
  if (!isWeb(text)) return text.includes('@') ? 'the address' : text
  const { origin, pathname, search } = new URL(text)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
