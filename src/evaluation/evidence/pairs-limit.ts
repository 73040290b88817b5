/**
 * The largest size of the pairs of an evaluation, in bytes of lines, and what to do beyond it; a browser has lower
 * limits.
 */
export const PAIRS_LIMIT = {
  max: 128 * 2 ** 30,
  help: 'Check that this is the right file: pairs are never so large.',
}
