import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { EPOCH, HOUR, opened, writeProducer } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'

/** As it is built: threads are started from files beside it. */
const { publishSite }: typeof import('../../src/site/publish.js') = await import(
  pathToFileURL(join(ROOT, 'dist/site/publish.js')).href
)

const folder = temporaryFolder()

it('a build whose history is locked ends with that, also while a thread still waits for it', async () => {
  const history = join(folder, 'history.sqlite')
  const out = join(folder, 'site')
  const rows = Array.from({ length: 40_000 }, (_, hour) => ({ hour, model: 'alpha', horizon: 2 }))
  writeProducer(history, rows)
  const writer = openSqlite(history)
  // The thread that writes gives up long before the other one does.
  const reader = opened(history, { busyTimeoutMs: 100 })
  let told = 0
  const building = publishSite({
    reader,
    out,
    inPlace: false,
    baseUrl: undefined,
    staleAfterSeconds: 10_800,
    now: (EPOCH + 50_000 * HOUR) * 1000,
    onProgress() {
      if (++told === 100) writer.exec('BEGIN EXCLUSIVE')
    },
  })
  await expect(building).rejects.toMatchObject({ code: 'unavailable', file: history })
  expect(existsSync(out)).toBe(false)
  expect(existsSync(join(folder, '.site.builds'))).toBe(false)
  writer.exec('COMMIT')
  writer.close()
})
