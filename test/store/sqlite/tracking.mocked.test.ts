import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { chooseOrder } from '../../../src/store/sqlite/order.js'
import { addRows, opened, writeProducer } from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

vi.mock('../../../src/store/sqlite/order.js', { spy: true })

const path = join(temporaryFolder(), 'history.sqlite')
const row = (hour: number) => ({ hour, model: 'alpha', horizon: 2 })

beforeEach(() => vi.clearAllMocks())

it('looks at all origins once, and at none of them where a mark says what they are like', async () => {
  writeProducer(path, [row(0), row(1)])
  const first = opened(path)
  const mark = await first.mark()
  expect(chooseOrder).toHaveBeenCalledTimes(1)

  const db = openSqlite(path)
  addRows(db, [row(2)])
  const second = opened(path)
  expect(await second.rowsSince(mark as NonNullable<typeof mark>)).toHaveLength(1)
  expect(await second.mark()).toMatchObject({ row: 3 })
  expect(await second.page({ limit: 9 })).toHaveLength(3)
  addRows(db, [row(3)])
  expect(await second.page({ limit: 9 })).toHaveLength(4)
  expect(chooseOrder).toHaveBeenCalledTimes(1)

  // A row that is spelt in another way makes it look at all of them.
  db.pragma('foreign_keys = OFF')
  db.exec(`INSERT INTO forecast_predictions
    SELECT '2026-01-01T05:00:00Z', model_name, horizon_hours, target_at, predicted_price_usd,
      predicted_change_pct, q10_usd, q50_usd, q90_usd, model_agreement
    FROM forecast_predictions WHERE rowid = 1`)
  expect(await second.page({ limit: 9 })).toHaveLength(5)
  expect(await second.mark()).toBeUndefined()
  expect(chooseOrder).toHaveBeenCalledTimes(2)
  db.close()
})
