import { spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
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
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectError, expectJson } from './expect.js'
import { addOrigin, HOUR, healthReport, idsOf, makeHistory, thisHour } from './history.js'
import { get } from './http.js'
import { type Served, serve } from './serve.js'

/** Another process that holds the lock of a writer until it is told to let go. */
const LOCKER = fileURLToPath(new URL('locker.mjs', import.meta.url))
const AS_ROOT = process.getuid?.() === 0

let served: Served
beforeEach(async () => {
  // Rights mean nothing to root, so the service runs as nobody where the test runs as root.
  served = await serve(AS_ROOT ? { uid: 65_534 } : {})
})
afterEach(() => served.remove())

const FORECASTS = ['/v1/forecasts/latest', '/v1/forecasts', '/v1/forecasts?model=nobody']

async function expectGone(status: 'unavailable' | 'unreadable'): Promise<void> {
  for (const route of FORECASTS) {
    expectError(await served.get(route), 503, 'history_unavailable')
  }
  const health = await served.get('/v1/health')
  if (status === 'unreadable') expectError(health, 503, 'history_unavailable')
  else {
    expectJson(health, 200)
    expect(health.json.data.status).toBe('unavailable')
    expect(health.json.data.freshness.status).toBe('unknown')
  }
  expect((await get(served.port, '/readyz')).status).toBe(503)
  expect((await get(served.port, '/livez')).status).toBe(200)
  // What is wrong with a request is said all the same.
  expectError(await served.get('/v1/forecasts?limit=0'), 400, 'invalid_request')
}

async function expectWell(): Promise<void> {
  for (const route of FORECASTS) expectJson(await served.get(route), 200)
  const health = await served.get('/v1/health')
  expect(health.json?.data?.status).toBe('healthy')
  expect((await get(served.port, '/readyz')).status).toBe(200)
}

describe('the history', () => {
  it('is made unreadable by chmod, and readable again', async () => {
    await expectWell()
    chmodSync(served.historyPath, 0o000)
    await expectGone('unavailable')
    chmodSync(served.historyPath, 0o644)
    await expectWell()
    chmodSync(`${served.folder}/data`, 0o000)
    await expectGone('unavailable')
    chmodSync(`${served.folder}/data`, 0o755)
    await expectWell()
  })

  it('is moved away, and comes back', async () => {
    await expectWell()
    renameSync(served.historyPath, `${served.historyPath}.away`)
    await expectGone('unavailable')
    renameSync(`${served.historyPath}.away`, served.historyPath)
    await expectWell()
  })

  it('is deleted, and made anew', async () => {
    rmSync(served.historyPath)
    await expectGone('unavailable')
    makeHistory(served.historyPath)
    chmodSync(served.historyPath, 0o644)
    await expectWell()
  })

  it('is replaced by a newer one, by rename, while clients read', async () => {
    const next = `${served.historyPath}.next`
    makeHistory(next, { origins: 3, last: thisHour() + HOUR })
    chmodSync(next, 0o644)
    const before = await served.get('/v1/forecasts?limit=1')
    renameSync(next, served.historyPath)
    const after = await served.get('/v1/forecasts?limit=100')
    expect(after.json.data.map((each: { forecast_id: string }) => each.forecast_id)).toEqual(
      idsOf(served.historyPath),
    )
    expect(after.json.data[0].forecast_id).not.toBe(before.json.data[0].forecast_id)
  })

  it('is truncated in place: to nothing, in the middle of a page, by half', async () => {
    const whole = readFileSync(served.historyPath)
    await expectWell()
    for (const length of [0, 60, 5000, Math.floor(whole.length / 2), whole.length - 1]) {
      truncateSync(served.historyPath, length)
      await expectGone('unavailable')
      writeFileSync(served.historyPath, whole)
      await expectWell()
    }
  })

  it('is overwritten by something that is no database', async () => {
    const whole = readFileSync(served.historyPath)
    writeFileSync(served.historyPath, 'x'.repeat(whole.length))
    await expectGone('unavailable')
    writeFileSync(served.historyPath, whole)
    await expectWell()
  })

  it('becomes a folder, and a database without its tables', async () => {
    const whole = readFileSync(served.historyPath)
    rmSync(served.historyPath)
    mkdirSync(served.historyPath)
    await expectGone('unavailable')
    rmSync(served.historyPath, { recursive: true })
    const empty = new Database(served.historyPath)
    empty.exec('CREATE TABLE something_else (x)')
    empty.close()
    chmodSync(served.historyPath, 0o644)
    await expectGone('unavailable')
    writeFileSync(served.historyPath, whole)
    await expectWell()
  })

  it('is locked by another process, and let go', async () => {
    await expectWell()
    const locker = spawn(process.execPath, [LOCKER, served.historyPath])
    await new Promise((resolve) => locker.stdout.once('data', resolve))
    const started = performance.now()
    await expectGone('unavailable')
    // A lock makes nobody wait for long.
    expect(performance.now() - started).toBeLessThan(5000)
    locker.stdin.end()
    await new Promise((resolve) => locker.once('exit', resolve))
    await expectWell()
  })

  it('gets new rows from another process: they are there at once', async () => {
    await expectWell()
    const writer = new Database(served.historyPath)
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
    await expectWell()
    expect(seen()).toEqual(before)
  })
})

describe('the health report', () => {
  it('is half-written, rewritten, replaced and removed', async () => {
    const whole = healthReport()
    await expectWell()
    for (let length = 0; length < whole.length; length += 17) {
      writeFileSync(served.healthPath, whole.slice(0, length))
      await expectGone('unreadable')
    }
    writeFileSync(served.healthPath, whole)
    await expectWell()
    rmSync(served.healthPath)
    await expectGone('unreadable')
    writeFileSync(`${served.healthPath}.next`, whole)
    renameSync(`${served.healthPath}.next`, served.healthPath)
    await expectWell()
    rmSync(served.healthPath)
    mkdirSync(served.healthPath)
    await expectGone('unreadable')
    rmSync(served.healthPath, { recursive: true })
    writeFileSync(served.healthPath, whole)
    await expectWell()
  })

  it('is made unreadable by chmod', async () => {
    chmodSync(served.healthPath, 0o000)
    await expectGone('unreadable')
    chmodSync(served.healthPath, 0o644)
    await expectWell()
  })

  it('is rewritten to the same length within one tick of the file system', async () => {
    const degraded = healthReport('degraded')
    const healthy = healthReport('healthy').padEnd(degraded.length)
    for (let turn = 0; turn < 20; turn++) {
      const [text, status] = turn % 2 ? [healthy, 'healthy'] : [degraded, 'degraded']
      writeFileSync(served.healthPath, text)
      expect((await served.get('/v1/health')).json.data.status).toBe(status)
    }
  })

  const closed = { health: 'healthy', circuit_state: 'closed' }
  const states: [string, string, number][] = [
    [healthReport('degraded'), 'degraded', 200],
    [
      healthReport('healthy', { a: { health: 'degraded', circuit_state: 'closed' } }),
      'degraded',
      200,
    ],
    [
      healthReport('healthy', { a: { health: 'healthy', circuit_state: 'half_open' } }),
      'healthy',
      200,
    ],
    [healthReport('healthy', {}), 'healthy', 200],
    [healthReport('open'), 'unavailable', 503],
    [
      healthReport('healthy', { a: { health: 'open', circuit_state: 'closed' } }),
      'unavailable',
      503,
    ],
    [
      healthReport('healthy', { a: { health: 'degraded', circuit_state: 'open' } }),
      'unavailable',
      503,
    ],
  ]
  it.each(states)('%s reads as %s', async (report, status, forecasts) => {
    writeFileSync(served.healthPath, report)
    const health = await served.get('/v1/health')
    expectJson(health, 200)
    expect(health.json.data.status).toBe(status)
    for (const route of FORECASTS) expect((await served.get(route)).status).toBe(forecasts)
    expect((await get(served.port, '/readyz')).status).toBe(status === 'healthy' ? 200 : 503)
  })

  it('passes on the stages, an open one as unavailable, whatever their names', async () => {
    const stages = JSON.parse(
      '{"__proto__":{"health":"open","circuit_state":"half_open"},"a b":{"health":"healthy","circuit_state":"closed"}}',
    )
    writeFileSync(
      served.healthPath,
      `{"overall_health":"open","stages":${JSON.stringify(stages)},"written_by":"x"}`,
    )
    const health = await served.get('/v1/health')
    expect(health.text).toContain(
      '"__proto__":{"health":"unavailable","circuit_state":"half_open"}',
    )
    expect(health.json.data.stages['a b']).toEqual(closed)
  })

  const invalid = [
    '[]',
    'null',
    '{}',
    '{"overall_health":"healthy"}',
    '{"overall_health":"unavailable","stages":{}}',
    '{"overall_health":"HEALTHY","stages":{}}',
    '{"overall_health":"healthy","stages":[]}',
    '{"overall_health":"healthy","stages":{"a":null}}',
    '{"overall_health":"healthy","stages":{"a":{"health":"healthy"}}}',
    '{"overall_health":"healthy","stages":{"a":{"health":"fine","circuit_state":"closed"}}}',
    '{"overall_health":"healthy","stages":{"a":{"health":"healthy","circuit_state":"broken"}}}',
    '{"overall_health":"healthy","overall_health":"open","stages":{}}',
    `{"overall_health":"healthy","stages":{}} x`,
  ]
  it.each(invalid)('%s is none', async (report) => {
    writeFileSync(served.healthPath, report)
    await expectGone('unreadable')
  })
})

describe('freshness', () => {
  it('of a stale history makes it degraded, not unavailable', async () => {
    const stale = await serve({ made: { last: thisHour() - 30 * HOUR } })
    try {
      const health = await stale.get('/v1/health')
      expect([health.status, health.json.data.status]).toEqual([200, 'degraded'])
      expect(health.json.data.freshness.status).toBe('stale')
      expectJson(await stale.get('/v1/forecasts/latest'), 200)
      expect((await get(stale.port, '/readyz')).status).toBe(503)
    } finally {
      await stale.remove()
    }
  })

  it('of an empty history is unknown; it has no latest forecast', async () => {
    const empty = await serve({ made: { origins: 0 } })
    try {
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
    } finally {
      await empty.remove()
    }
  })
})

describe('a row that no resource can say', () => {
  it('gives 500 and one line that names it; other rows are served', async () => {
    const writer = new Database(served.historyPath)
    const at = new Date(thisHour()).toISOString().slice(0, 19)
    writer
      .prepare(
        "UPDATE forecast_predictions SET q10_usd = 9e9 WHERE origin_at = ? AND model_name = 'beta' AND horizon_hours = 4",
      )
      .run(`${at}+00:00`)
    writer.close()
    expectError(await served.get('/v1/forecasts'), 500, 'internal_error')
    expectError(await served.get('/v1/forecasts?model=beta'), 500, 'internal_error')
    expectJson(await served.get('/v1/forecasts?model=alpha'), 200)
    expectJson(await served.get('/v1/forecasts/latest'), 200)
    const lines = served.events().filter(({ event }) => event === 'contract-breach')
    expect(lines[0]?.forecast).toBe(`${at}+00:00:beta:4`)
    copyFileSync(served.historyPath, `${served.historyPath}.kept`)
  })
})
