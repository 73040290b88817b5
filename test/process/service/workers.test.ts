import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { freePort } from '../../support/free-port.js'
import { foreproof } from '../../support/run.js'
import { idsOf } from '../../support/service/history.js'
import { type Got, get, type Sent } from '../../support/service/http.js'
import { eventually, KEY, OTHER_KEY, type Served } from '../../support/service/serve.js'
import { walk } from '../../support/service/walking.js'
import { isAlive, start, startWorkers, workersOf } from './workers.js'

const auditFiles = (served: Served) => readdirSync(join(served.folder, 'audit')).sort()

describe('replicas', () => {
  it('answer alike: a walk may take each page from another one', async () => {
    const first = await start({ made: { origins: 30 } })
    const second = await start({
      prepare: (folder) => rmSync(join(folder, 'data'), { recursive: true }),
      env: {
        BTC_FORECAST_HISTORY_DB: first.historyPath,
        BTC_PIPELINE_HEALTH_STATE: first.healthPath,
      },
    })
    let turn = 0
    const both = {
      get: (path: string, sent?: Sent): Promise<Got> =>
        (turn++ % 2 === 0 ? first : second).get(path, sent),
    }
    expect(await walk(both, '', [7])).toEqual(idsOf(first.historyPath))
    expect(turn).toBeGreaterThan(30)
    const filtered = await walk(both, '&model=alpha', [3, 5])
    expect(filtered).toEqual(idsOf(first.historyPath, "model_name = 'alpha'"))
  })
})

describe('serve --workers', () => {
  it('answers as one: a walk, one audit log a worker, one fingerprint, probes on ports of their own', async () => {
    const probes = await freePort(2)
    const served = await startWorkers(['--probe-port', String(probes)])
    expect(served.events('listening')).toMatchObject([{ workers: 2, port: served.port }])
    expect(await walk(served, '', [7])).toEqual(idsOf(served.historyPath))
    // Connections are dealt out in turn: of several at once, each worker gets some.
    await Promise.all(Array.from({ length: 16 }, () => served.get('/v1/forecasts?limit=100')))
    for (const worker of [1, 2]) {
      const port = probes + worker - 1
      expect((await get(port, '/livez')).text).toBe('ok\n')
      expect((await get(port, '/readyz')).text).toBe('ready\n')
      const { text } = await get(port, '/metrics')
      expect(text).toContain(`forecast_api_worker_info{worker="${worker}"} 1\n`)
      expect(Number(/forecast_api_requests_total (\d+)/.exec(text)?.[1])).toBeGreaterThan(0)
      expect((await get(port, '/v1/health')).status).toBe(404)
    }
    expect((await get(served.port, '/readyz')).status).toBe(200)
    expect(await served.stop()).toBe(0)
    expect(auditFiles(served)).toEqual(['reads.worker-1.jsonl', 'reads.worker-2.jsonl'])
    const prints = new Set(served.audit().map((line) => line.key_fingerprint))
    expect(prints.size).toBe(1)
    expect(served.events('stopped')).toHaveLength(1)
  })

  it('outlives SIGUSR2, which an older release took for a wish to replace the workers', async () => {
    const served = await startWorkers()
    const before = workersOf(served)
    served.child.kill('SIGUSR2')
    for (const pid of before) process.kill(pid, 'SIGUSR2')
    await served.logged('signal-ignored')
    expect((await served.get('/readyz')).status).toBe(200)
    expect(workersOf(served)).toEqual(before)
    expect(await served.stop()).toBe(0)
    expect(served.events('worker-ended')).toEqual([])
  })

  it('starts a worker again that dies, with the keys of now, and leaves no request waiting for it', async () => {
    const served = await startWorkers([], {
      env: { BTC_FORECAST_API_KEYS: '', BTC_FORECAST_API_KEYS_FILE: 'keys' },
      prepare: (folder) => writeFileSync(join(folder, 'keys'), KEY),
    })
    writeFileSync(join(served.folder, 'keys'), OTHER_KEY)
    served.child.kill('SIGHUP')
    await served.logged('reloaded')
    const headers = { Authorization: `Bearer ${OTHER_KEY}`, Connection: 'close' }
    const askAll = () => Array.from({ length: 6 }, () => served.get('/v1/health', { headers }))
    const statuses = async () => new Set((await Promise.all(askAll())).map(({ status }) => status))
    await eventually(async () => [...(await statuses())].join() === '200')

    const [victim = 0] = workersOf(served)
    // A worker that hangs is handed one connection of these, and does not take it.
    process.kill(victim, 'SIGSTOP')
    let settled = 0
    const ends = askAll().map((each) => each.then(String, String).finally(() => settled++))
    await eventually(() => settled === 5)
    process.kill(victim, 'SIGKILL')
    await Promise.all(ends)
    await eventually(() => workersOf(served).length === 3)
    const [ended] = served.events('worker-ended')
    expect(ended).toMatchObject({ level: 'error', pid: victim, signal: 'SIGKILL' })
    expect(served.events('worker-started')[2]?.worker).toBe(ended?.worker)
    expect([...(await statuses())]).toEqual([200])
    expect(await served.stop('SIGINT')).toBe(0)
  })

  it('has workers that stop in order when their primary is killed', async () => {
    const served = await startWorkers()
    await Promise.all(Array.from({ length: 8 }, () => served.get('/v1/forecasts?limit=9')))
    served.child.kill('SIGKILL')
    await eventually(() => !workersOf(served).some(isAlive))
    expect(served.audit()).toHaveLength(8)
    await eventually(() => served.events('primary-gone').length === 2)
  })

  it('ends at once by a second signal', async () => {
    const served = await startWorkers([], { env: { BTC_FORECAST_API_DRAIN_SECONDS: '600' } })
    served.child.kill('SIGTERM')
    await served.logged('stopping')
    // Within a second it is taken for the same wish.
    await eventually(() => {
      served.child.kill('SIGTERM')
      return served.child.signalCode === 'SIGTERM'
    })
    await eventually(() => !workersOf(served).some(isAlive))
  })

  it('says once what keeps it from starting', async () => {
    // The port before it has to be free: beside one that the system chooses are those of its clients.
    const port = (await freePort(2)) + 1
    const taken = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const folder = temporaryFolder()
    const run = (...flags: string[]) =>
      foreproof(['serve', '--workers', '2', ...flags], {
        cwd: folder,
        env: { BTC_FORECAST_API_KEYS: KEY },
      })
    try {
      const inUse = await run('--port', String(port))
      const says = `foreproof: cannot listen on 127.0.0.1:${port}: EADDRINUSE`
      expect([inUse.code, inUse.stderr.split('\n')[0]]).toEqual([3, says])
      expect(inUse.stderr.match(/EADDRINUSE/g)).toHaveLength(1)
      const probes = await run('--port', '0', '--probe-port', String(port - 1))
      expect(probes.code).toBe(3)
      const lines = probes.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
      expect(lines).toEqual([says, '  Choose another --probe-port, or stop what listens there.'])
    } finally {
      taken.close()
      rmSync(folder, { recursive: true })
    }
  })
})
