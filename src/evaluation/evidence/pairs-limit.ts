/** How many bytes of lines the pairs of an evaluation may be, and what to do beyond; a browser has limits of its own. */
export const PAIRS_LIMIT = {
  most: 128 * 2 ** 30,
  help: 'Check that this is the right file: pairs are never so large.',
}
