import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importResources } from '../../../src/history/import/import.js'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { sample } from '../../history/samples.js'
import { historyOf, writeProducer } from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

const OF_FILTERS = [
  'forecast_origins_by_run',
  'forecast_predictions_by_horizon',
  'forecast_predictions_by_model',
]

function indexesOf(path: string): unknown[] {
  const db = openSqlite(path, { readonly: true })
  const names = db.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
     AND tbl_name IN ('forecast_origins', 'forecast_predictions') ORDER BY name`,
  )
  const found = names.pluck().all()
  db.close()
  return found
}

describe('the indexes of filters', () => {
  it('are in a file that foreproof makes', async () => {
    expect(indexesOf(await historyOf([sample()]))).toEqual([
      ...OF_FILTERS,
      'forecast_predictions_reading_order',
    ])
  })

  it('are not made in the tables of a producer', async () => {
    const path = join(temporaryFolder(), 'producer.sqlite')
    writeProducer(path, [{ hour: 0, model: 'alpha', horizon: 2 }])
    await importResources(path, [sample({ hour: 1 })], { now: 0 })
    expect(indexesOf(path)).toEqual([])
  })
})
