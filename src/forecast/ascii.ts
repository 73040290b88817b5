const BEYOND_ASCII = /[\x7f-\uffff]/g
const ANY_BEYOND_ASCII = /[\x7f-\uffff]/

/**
 * A value as JSON in ASCII: other characters are escaped as `\uXXXX`, with the same meaning. Its length in characters
 * is therefore its length in bytes, and it can be written without encoding.
 */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!ANY_BEYOND_ASCII.test(json)) return json
  return json.replace(
    BEYOND_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
