import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LATEST_FILE } from '../../src/site/layout.js'
import { addRows } from '../history/support.js'
import { broken } from './mutants/run.js'
import { hoursOfRows, newestHour, World } from './mutants/world.js'

// A build in place writes latest.json before the head: one that is stopped between the two leaves a
// head that cannot know what was newest later.
it('a latest.json ahead of its head is named for that, and not for its freshness', async () => {
  const built = await World.create(hoursOfRows(3, newestHour() - 1))
  await built.publish()
  const behind = built.copy()
  addRows(built.history, hoursOfRows(1))
  const later = await built.publish(performance.timeOrigin + performance.now() + 60_000)
  copyFileSync(join(later, LATEST_FILE), join(behind, LATEST_FILE))
  const found = Object.keys(await broken(behind)).sort()
  // Its checksum and its compressed copies are those of the former build.
  expect(found).toEqual(['checksums', 'encodings', 'latest-is-newest', 'snapshot'])
})
