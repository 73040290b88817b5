import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectJson } from '../../support/service/expect.js'
import { expectGone, expectWell, FORECASTS, serveUnprivileged } from '../../support/service/gone.js'
import { healthReport } from '../../support/service/history.js'
import { get } from '../../support/service/http.js'
import { eventually, type Served } from '../../support/service/serve.js'

let served: Served
const start = async () => {
  served = await serveUnprivileged()
}

describe('the health report', () => {
  beforeEach(start)

  it('is half-written, removed, made unreadable or something else, and is replaced', async () => {
    const { healthPath: path } = served
    const whole = healthReport()
    const lengths = Array.from({ length: Math.ceil(whole.length / 17) }, (_, at) => 17 * at)
    const spoils = [
      ...lengths.map((length) => () => writeFileSync(path, whole.slice(0, length))),
      () => rmSync(path),
      () => chmodSync(path, 0o000),
      () => {
        rmSync(path)
        mkdirSync(path)
      },
    ]
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
    await eventually(() => {
      const events = served.events('history-unavailable')
      const messages = events.map(({ message }) => String(message))
      return (
        messages.some((text) => text.includes('health.json: the text ends before')) &&
        messages.some((text) => text.includes('history.sqlite'))
      )
    })
  })

  it('and the history have a line each when they fail, fail otherwise, and can be used again', async () => {
    const toldOf = (event: string, what: RegExp) =>
      served.events(event).filter(({ message }) => what.test(String(message)))
    const lost = () => toldOf('history-unavailable', /health\.json/)
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
    await eventually(() => toldOf('history-available', /./).length === 2)
    expect(lost().map(({ level }) => level)).toEqual(['error', 'error'])
    expect(toldOf('history-unavailable', /history\.sqlite/)).toHaveLength(1)
    expect(toldOf('history-available', /health report/)).toMatchObject([{ suppressed: 38 }])
    expect(toldOf('history-available', /history/)).toMatchObject([{ suppressed: 19 }])
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
    const { text, ...readyz } = await get(served.port, '/readyz')
    expect([readyz.status, text]).toEqual(
      status === 'healthy' ? [200, 'ready\n'] : [503, 'not ready\n'],
    )
    expect(await served.figure('ready')).toBe(status === 'healthy' ? 1 : 0)
  })

  it('passes on the stages, an open one as unavailable, under any names', async () => {
    const stages = `{"__proto__":{"health":"open","circuit_state":"half_open"},"a b":${JSON.stringify(closed)}}`
    const report = `{"overall_health":"open","stages":${stages},"written_by":"x"}`
    writeFileSync(served.healthPath, report)
    const health = await served.get('/v1/health')
    const read = '"__proto__":{"health":"unavailable","circuit_state":"half_open"}'
    expect(health.text).toContain(read)
    expect(health.json.data.stages['a b']).toEqual(closed)
  })

  const invalid = [
    '[]',
    '{}',
    '{"overall_health":"healthy"}',
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
    await expectGone(served, 'report')
  })
})
