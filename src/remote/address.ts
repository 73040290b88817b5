/** A text as an address of the web; undefined for any other, and for one with credentials in it. */
export function parseWebAddress(text: string): URL | undefined {
  if (!isWeb(text)) return undefined
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : undefined
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
