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
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { alter } from '../../history/support.js'
import { inProcess } from '../../support/in-process.js'
import { expectError, expectJson } from '../../support/service/expect.js'
import { expectGone, expectWell, FORECASTS, serveUnprivileged } from '../../support/service/gone.js'
import {
  addOrigin,
  HOUR,
  healthReport,
  idsOf,
  makeHistory,
  stamp,
  thisHour,
} from '../../support/service/history.js'
import { get } from '../../support/service/http.js'
import { eventually, type Served, serve } from '../../support/service/serve.js'
import { expectWalks, writeTo } from '../../support/service/walking.js'

/** Another process that holds the lock of a writer until it is asked to let go. */
const LOCKER = fileURLToPath(new URL('locker.mjs', import.meta.url))

/** This hour as other programs write it. */
const zulu = () => stamp(thisHour()).replace('+00:00', 'Z')

const idOf = (each: { forecast_id: string }) => each.forecast_id

let served: Served
const start = async () => {
  served = await serveUnprivileged()
}

/** What its operator's check says of the history. */
const check = () =>
  inProcess(['serve', '--check', '--no-pipeline', '--history', served.historyPath], {
    BTC_FORECAST_API_KEYS: 'k'.repeat(32),
  })

describe('the history', () => {
  beforeEach(start)

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

  it('has a row that no resource can say: 500 and one line that names it; other rows are served', async () => {
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

  it.each([
    ['has crossed bounds', (at: string) => `UPDATE forecast_predictions SET q10_usd = 9e9 ${at}`],
    ['is of another pair', (at: string) => `UPDATE forecast_origins SET pair = 'ETH/USD' ${at}`],
    [
      'has an origin that is spelt with Z',
      (at: string) =>
        ['origins', 'predictions']
          .map((table) => `UPDATE forecast_${table} SET origin_at = '${zulu()}' ${at}`)
          .join(';'),
    ],
  ])('whose newest row %s is not ready, and serves the others', async (_, change) => {
    const newest = stamp(thisHour())
    alter(
      served.historyPath,
      `PRAGMA foreign_keys = OFF; ${change(`WHERE origin_at = '${newest}'`)}`,
    )
    expect((await get(served.port, '/readyz')).status).toBe(503)
    expect((await get(served.port, '/livez')).status).toBe(200)
    expect((await get(served.port, '/metrics')).text).toContain('forecast_api_ready 0')
    const health = await served.get('/v1/health')
    expectJson(health, 200)
    expect(health.json.data.freshness.status).toBe('fresh')
    expectError(await served.get('/v1/forecasts/latest'), 500, 'internal_error')
    expectError(await served.get('/v1/forecasts?limit=1'), 500, 'internal_error')
    const others = `origin_to=${encodeURIComponent(stamp(thisHour() - HOUR))}`
    expectJson(await served.get(`/v1/forecasts?${others}`), 200)
    await served.logged('contract-breach')
    expect(served.events('contract-breach')[0]?.forecast).toContain(newest.slice(0, 13))
    const checked = await check()
    expect(checked.code).toBe(1)
    expect(checked.stderr).toContain('the newest forecast cannot be sent')
    expect(checked.stderr).toContain(newest.slice(0, 13))
    const repaired = openSqlite(served.historyPath)
    addOrigin(repaired, thisHour() + HOUR)
    repaired.close()
    expect((await get(served.port, '/readyz')).status).toBe(200)
  })

  it('sends a row that breaks a rule as it is, and warns its operator', async () => {
    const at = stamp(thisHour())
    alter(
      served.historyPath,
      `UPDATE forecast_predictions SET predicted_change_pct = 77 WHERE origin_at = '${at}'`,
    )
    expectJson(await served.get('/v1/forecasts/latest'), 200)
    await served.logged('forecast-unsound')
    expect(served.events('forecast-unsound')[0]).toMatchObject({
      findings: expect.stringContaining('change-mismatch'),
    })
    expect((await get(served.port, '/readyz')).status).toBe(200)
    const checked = await check()
    expect(checked.code).toBe(1)
    expect(checked.stderr).toContain('comes of a row that is unsound: ')
    expect(checked.stderr).toContain('change-mismatch')
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

describe('a history that another process writes to', () => {
  it.each(['delete', 'wal'] as const)('is walked in order (%s journal)', async (journal) => {
    const served = await serve({ made: { journal } })
    const stop = await writeTo(served.historyPath)
    try {
      await expectWalks(served, served.historyPath)
    } finally {
      await stop()
    }
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

describe('the health report', () => {
  beforeEach(start)

  it('is half-written, removed, made unreadable or something else, and is replaced', async () => {
    const { healthPath: path } = served
    const whole = healthReport()
    const lengths = Array.from({ length: Math.ceil(whole.length / 17) }, (_, at) => 17 * at)
    const insteadOf = () => {
      rmSync(path)
      mkdirSync(path)
    }
    const cuts = lengths.map((length) => () => writeFileSync(path, whole.slice(0, length)))
    const spoils = [...cuts, () => rmSync(path), () => chmodSync(path, 0o000), insteadOf]
    await expectWell(served)
    for (const spoil of spoils) {
      spoil()
      await expectGone(served, 'report')
      writeFileSync(`${path}.next`, whole)
      rmSync(path, { recursive: true, force: true })
      renameSync(`${path}.next`, path)
      await expectWell(served)
    }
  })

  it('says in the log what is wrong with it, and does not hide what is wrong with the history', async () => {
    writeFileSync(served.healthPath, '{')
    await served.get('/v1/health')
    writeFileSync(served.healthPath, healthReport())
    rmSync(served.historyPath)
    await served.get('/v1/forecasts/latest')
    const said = () =>
      served
        .events('history-unavailable')
        .map(({ message }) => message)
        .join('\n')
    await eventually(() => said().includes('health.json: the text ends before'))
    await eventually(() => said().includes('history.sqlite'))
  })

  it('and the history have a line each when they fail, fail otherwise, and can be used again', async () => {
    const linesOf = (event: string, what: RegExp) =>
      served.events(event).filter(({ message }) => what.test(String(message)))
    const lost = () => linesOf('history-unavailable', /health\.json/)
    const ask = async () => {
      for (let turn = 0; turn < 20; turn++) await served.get('/v1/forecasts/latest')
    }
    writeFileSync(served.healthPath, '{')
    await ask()
    rmSync(served.healthPath)
    await ask()
    writeFileSync(served.healthPath, healthReport())
    renameSync(served.historyPath, `${served.historyPath}.kept`)
    await ask()
    renameSync(`${served.historyPath}.kept`, served.historyPath)
    await ask()
    await eventually(() => linesOf('history-available', /./).length === 2)
    expect(lost().map(({ level }) => level)).toEqual(['error', 'error'])
    expect(linesOf('history-unavailable', /history\.sqlite/)).toHaveLength(1)
    expect(linesOf('history-available', /health report/)).toMatchObject([{ suppressed: 38 }])
    expect(linesOf('history-available', /history/)).toMatchObject([{ suppressed: 19 }])
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
})

describe('a service without a pipeline', () => {
  it('judges its health by the history alone', async () => {
    for (const options of [
      { flags: ['--no-pipeline'], env: { BTC_PIPELINE_HEALTH_STATE: '' } },
      { env: { BTC_PIPELINE_HEALTH_STATE: 'none' } },
    ]) {
      served = await serveUnprivileged(options)
      await expectWell(served)
      const health = await served.get('/v1/health')
      expectJson(health, 200)
      expect(health.json.data.stages).toEqual({})
      renameSync(served.historyPath, `${served.historyPath}.kept`)
      await expectGone(served, 'history')
    }
  })
})

describe('what a health report says', () => {
  // Each case writes a report of its own: one service reads them all.
  beforeAll(start)

  const closed = { health: 'healthy', circuit_state: 'closed' }
  const stage = (health: string, circuit_state = 'closed') => ({ a: { health, circuit_state } })
  it.each<[string, string, number]>([
    [healthReport('degraded'), 'degraded', 200],
    [healthReport('healthy', stage('degraded')), 'degraded', 200],
    [healthReport('healthy', stage('healthy', 'half_open')), 'healthy', 200],
    [healthReport('healthy', {}), 'healthy', 200],
    [healthReport('open'), 'unavailable', 503],
    // Section 3's own word for it.
    [healthReport('unavailable'), 'unavailable', 503],
    [healthReport('degraded', stage('unavailable')), 'unavailable', 503],
    [healthReport('healthy', stage('open')), 'unavailable', 503],
    [healthReport('healthy', stage('degraded', 'open')), 'unavailable', 503],
  ])('%s reads as %s', async (report, status, forecasts) => {
    writeFileSync(served.healthPath, report)
    const health = await served.get('/v1/health')
    expectJson(health, 200)
    expect(health.json.data.status).toBe(status)
    for (const route of FORECASTS) expect((await served.get(route)).status).toBe(forecasts)
    const readyz = await get(served.port, '/readyz')
    const found = [readyz.status, readyz.text, await served.figure('ready')]
    expect(found).toEqual(status === 'healthy' ? [200, 'ready\n', 1] : [503, 'not ready\n', 0])
  })

  it('passes on the stages, an open one as unavailable, under any names', async () => {
    const stages = `{"__proto__":{"health":"open","circuit_state":"half_open"},"a b":${JSON.stringify(closed)}}`
    const report = `{"overall_health":"open","stages":${stages},"written_by":"x"}`
    writeFileSync(served.healthPath, report)
    const health = await served.get('/v1/health')
    const read = '"__proto__":{"health":"unavailable","circuit_state":"half_open"}'
    expect(health.text).toContain(read)
    expect(health.json.data.stages['a b']).toEqual(closed)
    expect(Math.abs(Date.parse(health.json.data.checked_at) - Date.now())).toBeLessThan(5000)
  })

  const having = (stages: string) => `{"overall_health":"healthy","stages":${stages}}`
  const invalid = [
    ...['[]', '{}', '{"overall_health":"healthy"}', '{"overall_health":"HEALTHY","stages":{}}'],
    ...['[]', '{"a":null}', '{"a":{"health":"healthy"}}'].map(having),
    having('{"a":{"health":"fine","circuit_state":"closed"}}'),
    having('{"a":{"health":"healthy","circuit_state":"broken"}}'),
    having('{},"overall_health":"open"'),
    `${having('{}')} x`,
  ]
  it.each(invalid)('%s is none', async (report) => {
    writeFileSync(served.healthPath, report)
    await expectGone(served, 'report')
  })
})
