import { it } from 'vitest'
import { serve } from '../../support/service/serve.js'
import { expectWalks, writeTo } from '../../support/service/walking.js'

// The writer knows SQLite: this is no test of every store.
it.each(['delete', 'wal'] as const)(
  'gives every match once and in order while another process writes newer rows (%s journal)',
  async (journal) => {
    const served = await serve({ made: { journal } })
    const stop = await writeTo(served.historyPath)
    try {
      await expectWalks(served, served.historyPath)
    } finally {
      await stop()
    }
  },
)
