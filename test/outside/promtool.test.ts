import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { get } from '../process/service/http.js'
import { type Served, serve } from '../process/service/serve.js'

let served: Served
beforeAll(async () => {
  served = await serve()
})
afterAll(() => served.remove())

/** From Debian's package prometheus. */
function promtool(page: string) {
  const ran = spawnSync('promtool', ['check', 'metrics'], { input: page, encoding: 'utf8' })
  if (ran.error) throw ran.error
  return { code: ran.status, said: ran.stdout + ran.stderr }
}

it('accepts the metrics page, before the first request and after many', async () => {
  const page = async () => (await get(served.port, '/metrics')).text
  expect(promtool(await page())).toEqual({ code: 0, said: '' })
  for (const path of ['/v1/health', '/v1/forecasts?limit=0', '/nowhere']) await served.get(path)
  await get(served.port, '/v1/health')
  expect(promtool(await page())).toEqual({ code: 0, said: '' })
})
