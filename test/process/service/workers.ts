import { afterEach } from 'vitest'
import { isRunning, startOf } from '../../../src/files/temporary.js'
import { type Options, type Served, serve } from '../../support/service/serve.js'

// Services of several processes, which end with the test that started them.

const running: Served[] = []
afterEach(async () => {
  for (const served of running.splice(0)) {
    for (const pid of workersOf(served)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await served.remove()
  }
})

export async function start(options: Options = {}): Promise<Served> {
  const served = await serve(options)
  running.push(served)
  return served
}

export const startWorkers = (flags: readonly string[] = [], options: Options = {}) =>
  start({ ...options, flags: ['--workers', '2', ...flags] })

/** The processes of all workers that ever listened. */
export const workersOf = (served: Served) =>
  served.events('worker-started').map(({ pid }) => Number(pid))

/** A zombie is not: in a container, none may ask for the exit code of a process that has lost its parent. */
export const isAlive = (pid: number): boolean =>
  isRunning(pid) && (startOf(pid) !== undefined || startOf(process.pid) === undefined)
