/**
 * Texts of numbers that are new with every request. What `String` makes of a number stays in a cache of
 * V8's until that is full, and so outlives the collection of young rubbish: thousands of tiny strings to
 * be moved while requests wait. Here they are put together from strings that are there already.
 */
const GROUP = 1000
const PADDED = Array.from({ length: GROUP }, (_, value) => String(value).padStart(3, '0'))
const SHORT = PADDED.map((_, value) => String(value))

/** A whole number from 0 on in decimal digits. */
export function decimal(value: number): string {
  if (value < GROUP) return SHORT[value]!
  const higher = Math.floor(value / GROUP)
  return decimal(higher) + PADDED[value - higher * GROUP]!
}
