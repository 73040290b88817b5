import { expect, it } from 'vitest'
import type { SeriesEvaluationResult } from '../../src/evaluation/result/types.js'
import { scoreInto } from './score-into.js'
import { makeSeriesFolder, type SeriesFolderOptions } from './series-folder.js'

/** Some forecasts with another quantile of level 0.1 or 0.9, by the number of their origin. */
async function scored(
  change: (cells: string[], origin: number) => void,
  protocol?: SeriesFolderOptions['protocol'],
) {
  const line = (cells: string[], key: string) => {
    change(cells, Number(key.split(' ')[1]))
    return cells
  }
  const world = await makeSeriesFolder({ line, ...(protocol && { protocol }) })
  const { accounting, dispositions } = (await scoreInto(world, 'e'))
    .result as SeriesEvaluationResult
  const of = accounting.find(
    (each) => `${each.model} ${each.series} ${each.horizon}` === 'mine all all',
  )
  return { of, codes: dispositions[0]?.reasons.map(({ code }) => code) }
}

const WIS = { id: 'wis', kind: 'weighted_interval', primary: true } as const

it('a value without the transform of the score that decides is a failure, and no way out of an origin', async () => {
  const zero = (cells: string[], origin: number) => {
    if (origin < 20) cells[5] = '0'
  }
  const { of, codes } = await scored(zero, { scores: [{ ...WIS, transform: { kind: 'log' } }] })
  // 20 of 60 origins, of two series at two steps.
  expect(of).toMatchObject({ reasons: { out_of_range: 80 }, point: { scored: 160, failed: 80 } })
  expect(codes).toContain('availability_limit_exceeded')
  // With one more than the value there is a logarithm.
  const shifted = { ...WIS, transform: { kind: 'log_shift', offset: '1' } } as const
  expect((await scored(zero, { scores: [shifted] })).of).toMatchObject({ point: { scored: 240 } })
}, 60_000)

it('a value beyond all numbers that can be added up is a failure, and no end of the scoring', async () => {
  const { of } = await scored((cells, origin) => {
    if (origin === 7) cells[6] = '1.7e308'
    if (origin === 8) cells[6] = '1e100'
  })
  expect(of).toMatchObject({ reasons: { out_of_range: 4 }, point: { scored: 236, failed: 4 } })
}, 60_000)
