/** What of rules, or of a protocol of version 2, says which levels decide. */
interface Levels {
  readonly scores: readonly {
    readonly kind: string
    readonly level?: string | null | undefined
    readonly lower?: string | null | undefined
    readonly primary?: boolean | undefined
  }[]
  readonly forecast: { readonly levels: readonly string[] }
}

/**
 * How far out the levels lie on which the score that decides rests: the share beyond the one of its level or interval; of
 * a weighted interval the tail at which half of the sum of all is reached, smallest first, for losses are about as large
 * as tails. A forecast is missed so seldom beyond it. @returns 0.5 of an absolute error.
 */
export function decidingTail({ scores, forecast }: Levels): number {
  const primary = scores.find((score) => score.primary)
  const tailOf = (level: string) => Math.min(Number(level), 1 - Number(level))
  if (primary?.kind !== 'weighted_interval')
    return tailOf(primary?.level ?? primary?.lower ?? '0.5')
  const tails = forecast.levels.map(tailOf).sort((a, b) => a - b)
  const half = tails.reduce((sum, tail) => sum + tail, 0) / 2
  const reached = (at: number) => tails.slice(0, at + 1).reduce((sum, tail) => sum + tail, 0)
  return tails.find((_, at) => reached(at) >= half) ?? 0.5
}

/** So many of what is seldom missed, whole, and not one more for the rounding of a quotient. */
export const timesSeldom = (times: number, tail: number): number => Math.ceil(times / tail - 1e-6)
