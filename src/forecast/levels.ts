/** A parsed level, or why it is invalid. */
export type ReadLevel =
  | {
      readonly ok: true
      readonly level: string
      /** Whether it is a level of the protocol with a floating-point error. */
      readonly isNear: boolean
    }
  | { readonly ok: false; readonly fault: 'level' | 'level-digits' }

/** Levels that differ by less are the same: the errors of float32 and of sums such as 0.1 + 0.2 are far smaller. */
const NEAR = 1e-6
/** A level with more decimals was computed and not chosen. */
const MAX_DECIMALS = 6
/** A table has few levels, unless all of it is wrong. */
const KEPT = 1000

/**
 * Normalises a level: `0.10`, `.1` and `1e-1` are `0.1`.
 * @returns undefined if it is not a decimal between 0 and 1, both excluded.
 */
export function quantileLevel(text: string): string | undefined {
  const [, whole = '', decimals = '', exponent] = /^(\d*)\.?(\d*)e-(\d\d?)$/i.exec(text) ?? []
  const plain =
    exponent === undefined ? text : `.${whole.padStart(Number(exponent), '0')}${decimals}`
  if (whole.length > Number(exponent ?? 0)) return undefined
  const digits = /^0*\.(\d*?)0*$/.exec(plain)?.[1]
  return digits ? `0.${digits}` : undefined
}

/**
 * Parses levels, and corrects those near a level of the protocol.
 * @param own - the levels of the protocol.
 */
export function levelReader(own: readonly string[]): (text: string) => ReadLevel {
  const cache = new Map<string, ReadLevel>()
  return (text) => {
    const before = cache.get(text)
    if (before !== undefined) return before
    const read = readLevel(text, own)
    if (cache.size < KEPT) cache.set(text, read)
    return read
  }
}

function readLevel(text: string, own: readonly string[]): ReadLevel {
  const level = quantileLevel(text)
  if (level === undefined) return { ok: false, fault: 'level' }
  if (own.includes(level)) return { ok: true, level, isNear: false }
  const distance = (each: string) => Math.abs(Number(each) - Number(level))
  const [near] = [...own].sort((a, b) => distance(a) - distance(b))
  if (near !== undefined && distance(near) < NEAR) return { ok: true, level: near, isNear: true }
  const isChosen = level.length - '0.'.length <= MAX_DECIMALS
  return isChosen ? { ok: true, level, isNear: false } : { ok: false, fault: 'level-digits' }
}
