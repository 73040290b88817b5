/**
 * Orders names as SQLite orders text: by the bytes of UTF-8, which is by code point. JavaScript's
 * own order differs for characters beyond the basic plane, whose halves sort before U+E000.
 */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index)
    const y = b.charCodeAt(index)
    if (x === y) continue
    const left = x >= 0xd800 && x <= 0xdfff
    const right = y >= 0xd800 && y <= 0xdfff
    // Half of a pair stands for a character beyond every one that is whole.
    if (left !== right) return left ? 1 : -1
    return x - y
  }
  return a.length - b.length
}
