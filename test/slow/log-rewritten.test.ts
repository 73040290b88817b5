import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sample, sampleAttempt } from '../history/samples.js'
import { EDITS, expectNamed } from '../log/witness.js'

const RUNS = 100

const entry = fc.record({
  hour: fc.integer({ min: 20, max: 60 }),
  model: fc.constantFrom('alpha', 'beta'),
  horizon: fc.constantFrom(2, 4),
  failed: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
})
const scene = fc
  .record({
    made: fc.uniqueArray(entry, {
      minLength: 4,
      maxLength: 14,
      selector: ({ hour, model, horizon }) => `${hour} ${model} ${horizon}`,
    }),
    one: fc.nat(),
    two: fc.nat(),
    place: fc.nat(),
    edit: fc.constantFrom(...EDITS),
    left: fc.boolean(),
  })
  .map(({ made, one, two, place, edit, left }) => {
    const values = made.map(({ failed, ...key }) => (failed ? sampleAttempt(key) : sample(key)))
    const first = 2 + (one % (values.length - 3))
    const second = first + 1 + (two % (values.length - first))
    const index = place % (edit === 'reordered' ? first - 1 : first)
    const logLeft = left && edit !== 'inserted' && edit !== 'reordered'
    return { values, first, second, index, edit, logLeft }
  })

it('a mirror names each row that was changed before a checkpoint it has seen', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(scene, async (one) => {
      await expectNamed(one)
      seen.add(`${one.edit} ${one.logLeft}`)
    }),
    { numRuns: RUNS, seed: 20261122, endOnFailure: true },
  )
  // Three of them with and without the log.
  expect(seen.size).toBe(8)
})
