/** Few: what is remembered for long outlives garbage collections and swells the heap. */
const REMEMBERED = 32

/**
 * A function that remembers the last values that it gave, and forgets all of them when they are too many.
 * @param compute - never gives undefined.
 * @param most - values that are remembered.
 */
export function remembering<K, V>(compute: (of: K) => V, most = REMEMBERED): (of: K) => V {
  const known = new Map<K, V>()
  return (of) => {
    let value = known.get(of)
    if (value === undefined) {
      value = compute(of)
      if (known.size >= most) known.clear()
      known.set(of, value)
    }
    return value
  }
}
