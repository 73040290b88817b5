import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { alter } from '../../history/support.js'
import { expectError, expectJson } from '../../support/service/expect.js'
import { expectGone, expectWell, serveUnprivileged } from '../../support/service/gone.js'
import {
  addOrigin,
  HOUR,
  idsOf,
  makeHistory,
  stamp,
  thisHour,
} from '../../support/service/history.js'
import { get } from '../../support/service/http.js'
import { type Served, serve } from '../../support/service/serve.js'

/** Another process that holds the lock of a writer until it is asked to let go. */
const LOCKER = fileURLToPath(new URL('locker.mjs', import.meta.url))

const idOf = (each: { forecast_id: string }) => each.forecast_id

let served: Served
beforeEach(async () => {
  served = await serveUnprivileged()
})

describe('the history', () => {
  it('is made unreadable, moved away, deleted, truncated or something else, and comes back', async () => {
    const path = served.historyPath
    const folder = `${served.folder}/data`
    const whole = readFileSync(path)
    const lengths = [0, 60, 5000, Math.floor(whole.length / 2), whole.length - 1]
    const rewrite = () => {
      if (statSync(path).isDirectory()) rmSync(path, { recursive: true })
      writeFileSync(path, whole)
    }
    const insteadOf = (put: () => void) => () => {
      rmSync(path)
      put()
    }
    const changes: (readonly [gone: () => void, back: () => void])[] = [
      [() => chmodSync(path, 0o000), () => chmodSync(path, 0o644)],
      [() => chmodSync(folder, 0o000), () => chmodSync(folder, 0o755)],
      [() => renameSync(path, `${path}.away`), () => renameSync(`${path}.away`, path)],
      [() => rmSync(path), () => makeHistory(path)],
      ...lengths.map((length) => [() => truncateSync(path, length), rewrite] as const),
      [() => writeFileSync(path, 'x'.repeat(whole.length)), rewrite],
      [insteadOf(() => mkdirSync(path)), rewrite],
      [insteadOf(() => alter(path, 'CREATE TABLE something_else (x)')), rewrite],
    ]
    await expectWell(served)
    for (const [gone, back] of changes) {
      gone()
      await expectGone(served, 'history')
      back()
      await expectWell(served)
    }
  })

  it('is replaced by a newer one, by rename, while clients read', async () => {
    const next = `${served.historyPath}.next`
    makeHistory(next, { origins: 3, last: thisHour() + HOUR })
    chmodSync(next, 0o644)
    const before = await served.get('/v1/forecasts?limit=1')
    renameSync(next, served.historyPath)
    const after = await served.get('/v1/forecasts?limit=100')
    expect(after.json.data.map(idOf)).toEqual(idsOf(served.historyPath))
    expect(after.json.data[0].forecast_id).not.toBe(before.json.data[0].forecast_id)
  })

  // How it is read while another one is laid over it is in test/store/sqlite/overwritten.test.ts.
  it('is locked by another process, and let go', async () => {
    await expectWell(served)
    const locker = spawn(process.execPath, [LOCKER, served.historyPath])
    await new Promise((resolve) => locker.stdout.once('data', resolve))
    const started = performance.now()
    await expectGone(served, 'history')
    // A lock makes no request wait for long: SQLite's driver alone would, five seconds each time.
    expect(performance.now() - started).toBeLessThan(15_000)
    locker.stdin.end()
    await new Promise((resolve) => locker.once('exit', resolve))
    await expectWell(served)
  })

  it('gets new rows from another process: they are there at once', async () => {
    await expectWell(served)
    const writer = openSqlite(served.historyPath)
    addOrigin(writer, thisHour() + HOUR)
    writer.close()
    const all = idsOf(served.historyPath)
    expect((await served.get('/v1/forecasts/latest')).json.data.forecast_id).toBe(all[0])
    expect((await served.get('/v1/forecasts?limit=1')).json.data[0].forecast_id).toBe(all[0])
  })

  it('is left as it was, and nothing is put beside it', async () => {
    const seen = () =>
      readdirSync(`${served.folder}/data`).map((name) => {
        const { size, mtimeMs, ino } = statSync(`${served.folder}/data/${name}`)
        return { name, size, mtimeMs, ino }
      })
    const before = seen()
    await expectWell(served)
    expect(seen()).toEqual(before)
  })
})

describe('freshness', () => {
  it('of a stale history makes it degraded, not unavailable', async () => {
    const stale = await serve({ made: { last: thisHour() - 30 * HOUR } })
    const health = await stale.get('/v1/health')
    expect([health.status, health.json.data.status]).toEqual([200, 'degraded'])
    expect(health.json.data.freshness.status).toBe('stale')
    expectJson(await stale.get('/v1/forecasts/latest'), 200)
    expect((await get(stale.port, '/readyz')).status).toBe(503)
  })

  it('of an empty history is unknown; it has no latest forecast', async () => {
    const empty = await serve({ made: { origins: 0 } })
    expectError(await empty.get('/v1/forecasts/latest'), 404, 'forecast_not_found')
    const page = await empty.get('/v1/forecasts')
    expectJson(page, 200)
    expect(page.json.data).toEqual([])
    expect(page.json.freshness).toMatchObject({ status: 'unknown', age_seconds: 0 })
    const health = await empty.get('/v1/health')
    expect(health.json.data).toMatchObject({
      status: 'degraded',
      freshness: { status: 'unknown' },
    })
    expect((await get(empty.port, '/readyz')).status).toBe(503)
  })
})

describe('a row that no resource can say', () => {
  it('gives 500 and one line that names it; other rows are served', async () => {
    const at = stamp(thisHour())
    alter(
      served.historyPath,
      `UPDATE forecast_predictions SET q10_usd = 9e9
       WHERE origin_at = '${at}' AND model_name = 'beta' AND horizon_hours = 4`,
    )
    expectError(await served.get('/v1/forecasts'), 500, 'internal_error')
    expectError(await served.get('/v1/forecasts?model=beta'), 500, 'internal_error')
    expectJson(await served.get('/v1/forecasts?model=alpha'), 200)
    expectJson(await served.get('/v1/forecasts/latest'), 200)
    await served.logged('contract-breach')
    expect(served.events('contract-breach')[0]?.forecast).toBe(`${at}:beta:4`)
  })
})
