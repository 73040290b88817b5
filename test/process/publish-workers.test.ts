import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { build, expectEachOnce, folder, made } from './worker-builds.js'

// Longer ones are in test/slow/publish-workers.test.ts.
describe('a build in workers', () => {
  // 64 pages are the fewest that workers are started for, and no more than one of them makes at a time.
  it.each([6401, 12_900])('of %i forecasts holds each of them once', expectEachOnce)

  it('ends with what one of them found, and leaves nothing behind', async () => {
    const { history, out } = made(20_000)
    const db = openSqlite(history)
    db.exec('UPDATE forecast_predictions SET predicted_price_usd = 9e999 WHERE rowid = 9000')
    db.close()
    await expect(build(history, out, { hour: 2000 })).rejects.toMatchObject({
      code: 'invalid-input',
      findings: [{ severity: 'error' }],
      help: expect.stringContaining('Nothing was published'),
    })
    expect(readdirSync(folder).filter((name) => name.includes(basename(out)))).toEqual([])
  })
})
