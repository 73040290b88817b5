import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hourlyTask, seriesTask } from '../../src/evaluation/task.js'
import { expectFrozen } from '../evaluation/frozen.js'
import { HAS_SHARED, hourlyWorld, REAL_WORLDS, SERIES_WORLDS } from '../evaluation/frozen-worlds.js'
import { batches, resultOf } from '../evaluation/made.js'
import { seriesWorld } from '../evaluation/series-world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

it('hourly closes with strata and five candidates', async () => {
  const { basis, rows } = hourlyWorld()
  expectFrozen('hourly', (await resultOf(hourlyTask(basis), () => batches(rows))).sealed)
}, 300_000)

it.each(Object.entries(SERIES_WORLDS))(
  '%s',
  async (name, options) => {
    const { rows, ...basis } = seriesWorld(options)
    expectFrozen(name, (await resultOf(seriesTask(basis), () => batches(rows))).sealed)
  },
  300_000,
)

it.runIf(HAS_SHARED).each(Object.entries(REAL_WORLDS))(
  '%s, which are real',
  async (name, make) => {
    const { rows, ...basis } = await make()
    expectFrozen(name, (await resultOf(seriesTask(basis), () => batches(rows))).sealed)
  },
  300_000,
)

it('the three evaluations of the demo', async () => {
  const folder = join(temporaryFolder(), 'demo')
  await inProcess(['demo', '--out', folder])
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const results = all.filter((name) => name.endsWith('evaluation/result.json'))
  expect(results).toHaveLength(3)
  for (const name of results) {
    expectFrozen(`demo ${name}`, JSON.parse(readFileSync(join(folder, name), 'utf8')))
  }
}, 600_000)
