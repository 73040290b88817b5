// Load by wrk: one thread, so that a machine of two cores gives the other to the server.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inFolder, inTurns, median } from '../parts/measured.mjs'
import { KEY } from './processes.mjs'

const run = promisify(execFile)
const CONNECTIONS = 32
const MS = { us: 0.001, ms: 1, s: 1000 }
/** The kernel counts in hundredths of a second, on every machine. */
const TICKS = 100

/** Seconds of processor time of a running process, from `/proc`. */
function cpuOf(pid) {
  const [, figures] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = figures.split(' ').slice(11, 13).map(Number)
  return (user + system) / TICKS
}

/**
 * Asks a server for paths, in turn, for some seconds.
 * @param coding - the Accept-Encoding of the requests.
 * @returns the server's processor time for a request in microseconds, and the 99th percentile of the latency in
 * multiples of the median.
 */
function load({ port, pid }, paths, seconds, coding = 'identity') {
  return inFolder(async (folder) => {
    const script = join(folder, 'paths.lua')
    const listed = paths.map((path) => JSON.stringify(path)).join(',\n')
    writeFileSync(
      script,
      `local paths = {${listed}}
       local at = 0
       request = function() at = at % #paths + 1 return wrk.format(nil, paths[at]) end`,
    )
    const sent = ['-H', `Authorization: Bearer ${KEY}`, '-H', `Accept-Encoding: ${coding}`]
    const how = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', ...sent, '-s', script]
    const before = cpuOf(pid)
    const { stdout } = await run('wrk', [...how, `http://127.0.0.1:${port}`])
    // Less than a tick looks like none.
    const taken = Math.max(cpuOf(pid) - before, 1 / TICKS)
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
    const latency = (percent) => {
      const [, figure, unit] = new RegExp(`${percent}%\\s+([0-9.]+)(us|ms|s)`).exec(stdout)
      return Number(figure) * MS[unit]
    }
    const requests = Number(/(\d+) requests in/.exec(stdout)[1])
    return { micros: (1e6 * taken) / requests, tail: latency(99) / latency(50) }
  })
}

/**
 * Asks two servers, or one in two ways, in turns.
 * @param loads - for each name the arguments of a load: server, paths, coding.
 * @returns medians over the rounds: by name, its microseconds and its tail.
 */
export async function compareLoads({ rounds, seconds }, loads) {
  const works = Object.entries(loads).map(([name, [server, paths, coding]]) => [
    name,
    () => load(server, paths, seconds, coding),
  ])
  const taken = await inTurns(rounds, Object.fromEntries(works))
  const medians = ([name, runs]) => [
    name,
    {
      micros: median(runs.map(({ micros }) => micros)),
      tail: median(runs.map(({ tail }) => tail)),
    },
  ]
  return Object.fromEntries(Object.entries(taken).map(medians))
}
