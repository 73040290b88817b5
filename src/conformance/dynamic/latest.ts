import { formatStored, instantOrNaN } from '../../contract/instant.js'
import type { LatestBody } from '../../contract/types.js'
import { judgeBody } from '../body.js'
import type { FreshnessLog } from '../freshness.js'
import { codeOf } from './answer.js'
import type { Known } from './known.js'
import type { HistoryPages } from './reader.js'
import { LATEST } from './routes.js'

/** Latest is the forecast of the greatest origin, as the history gives it. */
export async function judgeLatest(
  pages: HistoryPages,
  log: FreshnessLog,
  known: Known,
): Promise<void> {
  const { judge, service, newest } = pages
  const where = service.root + LATEST
  const answer = await service.call({ path: LATEST })
  const { status, bytes, moment } = answer
  if (newest === undefined) {
    const refused = status === 404 && codeOf(answer) === 'forecast_not_found'
    if (refused || Number.isNaN(await pages.newestNow())) {
      judge.expect('latest-empty', refused, { where }, `answers ${status}`)
    }
    return
  }
  judge.skip(['latest-empty'], 'the history is not empty')
  if (!judge.expect('latest-newest', status === 200, { where }, `answers ${status}`)) return
  const latest = judgeBody(judge, 'latest', bytes, where)
  if (!latest.sound) return
  const { data } = latest.value as unknown as LatestBody
  const origin = instantOrNaN(data.origin_at)
  const greatest = await pages.wasNewest(origin, newest)
  const detail = `is of ${data.origin_at}, while the history begins with ${formatStored(newest)}`
  judge.expect('latest-newest', greatest, () => latest.place('/data/origin_at'), detail)
  pages.same(data, latest, '/data')
  known.note([data])
  log.addBody(judge, latest, moment, [origin])
}
