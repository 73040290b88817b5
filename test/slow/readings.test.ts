import { describe, expect, it, vi } from 'vitest'
import type { HourlyBasis, SeriesTaskBasis } from '../../src/evaluation/plan.js'
import { makeReading } from '../../src/evaluation/reading/assemble.js'
import { hourlyReading, seriesReading } from '../../src/evaluation/reading/inputs.js'
import type { EvaluationResult, SeriesEvaluationResult } from '../../src/evaluation/result/types.js'
import { firstOf, sameHourly, sameSeries } from '../evaluation/compared-readings.js'
import { EVERY_KIND } from '../evaluation/every-kind.js'
import { scoreInto } from '../evaluation/score-into.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

/** What was compared: the kind of the evaluation, and how many readings; and what differed. */
const [compared, failures]: [string[], string[]] = [[], []]

async function comparing(kind: string, compare: () => Promise<void>): Promise<void> {
  compared.push(kind)
  try {
    await compare()
  } catch (error) {
    failures.push(`${kind}: ${String(error)}`)
  }
}

vi.mock('../../src/evaluation/hourly-task.js', async (load) => {
  const own = await load<typeof import('../../src/evaluation/hourly-task.js')>()
  return {
    hourlyTask: (basis: HourlyBasis) => {
      const task = own.hourlyTask(basis)
      const finish: typeof task.finish = async (first, second, ...rest) => {
        const old: EvaluationResult = await task.finish(first, second, ...rest)
        const made = async (paired: typeof first) =>
          await makeReading(hourlyReading(basis, paired), rest[1])
        await comparing(`${old.kind} ${second ? 2 : 1}`, async () => {
          sameHourly(await made(first), firstOf(old))
          if (second) sameHourly(await made(second), { ...old, ...old.second_reading })
        })
        return old
      }
      return { ...task, finish }
    },
  }
})

vi.mock('../../src/evaluation/series-task.js', async (load) => {
  const own = await load<typeof import('../../src/evaluation/series-task.js')>()
  return {
    seriesTask: (basis: SeriesTaskBasis) => {
      const task = own.seriesTask(basis)
      const finish: typeof task.finish = async (first, second, ...rest) => {
        const old: SeriesEvaluationResult = await task.finish(first, second, ...rest)
        const made = async (paired: typeof first) =>
          await makeReading(seriesReading(basis, paired), rest[1])
        await comparing(`series ${old.kind} ${second ? 2 : 1}`, async () => {
          sameSeries(await made(first), firstOf(old))
        })
        return old
      }
      return { ...task, finish }
    },
  }
})

describe('a reading in one form has the figures of today’s result', () => {
  it.each(Object.entries(EVERY_KIND))(
    'for %s',
    async (_, make) => {
      compared.length = 0
      await scoreInto(await make(), 'evidence')
      expect(failures).toEqual([])
      expect(compared).toHaveLength(1)
    },
    300_000,
  )

  it('for the three evaluations of the demo', async () => {
    compared.length = 0
    const { stdout } = await inProcess(['demo', '--out', `${temporaryFolder()}/demo`])
    expect(failures).toEqual([])
    const kinds = new Set(compared.map((kind) => kind.split(' ')[0]))
    expect([...kinds].sort(), stdout).toEqual(['backtest', 'evaluation'])
    expect(compared.length).toBeGreaterThanOrEqual(3)
  }, 600_000)
})
