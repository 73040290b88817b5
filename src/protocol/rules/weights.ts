/** Set by the program: neither a plan nor a protocol chooses them, so they cannot be fitted to the data. */
export const WEIGHTS = { verdict: 0.6, deciding: 0.3, other: 0.1 } as const

/** If all tests decide, they also get the share of the others. */
export const WITHOUT_OTHERS = {
  verdict: WEIGHTS.verdict,
  deciding: 0.4,
} as const
