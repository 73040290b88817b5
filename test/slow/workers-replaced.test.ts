import { expect, it } from 'vitest'
import { eventually } from '../process/service/serve.js'
import { isAlive, startWorkers, told, workersOf } from '../process/service/workers.js'

it('loses no request while workers are replaced, and writes each once', async () => {
  const served = await startWorkers([], {
    env: { BTC_FORECAST_API_AUDIT_MAX_BYTES: '200000', BTC_FORECAST_API_AUDIT_BACKUPS: '1000' },
  })
  const before = workersOf(served)
  let sent = 0
  let ended = false
  // Half of the clients come on a new connection each time. A request without an answer throws.
  const client = async (_: unknown, turn: number) => {
    const headers = turn % 2 === 0 ? { Connection: 'close' } : {}
    while (!ended) {
      sent++
      expect((await served.get('/v1/forecasts?limit=20', { headers })).status).toBe(200)
    }
  }
  const clients = Array.from({ length: 8 }, client)
  served.child.kill('SIGUSR2')
  await eventually(() => told(served, 'replacing').length === 1)
  served.child.kill('SIGUSR2')
  await eventually(() => told(served, 'replaced').length === 1)
  ended = true
  await Promise.all(clients)
  expect(before.some(isAlive)).toBe(false)
  expect(await served.stop()).toBe(0)
  const ids = served.audit().map((line) => line.request_id)
  expect(ids).toHaveLength(sent)
  expect(new Set(ids).size).toBe(sent)
  expect(told(served, 'worker-ended')).toEqual([])
  expect(told(served, 'replace-ignored')).toHaveLength(1)
})
