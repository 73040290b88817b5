const BEYOND_ASCII = /[\x7f-\uffff]/g
const ANY_BEYOND_ASCII = /[\x7f-\uffff]/

/**
 * A value as JSON in ASCII: what lies beyond is written as `\uXXXX`, which says the same. Its length in
 * characters is then its length in bytes, and it is written without encoding.
 */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!ANY_BEYOND_ASCII.test(json)) return json
  return json.replace(
    BEYOND_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
