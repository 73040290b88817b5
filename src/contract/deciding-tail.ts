/** The part of rules, or of a protocol of version 2, that determines the deciding levels. */
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
 * How far out in the tail the deciding score lies: the share of outcomes expected beyond its level or interval bound.
 * For a weighted interval, the tail at which half of the sum of all tails is reached, smallest first, because losses
 * are roughly proportional to tails.
 * @returns 0.5 for an absolute error.
 */
export function decidingTail({ scores, forecast }: Levels): number {
  const primary = scores.find((score) => score.primary)
  const tailShare = (level: string) => Math.min(Number(level), 1 - Number(level))
  if (primary?.kind !== 'weighted_interval')
    return tailShare(primary?.level ?? primary?.lower ?? '0.5')
  const tails = forecast.levels.map(tailShare).sort((a, b) => a - b)
  const half = tails.reduce((sum, tail) => sum + tail, 0) / 2
  const reached = (at: number) => tails.slice(0, at + 1).reduce((sum, tail) => sum + tail, 0)
  return tails.find((_, at) => reached(at) >= half) ?? 0.5
}

/**
 * How many cases are needed to expect `times` misses, rounded up; the tolerance absorbs the rounding error of the
 * quotient.
 */
export const timesSeldom = (times: number, tail: number): number => Math.ceil(times / tail - 1e-6)
