import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idsOf, thisHour } from '../../support/service/history.js'
import { serve } from '../../support/service/serve.js'
import { filter, limits, walk } from '../../support/service/walking.js'

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url))

// The writer knows SQLite: this is no test of every store.
it.each(['delete', 'wal'] as const)(
  'gives every match once and in order while another process writes newer rows (%s journal)',
  async (journal) => {
    const served = await serve({ made: { journal } })
    const writer = spawn(process.execPath, [WRITER, served.historyPath, String(thisHour())], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => writer.stdout.once('data', resolve))
    try {
      await fc.assert(
        fc.asyncProperty(filter, limits, async ({ query, where }, sizes) => {
          const before = idsOf(served.historyPath, where)
          const walked = await walk(served, query, sizes)
          // Rows that came after the walk had begun may lead; what was there follows, whole and in order.
          const known = new Set(before)
          expect(walked.filter((id) => known.has(id))).toEqual(before)
          expect(new Set(walked).size).toBe(walked.length)
          const after = new Set(idsOf(served.historyPath, where))
          expect(walked.every((id) => after.has(id))).toBe(true)
        }),
        { numRuns: 40 },
      )
    } finally {
      writer.stdin.end()
      await new Promise((resolve) => writer.once('exit', resolve))
    }
  },
)
