import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { guide } from '../outside/snippets.js'
import { serve } from '../support/service/serve.js'

const { text, snippet } = guide('operating.md')
const REQUESTS = 3000
const AT_ONCE = 16

it('the unit limits memory to what the guide measures by', () => {
  const limit = /^MemoryMax=(\d+)M$/m.exec(snippet('ini'))?.[1]
  expect(text).toContain(`its memory is limited to ${limit} MiB`)
  expect(text).toContain(`--memory=${limit}m`)
})

it('stays below what the guide promises, also on a machine with much memory', async () => {
  const [, heap] = /`(--max-old-space-size=\d+ --max-semi-space-size=\d+)`/.exec(text) ?? []
  const promised = Number(/stays below (\d+) MiB resident/.exec(text)?.[1])
  const served = await serve({ env: { NODE_OPTIONS: heap } })
  let left = REQUESTS
  // No two ask for the same page, so that each is kept and another goes.
  const ask = async () => {
    for (; left > 0; left--) {
      const instant = `2000-01-01T00:00:00.${String(left).padStart(6, '0')}Z`
      const got = await served.get(`/v1/forecasts?limit=100&origin_from=${instant}`)
      expect(got.status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  const status = `/proc/${served.child.pid}/status`
  // Only Linux gives the highest; elsewhere it is enough that all was answered.
  if (existsSync(status)) {
    const highest = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    expect(Number(highest) / 1024).toBeLessThan(promised)
    expect(Number(highest) / 1024).toBeGreaterThan(100)
  }
})
