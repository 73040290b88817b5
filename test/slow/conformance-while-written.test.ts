import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACROSS_LOOKS, SERVICES } from '../conformance/mutants/lists.js'
import { broken, brokenBehind, expectNamed } from '../conformance/mutants/run.js'
import { World } from '../conformance/mutants/world.js'
import { KEY, type Served, serve } from '../support/service/serve.js'
import { writeTo } from '../support/service/walking.js'

/** Twenty runs in all, for each journal as many, by writes a second. */
const RUNS = [
  [1, 3],
  [5, 3],
  [20, 4],
] as const
const AT_A_TIME = 32
/** Rows that come in while a service is looked at: more only make each walk longer. */
const ROWS_A_SECOND = 5

describe.each(['delete', 'wal'] as const)('a sound service that is written to, %s', (journal) => {
  let served: Served
  beforeAll(async () => {
    const env = { BTC_FORECAST_API_AUTH_FAILURE_LIMIT: '0' }
    served = await serve({ made: { journal, origins: 24 }, env })
  })

  it.each(RUNS)('passes each time beside %s writes a second, %s times', async (writes, runs) => {
    const stop = await writeTo(served.historyPath, writes)
    try {
      for (let run = 0; run < runs; run++) {
        expect(await broken(`http://127.0.0.1:${served.port}`, { key: KEY })).toEqual({})
      }
    } finally {
      await stop()
    }
  })
})

// A history of its own for some at a time: what is written makes every later walk longer.
const GROUPS = ACROSS_LOOKS.flatMap((about) => {
  const all = SERVICES[about]!
  return Array.from(
    { length: Math.ceil(all.length / AT_A_TIME) },
    (_, group) => [about, group, all.slice(group * AT_A_TIME, (group + 1) * AT_A_TIME)] as const,
  )
})

describe.each(GROUPS)(
  'a service with wrong %s cannot hide it behind writes, %i',
  (_, __, mutants) => {
    let world: World
    let stop: () => Promise<unknown>
    beforeAll(async () => {
      world = await World.create()
      stop = await writeTo(world.history, ROWS_A_SECOND)
    })
    afterAll(() => stop())

    it.concurrent.each(mutants)('%s', async (_name, rules, change) => {
      expectNamed(rules, await brokenBehind(world, change))
    })
  },
)
