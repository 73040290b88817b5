/** Levenshtein distance, bounded: anything beyond `limit` is reported as `limit + 1`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? limit + 1
}

/** The help for an unknown name: `Did you mean x?`, else `fallback`. */
export function nearestHelp(given: string, known: readonly string[], fallback: string): string {
  const close = nearest(given, known)
  return close === undefined ? fallback : `Did you mean ${close}?`
}

/** The known name that was most likely meant, or undefined if none is close. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(given.length / 3))
  let best: string | undefined
  let smallest = limit + 1
  for (const name of known) {
    const away = distance(given.toLowerCase(), name.toLowerCase(), limit)
    if (away < smallest) {
      smallest = away
      best = name
    }
  }
  return best
}
