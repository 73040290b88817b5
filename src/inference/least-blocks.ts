import type { InferenceMethod } from '../contract/types.js'

/** Fewer blocks leave too few cosines for four degrees of freedom. */
export const LEAST_EWC_BLOCKS = 16

/** Effective blocks that a test by this method needs, where a protocol asks for so many. */
export function leastBlocks(method: InferenceMethod['method'], minimumBlocks: number): number {
  return method === 'ewc-t' ? Math.max(minimumBlocks, LEAST_EWC_BLOCKS) : minimumBlocks
}
