import { checkHealthBody } from '../../contract/check-payload.js'
import { messageOf } from '../../contract/findings/finding.js'
import { formatStored, instantOrNaN, MICROS_PER_SECOND } from '../../contract/instant.js'
import type { HealthBody, LatestBody } from '../../contract/types.js'
import { readDocument } from '../../document/read.js'
import { brokenRules, judgeBody } from '../body.js'
import type { FreshnessLog } from '../freshness.js'
import type { Judge } from '../judge.js'
import { codeOf, HEALTH, LATEST, type ServiceClient } from './client.js'
import type { HistoryPages, Known } from './pages.js'

/** What health says of itself; `unreadable` where it answers 503. */
interface HealthSeen {
  readonly status: string
  /** The newest origin that it knows of, and how fresh it says that is. */
  readonly observed?: number
  readonly freshness?: string
}

/** Judges health by itself. @returns undefined where it is no health at all. */
export async function judgeHealth(
  service: ServiceClient,
  log: FreshnessLog,
): Promise<HealthSeen | undefined> {
  const { judge } = service
  const answer = await service.call({ path: HEALTH })
  const where = service.root + HEALTH
  if (answer.status !== 200) {
    const sound = answer.status === 503
    judge.expect('health-body', sound, { where }, `answers ${answer.status}`)
    return sound ? { status: 'unreadable' } : undefined
  }
  const read = readDocument(answer.bytes, where)
  const faults = read.ok ? checkHealthBody(read.value) : read.findings
  judge.look('api-version')
  for (const fault of faults) {
    for (const rule of brokenRules(fault, () => 'health-body')) {
      judge.expect(rule, false, { where, pointer: fault.pointer }, messageOf(fault).text)
    }
  }
  judge.look('health-body')
  if (!read.ok || faults.length > 0) return undefined
  const { data } = read.value as unknown as HealthBody
  judgeStatus(judge, data, where)
  log.addHealth(data.freshness, answer.moment, where)
  const { at, tolerance } = answer.moment
  const off = Math.abs(instantOrNaN(data.checked_at) - at) / MICROS_PER_SECOND
  const detail = `checked_at is ${data.checked_at}, ${Math.round(off)} s off the answer`
  judge.expect('health-body', off <= tolerance, { where, pointer: '/data/checked_at' }, detail)
  const { observed_at, status: freshness } = data.freshness
  return { status: data.status, observed: instantOrNaN(observed_at), freshness }
}

/** Stale history and degraded stages are not healthy. */
function judgeStatus(judge: Judge, data: HealthBody['data'], where: string): void {
  if (data.status !== 'healthy') {
    judge.skip(['health-status'], 'the service does not say that it is healthy')
    return
  }
  const place = { where, pointer: '/data/status' }
  const { status } = data.freshness
  judge.expect(
    'health-status',
    status === 'fresh',
    place,
    `is healthy, while its freshness is ${status}`,
  )
  for (const [name, { health }] of Object.entries(data.stages)) {
    const detail = `is healthy, while its stage ${name} is ${health}`
    judge.expect('health-status', health === 'healthy', place, detail)
  }
}

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
  latest.expect('latest-newest', greatest, '/data/origin_at', detail)
  pages.same(data, latest, '/data')
  known.note([data])
  log.addBody(latest, moment, [origin])
}
