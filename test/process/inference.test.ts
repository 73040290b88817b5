import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { runFamily } from '../../dist/inference/run-family.js'
import type { FamilyInput } from '../../src/inference/types.js'
import { family, madeSeries } from '../inference/made.js'

/** The built program has worker threads: the whole result of a made family, as JSON. */
async function result(workers: number, changes: Partial<FamilyInput> = {}): Promise<string> {
  const origins = 24 * 40 + 5
  const tests = Array.from({ length: 60 }, (_, i) => ({
    name: `test ${i}`,
    components: Array.from({ length: i % 9 === 0 ? 4 : 1 }, (_, component) =>
      madeSeries(origins, 4 * i + component, i % 3 === 0 ? 0.2 : 0),
    ),
  }))
  const input = family(tests, { replicates: 2000, minimumPairs: 10, minimumBlocks: 8, workers })
  return JSON.stringify(await runFamily({ ...input, ...changes }))
}

describe('worker threads', () => {
  let one = ''
  beforeAll(async () => {
    one = await result(1)
    expect(one.length).toBeGreaterThan(10_000)
  })

  it('give the same bytes for 1, 3 and 8 workers', async () => {
    for (const workers of [3, 8]) expect(await result(workers)).toBe(one)
  })

  it.each([1, 2])(
    'give the same bytes when draws are made again in each of %i',
    async (workers) => {
      expect(await result(workers, { memory: 0 })).toBe(one)
    },
  )

  it('stop on request, and leave nothing running: the process ends', async () => {
    const library = new URL('../../dist/inference/run-family.js', import.meta.url).href
    const script = `
      import { runFamily } from '${library}'
      const values = Float64Array.from({ length: 965 }, (_, i) => Math.sin(i * i))
      const tests = Array.from({ length: 60 }, (_, i) => ({ name: 'test ' + i, components: [{ values }] }))
      const minima = { minimumPairs: 10, minimumBlocks: 8 }
      const run = { origins: 965, blockLength: 24, replicates: 200_000, seed: 410, alpha: 0.05, workers: 2 }
      await runFamily({ ...run, ...minima, tests, signal: AbortSignal.timeout(100) })
        .catch((error) => process.stdout.write(error.code))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      script,
    ])
    expect(stdout).toBe('interrupted')
  })
})
