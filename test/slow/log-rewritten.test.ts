import { it } from 'vitest'
import { sample, sampleAttempt } from '../history/samples.js'
import { EDITS, expectNamed } from '../site/build-site.js'

/** Sizes of the two checkpoints. */
const [first, second] = [7, 10]

/** Rows of two models, of which some are attempts. */
const values = [20, 21, 22, 23, 24].flatMap((hour) => [
  sample({ hour, model: 'alpha', horizon: 2 }),
  (hour % 2 === 0 ? sample : sampleAttempt)({ hour, model: 'beta', horizon: 4 }),
])
const CASES = EDITS.flatMap((edit) =>
  values.slice(0, edit === 'reordered' ? first - 1 : first).flatMap((_, index) =>
    // What is slipped in, and an order, are in the log alone.
    (edit === 'inserted' || edit === 'reordered' ? [false] : [false, true]).map((logLeft) => ({
      edit,
      index,
      logLeft,
    })),
  ),
)

it.each(CASES)(
  'a mirror says that the row $index was $edit before a checkpoint it has seen, the log left alone: $logLeft',
  async (one) => {
    await expectNamed({ values, first, second, ...one })
  },
)
