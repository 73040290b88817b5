import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVICES, SITES } from '../conformance/mutants/lists.js'
import { brokenBehind, brokenCopy, expectNamed } from '../conformance/mutants/run.js'
import { FOLDER_MUTANTS } from '../conformance/mutants/sites.js'
import { hoursOfRows, World } from '../conformance/mutants/world.js'

let world: World
let large: World
beforeAll(async () => {
  world = await World.create()
  large = await World.create(hoursOfRows(60))
  await large.publish()
})
afterAll(async () => {
  await world.remove()
  await large.remove()
})

it('knows more than 500 ways to be wrong', () => {
  const all = [...Object.values(SERVICES), ...Object.values(SITES), FOLDER_MUTANTS].flat()
  expect(all.length).toBeGreaterThan(500)
})

// Some wait as long as they are told to: others go on meanwhile.
describe.concurrent.each(Object.entries(SERVICES))(
  'a service with something wrong: %s',
  (_about, mutants) => {
    it.each(mutants)('%s', async (_name, rules, change) => {
      expectNamed(rules, await brokenBehind(world, change))
    })
  },
)

describe.each(Object.entries(SITES))('a site with something wrong: %s', (_about, mutants) => {
  it.each(mutants)('%s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(large, change))
  })
})

describe('a folder with something wrong', () => {
  it.each(FOLDER_MUTANTS)('%s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(large, change, true))
  })
})
