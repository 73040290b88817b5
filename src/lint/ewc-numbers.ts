import type { Registration } from '../contract/types.js'
import { BLOCKS_A_DEGREE, LEAST_NU, MOST_NU } from '../inference/ewc.js'
import { LEAST_EWC_BLOCKS } from '../inference/least-blocks.js'
import { TEMPLATE_INFERENCE } from '../registration/inference-rules.js'

/** Numbers of the cosine test: those that a finding names, and those that follow from them. */
export function ewcNumbers(blockLength: number, registration: Registration | undefined) {
  const { inference } = registration ?? {}
  const { weights } = inference?.method === 'ewc-t' ? inference : TEMPLATE_INFERENCE
  return {
    uses: {
      'degrees of freedom': [LEAST_NU, MOST_NU.hours, MOST_NU.days],
      'blocks of a cosine test': [LEAST_EWC_BLOCKS],
      weights: [weights.deciding, weights.other],
    },
    // The shortest period of the cosines: two blocks for each of those behind a degree of freedom.
    also: [BLOCKS_A_DEGREE, 2 * BLOCKS_A_DEGREE, 2 * BLOCKS_A_DEGREE * blockLength],
  }
}
