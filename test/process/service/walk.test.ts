import { describe, it } from 'vitest'
import { serve } from '../../support/service/serve.js'
import { expectWalks } from '../../support/service/walking.js'

describe('walking', () => {
  it.each([true, false])('gives every match once and in order (plain file: %s)', async (plain) => {
    const served = await serve({ made: { plain } })
    await expectWalks(served, served.historyPath)
  })
})
