import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const script = fileURLToPath(new URL('./inference-run.mjs', import.meta.url))

/** Runs the built library in a process of its own; the answer is the whole result as JSON. */
async function result(...args: (string | number)[]): Promise<string> {
  const { stdout } = await run(process.execPath, [script, ...args.map(String)])
  return stdout
}

describe('worker threads', () => {
  let one = ''
  beforeAll(async () => {
    one = await result('family', 1)
    expect(one.length).toBeGreaterThan(10_000)
  })

  it('give the same bytes for 1, 3 and 8 workers', async () => {
    for (const workers of [3, 8]) expect(await result('family', workers)).toBe(one)
  })

  it('give the same bytes when draws are made again in every worker', async () => {
    expect(await result('family', 1, 0)).toBe(one)
    expect(await result('family', 2, 0)).toBe(one)
  })

  it('stop on request, and leave nothing running', async () => {
    expect(await result('abort', 2)).toBe('interrupted')
  })
})
