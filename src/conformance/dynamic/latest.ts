import { instantOrNaN } from '../../contract/instant.js'
import type { LatestBody } from '../../contract/types.js'
import { judgeBody } from '../body.js'
import type { FreshnessLog } from '../freshness.js'
import type { Known } from './known.js'
import type { HistoryPages } from './reader.js'
import { LATEST } from './routes.js'

/** Latest is the forecast of the greatest origin, as the history gives it. */
export async function judgeLatest(
  pages: HistoryPages,
  log: FreshnessLog,
  known: Known,
): Promise<void> {
  const { judge, service } = pages
  const [newest] = known.rows
  if (newest === undefined) {
    await service.refuses('latest-empty', 404, 'forecast_not_found', { path: LATEST })
    return
  }
  judge.skip(['latest-empty'], 'the history is not empty')
  const where = service.root + LATEST
  const { status, bytes, moment } = await service.call({ path: LATEST })
  if (!judge.expect('latest-newest', status === 200, { where }, `answers ${status}`)) return
  const latest = judgeBody(judge, 'latest', bytes, where)
  if (!latest.sound) return
  const { data } = latest.value as unknown as LatestBody
  const origin = instantOrNaN(data.origin_at)
  const greatest = origin === instantOrNaN(newest.origin_at)
  const detail = `is of ${data.origin_at}, while the history begins with ${newest.origin_at}`
  judge.expect('latest-newest', greatest, () => latest.place('/data/origin_at'), detail)
  pages.same(data, latest, '/data')
  log.addBody(judge, latest, moment, [origin])
}
