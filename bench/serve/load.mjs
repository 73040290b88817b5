// Load by wrk where it is installed, by autocannon otherwise: one thread, so that a machine of two
// cores gives the other to the server.
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { KEY } from './processes.mjs'

const run = promisify(execFile)
export const CONNECTIONS = 32
export const WITH_WRK = spawnSync('wrk', ['-v']).error === undefined

const MS = { us: 0.001, ms: 1, s: 1000 }

/**
 * Requests a second, and the median and 99th percentile of the latency in milliseconds.
 * @param coding - the Accept-Encoding of the requests.
 */
export async function load(port, path, seconds, coding = 'identity') {
  const url = `http://127.0.0.1:${port}${path}`
  const headers = { Authorization: `Bearer ${KEY}`, 'Accept-Encoding': coding }
  if (!WITH_WRK) {
    const done = await autocannon({
      url,
      connections: CONNECTIONS,
      duration: seconds,
      headers,
    })
    if (done.non2xx + done.errors > 0) throw new Error(`${done.non2xx} answers were no 200`)
    return { rate: done.requests.average, p50: done.latency.p50, p99: done.latency.p99 }
  }
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', ...sent, url]
  const { stdout } = await run('wrk', args)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  const latency = (percent) => {
    const [, figure, unit] = new RegExp(`${percent}%\\s+([0-9.]+)(us|ms|s)`).exec(stdout)
    return Number(figure) * MS[unit]
  }
  const rate = Number(/Requests\/sec:\s+([0-9.]+)/.exec(stdout)[1])
  return { rate, p50: latency(50), p99: latency(99) }
}

/**
 * Requests a second over many paths, in turn; with wrk alone.
 * @param folder - for the script that wrk reads.
 */
export async function loadPaths(folder, port, paths, seconds) {
  const script = join(folder, 'paths.lua')
  const listed = paths.map((path) => JSON.stringify(path)).join(',\n')
  writeFileSync(
    script,
    `local paths = {${listed}}
     local at = 0
     request = function() at = at % #paths + 1 return wrk.format(nil, paths[at]) end`,
  )
  const sent = ['-H', `Authorization: Bearer ${KEY}`, '-H', 'Accept-Encoding: identity']
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...sent, '-s', script]
  const { stdout } = await run('wrk', [...args, `http://127.0.0.1:${port}`])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return Number(/Requests\/sec:\s+([0-9.]+)/.exec(stdout)[1])
}
