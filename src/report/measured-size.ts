import type { EvaluationResult } from '../evaluation/result/types.js'
import { nearestSize, type ShareRange } from '../inference/measured-size.js'
import { percent } from '../output/figures.js'
import { methodOf } from './view.js'

/** How often the method was seen to reject where nothing was to be found, in the nearest design. */
export function measuredSizeIn(result: EvaluationResult): string {
  const method = methodOf(result)
  const { blocks, any, deciding, week } = nearestSize(
    method,
    Math.max(1, result.settings.blocks_in_window),
  )
  const long =
    week === undefined
      ? ''
      : `; where interval widths remember for a week, something in ${range(week)}`
  return `where nothing was to be found, ${method} at 5 % with ${blocks} blocks of 24 hours rejected something in ${range(any)} of evaluations and a deciding test in ${range(deciding)}${long} (docs/statistics.md)`
}

function range({ least, most }: ShareRange): string {
  const [from, to] = [percent(least), percent(most)]
  return from === to ? from : `${from} to ${to}`
}
