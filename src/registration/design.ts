import type { RulesData } from '../contract/types.js'
import { countOriginsADay } from '../inference/days.js'
import type { EwcDesign } from '../inference/ewc-judge.js'
import type { SeriesTimes } from '../periods/series-times.js'

/** What rules ask of a test, in the terms of inference. */
export function testDesign({
  dependence,
  test,
  alpha,
}: Pick<RulesData, 'dependence' | 'test' | 'alpha'>): Omit<EwcDesign, 'originsADay'> {
  const { block_origins, minimum_blocks, minimum_pairs } = dependence
  const of = test.method === 'ewc-t' ? test : undefined
  return {
    blockLength: block_origins,
    minimumBlocks: minimum_blocks,
    minimumPairs: Math.max(of?.minimum_origins ?? 0, minimum_pairs),
    leastBlocks: of?.minimum_blocks ?? 0,
    ...(of?.counted === 'any' && { counted: 'any' as const }),
    alpha,
  }
}

/** The largest number of these origins in one day. */
export const mostOriginsADay = (
  origins: readonly number[],
  { due }: Pick<SeriesTimes, 'due'>,
): number => countOriginsADay(origins.map(due))()
