/** Parses a web address; undefined for other text, and for an address with credentials. */
export function parseWebAddress(text: string): URL | undefined {
  if (!isWeb(text)) return undefined
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : undefined
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
