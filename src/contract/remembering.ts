/**
 * Limit for frequently called functions, because values kept for long survive garbage collections and grow the heap.
 */
export const FEW = 32

/**
 * Returns a function that caches the value of each argument; several arguments are compared by their JSON.
 * @param compute - must not return undefined.
 * @param max - maximum number of cached values; beyond it all are dropped.
 */
export function remembering<A extends readonly unknown[], V>(
  compute: (...args: A) => V,
  max = Number.POSITIVE_INFINITY,
): (...args: A) => V {
  const values = new Map<unknown, V>()
  let last: unknown
  let value: V | undefined
  return (...args) => {
    const key = args.length === 1 ? args[0] : JSON.stringify(args)
    // Comparing with the last key is cheaper than a lookup.
    if (key === last && value !== undefined) return value
    value = values.get(key)
    last = key
    if (value === undefined) {
      value = compute(...args)
      if (values.size >= max) values.clear()
      values.set(key, value)
    }
    return value
  }
}
