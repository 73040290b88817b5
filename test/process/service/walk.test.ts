import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idsOf } from '../../support/service/history.js'
import { serve } from '../../support/service/serve.js'
import { filter, limits, walk } from '../../support/service/walking.js'

describe('walking', () => {
  it.each([true, false])('gives every match once and in order (plain file: %s)', async (plain) => {
    const served = await serve({ made: { plain } })
    await fc.assert(
      fc.asyncProperty(filter, limits, async ({ query, where }, sizes) => {
        expect(await walk(served, query, sizes)).toEqual(idsOf(served.historyPath, where))
      }),
      { numRuns: 60 },
    )
  })
})
