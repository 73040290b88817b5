import { checkHealthBody } from '../../contract/check-payload.js'
import { messageOf } from '../../contract/findings/finding.js'
import { instantOrNaN, MICROS_PER_SECOND } from '../../contract/instant.js'
import type { HealthBody } from '../../contract/types.js'
import { readDocument } from '../../document/read.js'
import { brokenRules } from '../body.js'
import type { FreshnessLog } from '../freshness.js'
import type { Judge } from '../judge.js'
import type { ServiceClient } from './client.js'
import { HEALTH } from './routes.js'

/** What health says of itself; `unreadable` where it answers 503. */
interface HealthSeen {
  readonly status: string
  /** The newest origin that it knows of, and how fresh it says that is. */
  readonly observed?: number
  readonly freshness?: string
}

/** Judges health by itself. @returns undefined where it is no health at all. */
export async function judgeHealth(
  judge: Judge,
  service: ServiceClient,
  log: FreshnessLog,
): Promise<HealthSeen | undefined> {
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
  log.addHealth(judge, data.freshness, answer.moment, where)
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
