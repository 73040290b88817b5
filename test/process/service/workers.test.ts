import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRunning, startOf } from '../../../src/files/temporary.js'
import { afterUse } from '../../support/at-end.js'
import { temporaryFolder } from '../../support/folder.js'
import { freePort } from '../../support/free-port.js'
import { foreproof } from '../../support/run.js'
import { idsOf } from '../../support/service/history.js'
import { get } from '../../support/service/http.js'
import {
  eventually,
  KEY,
  type Options,
  OTHER_KEY,
  type Served,
  serve,
} from '../../support/service/serve.js'
import { walk } from '../../support/service/walking.js'

/** A service of two workers, which end with it. */
const startWorkers = async (flags: readonly string[] = [], options: Options = {}) => {
  const served = await serve({ ...options, flags: ['--workers', '2', ...flags] })
  afterUse(() => {
    for (const pid of workersOf(served)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return served
}

/** The processes of all workers that ever listened. */
const workersOf = (served: Served) => served.events('worker-started').map(({ pid }) => Number(pid))

/** A zombie is not: in a container, none may ask for the exit code of a process that has lost its parent. */
const isAlive = (pid: number): boolean =>
  isRunning(pid) && (startOf(pid) !== undefined || startOf(process.pid) === undefined)

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
    const files = readdirSync(join(served.folder, 'audit'))
    expect(files.sort()).toEqual([1, 2].map((worker) => `reads.worker-${worker}.jsonl`))
    expect(new Set(served.audit().map((line) => line.key_fingerprint)).size).toBe(1)
    expect(served.events('stopped')).toHaveLength(1)
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

  it('says once what keeps it from starting, as one process does', async () => {
    // The port before it has to be free: beside one that the system chooses are those of its clients.
    const port = (await freePort(2)) + 1
    const taken = createServer().listen(port, '127.0.0.1')
    afterUse(() => taken.close())
    await once(taken, 'listening')
    const folder = temporaryFolder()
    const run = async (...flags: string[]) => {
      const env = { BTC_FORECAST_API_KEYS: KEY }
      const { code, stderr } = await foreproof(['serve', ...flags], { cwd: folder, env })
      return [code, ...stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))]
    }
    for (const [option, ...flags] of [
      ['--host or --port', '--workers', '1', '--port', `${port}`],
      ['--host or --port', '--workers', '2', '--port', `${port}`],
      ['--probe-port', '--workers', '2', '--port', '0', '--probe-port', `${port - 1}`],
    ]) {
      const said = `foreproof: cannot listen on 127.0.0.1:${port}: EADDRINUSE`
      const help = `  Choose another ${option}, or stop what listens there.`
      expect(await run(...flags)).toEqual([3, said, help])
    }
  })
})
