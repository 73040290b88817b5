import type { TimerOptions } from 'node:timers'
import { beforeAll, describe, it, vi } from 'vitest'
import { ACROSS_LOOKS, SERVICES, SITES } from '../conformance/mutants/lists.js'
import { brokenBehind, brokenCopy, expectNamed } from '../conformance/mutants/run.js'
import { EMPTY_SERVICE_MUTANTS } from '../conformance/mutants/services.js'
import { EMPTY_SITE_MUTANTS } from '../conformance/mutants/sites.js'
import { hoursOfRows, World } from '../conformance/mutants/world.js'

// The check waits a minute where a service does not say for how long: no more than two seconds are waited here.
vi.mock('node:timers/promises', async (importOriginal) => {
  const timers = await importOriginal<typeof import('node:timers/promises')>()
  const setTimeout = (ms: number, ...rest: [unknown?, TimerOptions?]) =>
    timers.setTimeout(Math.min(ms, 2000), ...rest)
  return { ...timers, setTimeout }
})

let world: World
let large: World
let empty: World
beforeAll(async () => {
  world = await World.create()
  large = await World.create(hoursOfRows(60))
  await large.publish()
  empty = await World.create([])
  await empty.publish()
})

describe('a deployment without forecasts and with something wrong', () => {
  it.each(EMPTY_SERVICE_MUTANTS)('%s', async (_name, rules, change) => {
    expectNamed(rules, await brokenBehind(empty, change))
  })

  it.each(EMPTY_SITE_MUTANTS)('%s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(empty, change))
  })
})

// Those of several looks are run beside writes, by conformance-while-written. Some wait as long as they are
// asked to: others go on meanwhile.
describe.concurrent.each(
  Object.entries(SERVICES).filter(([about]) => !ACROSS_LOOKS.includes(about)),
)('a service with something wrong: %s', (_about, mutants) => {
  it.each(mutants)('%s', async (_name, rules, change) => {
    expectNamed(rules, await brokenBehind(world, change))
  })
})

describe.each(Object.entries(SITES))('a site with something wrong: %s', (_about, mutants) => {
  it.each(mutants)('%s', async (_name, rules, change) => {
    expectNamed(rules, await brokenCopy(large, change))
  })
})
