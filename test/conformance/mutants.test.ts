import { afterAll, beforeAll, describe, it } from 'vitest'
import { SERVICES, SITES } from './mutants/lists.js'
import { brokenBehind, brokenCopy, expectNamed } from './mutants/run.js'
import { FOLDER_MUTANTS } from './mutants/sites.js'
import { hoursOfRows, World } from './mutants/world.js'

// A sample: test/slow/conformance-mutants.test.ts runs all of them.
const EVERY = 30

/** One of so many of each list, the first one among them. */
function sample<T>(lists: Readonly<Record<string, readonly T[]>>): T[] {
  return Object.values(lists).flatMap((list) => list.filter((_, index) => index % EVERY === 0))
}

let world: World
beforeAll(async () => {
  world = await World.create(hoursOfRows(60))
  await world.publish()
})
afterAll(() => world.remove())

describe('what is wrong is named by the rule that it breaks', () => {
  it.concurrent.each(sample(SERVICES))('a service: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenBehind(world, change))
  })

  it.each(sample(SITES))('a site: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(world, change))
  })

  it.each(FOLDER_MUTANTS)('a folder: %s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(world, change, true))
  })
})
