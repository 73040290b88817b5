const BEYOND_ASCII = /[\x7f-\uffff]/g
const ANY_BEYOND_ASCII = /[\x7f-\uffff]/
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/**
 * JSON text in ASCII only: whatever lies beyond is written as `\uXXXX`, which says the same. Its length in
 * characters is then its length in bytes, and it is written without encoding.
 */
export function asciiText(json: string): string {
  if (!ANY_BEYOND_ASCII.test(json)) return json
  return json.replace(
    BEYOND_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A string as JSON in ASCII. */
export function asciiJson(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : asciiText(JSON.stringify(text))
}
