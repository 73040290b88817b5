import { beforeAll, describe, expect, it } from 'vitest'
import { checkDeployment } from '../../src/conformance/run.js'
import { messageOf } from '../../src/contract/findings/finding.js'
import { SERVICES, SITES } from './mutants/lists.js'
import { history } from './mutants/mutant.js'
import { behind } from './mutants/proxy.js'
import { brokenBehind, brokenCopy, expectNamed } from './mutants/run.js'
import { FOLDER_MUTANTS } from './mutants/sites.js'
import { hoursOfRows, KEY, World } from './mutants/world.js'

// A sample: test/slow/conformance-mutants.test.ts and conformance-while-written.test.ts run all of them.
const EVERY = 120

/** One of so many of each list, the first one among them. */
function sample<T>(lists: Readonly<Record<string, readonly T[]>>): T[] {
  return Object.values(lists).flatMap((list) => list.filter((_, index) => index % EVERY === 0))
}

let world: World
beforeAll(async () => {
  world = await World.create(hoursOfRows(60))
  await world.publish()
})

describe('what is wrong is named by the rule that it breaks', () => {
  it.concurrent.each(sample(SERVICES))('a service: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenBehind(world, change))
  })

  it.each(sample(SITES))('a site: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(world, change))
  })

  it('one forecast is one finding, however often it is met', async () => {
    const ids = new Set<string>()
    const wrong = history((body) => {
      for (const row of body.data) {
        if (ids.size < 30) ids.add(row.forecast_id)
        if (ids.has(row.forecast_id)) row.interval.level = 80
      }
    })
    const proxy = await behind(world.url, wrong)
    try {
      const { findings, verdicts } = await checkDeployment(proxy.url, { key: KEY })
      const ofLevel = findings.filter(({ code }) => code === 'conformance-resource-level')
      expect(ofLevel).toHaveLength(20)
      expect(verdicts.find(({ rule }) => rule === 'resource-level')?.failures).toBe(30)
      const said = messageOf(ofLevel[0]!).text
      const [id] = ids
      expect(said).toContain(`here: ${id}: must be less than 1; found 80 (met `)
      expect(said).toMatch(/\(met \d+ times\)$/)
    } finally {
      proxy.close()
    }
  })

  it.each(FOLDER_MUTANTS)('a folder: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(world, change, true))
  })
})
