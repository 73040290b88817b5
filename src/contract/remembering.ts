/** For what is asked all the time: what is remembered for long outlives garbage collections and swells the heap. */
export const FEW = 32

/**
 * A function that computes a value once for each argument, or for arguments with the same JSON where it has several.
 * @param compute - never gives undefined.
 * @param most - values that are remembered: all of them are forgotten when they are too many.
 */
export function remembering<A extends readonly unknown[], V>(
  compute: (...args: A) => V,
  most = Number.POSITIVE_INFINITY,
): (...args: A) => V {
  const known = new Map<unknown, V>()
  let last: unknown
  let value: V | undefined
  return (...args) => {
    const key = args.length === 1 ? args[0] : JSON.stringify(args)
    // To compare a key is cheaper than to look it up.
    if (key === last && value !== undefined) return value
    value = known.get(key)
    last = key
    if (value === undefined) {
      value = compute(...args)
      if (known.size >= most) known.clear()
      known.set(key, value)
    }
    return value
  }
}
