import { expect, it } from 'vitest'
import { hubConfig } from '../../src/exchange/hubverse/config.js'
import { changedIn } from '../protocol/sample.js'
import { weekly } from '../protocol/weekly.js'

/** What the configuration of a hub says of values, of a protocol with this minimum. */
function valueFor(minimum: string | undefined): unknown {
  const { minimum: _own, ...forecast } = weekly().forecast
  const protocol = changedIn(weekly(), {
    '/forecast': { ...forecast, ...(minimum !== undefined && { minimum }) },
  })
  const tasks = { protocol, levels: ['0.5'], hasMedians: true, truth: undefined }
  const places = { references: ['2026-01-03'], horizons: [0], targets: ['2026-01-03'] }
  const files = hubConfig({ ...tasks, ...places }, 'csv')
  const [round] = JSON.parse(files['hub-config/tasks.json'] ?? '').rounds
  const { output_type: types } = round.model_tasks[0]
  expect(types.quantile.value).toEqual(types.median.value)
  return types.median.value
}

it('says the least value of a protocol, 0 too, and none where it has none', () => {
  expect(valueFor('0')).toMatchObject({ minimum: 0 })
  expect(valueFor('-40.5')).toMatchObject({ minimum: -40.5 })
  expect(valueFor(undefined)).not.toHaveProperty('minimum')
})
