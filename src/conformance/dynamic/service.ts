import { DYNAMIC_RULES } from '../../contract/conformance-rules.js'
import { ForeproofError } from '../../contract/error.js'
import { formatStored, instantOrNaN, MICROS_PER_SECOND } from '../../contract/instant.js'
import { MEDIA_TYPE } from '../../contract/limits.js'
import type { HealthBody, LatestBody } from '../../contract/types.js'
import type { Client } from '../../remote/client.js'
import { checkBody } from '../body.js'
import { FRESH_AND_EMPTY, FreshnessLog } from '../freshness.js'
import { RuleChecks } from '../judge.js'
import {
  HEALTH_PATH,
  historyPath,
  LATEST_PATH,
  parseApiErrorCode,
  ServiceClient,
} from './client.js'
import { checkCursors, checkEmptyResults, checkFilters, chooseSample } from './filters.js'
import { HistoryPages, type Known } from './pages.js'
import { checkMetrics, checkProbes, checkRequestCounts } from './probes.js'
import { checkRefusals } from './refusals.js'
import { checkEncodings, checkOtherWalks, walkAgain, walkAll } from './walks.js'

interface ServiceCheck {
  readonly root: string
  readonly client: Client
  readonly key: string | undefined
  /** Walk at most this number of pages. */
  readonly pages?: number | undefined
  /** False if probes, metrics and other paths outside `/v1` do not belong to the service. */
  readonly probes: boolean
  readonly onProgress: (text: string) => void
}

const PAGES = 25
const METRICS = ['metrics', 'metrics-format', 'metrics-count'] as const

/**
 * Checks a running service. Without a key, only checks that come before the key are possible.
 * @throws {ForeproofError} `unavailable` if the key is not accepted, `io` if no answer comes.
 */
export async function checkService(check: ServiceCheck): Promise<RuleChecks> {
  const { root, client, key, probes, onProgress } = check
  const judge = new RuleChecks(DYNAMIC_RULES)
  const onWait = (seconds: number) => onProgress(`rate limit: waiting ${seconds} s`)
  const service = new ServiceClient(judge, client, root, key, onWait)
  if (key !== undefined) await requireKey(service)
  if (!probes) judge.skip(['livez', 'readyz', ...METRICS, 'probes-open'], 'left out by --no-probes')
  const before = probes ? await checkMetrics(service) : undefined
  const counted = new Map(service.statuses)
  onProgress('requests that must be refused')
  const log = new FreshnessLog(judge)
  const pages = new HistoryPages(service, log)
  await checkRefusals(service, key === undefined ? undefined : await pages.firstCursor({}), probes)
  const health = key === undefined ? undefined : await checkHealth(service, log)
  const healthAgain = async () => (await checkHealth(service, log))?.status
  if (probes) await checkProbes(service, health?.status, healthAgain)
  if (key === undefined) judge.skip(DYNAMIC_RULES, 'no key was given with --key-env')
  else {
    await checkAcceptHeader(service)
    await checkForecasts(check, pages, log)
    log.finish()
    judge.skip(['rate-limited'], 'the limit was not met')
  }
  if (before !== undefined) {
    const asked = new Map(service.statuses)
    for (const [status, count] of counted) asked.set(status, (asked.get(status) ?? 0) - count)
    checkRequestCounts(service, before, await checkMetrics(service), asked)
  }
  return judge
}

async function requireKey(service: ServiceClient): Promise<void> {
  const { status } = await service.call({ path: HEALTH_PATH })
  if (status !== 401) return
  const message = `${service.root}: does not accept this key, so that nothing can be judged`
  throw new ForeproofError('unavailable', message, {
    help: 'Check the variable that --key-env names, and that the key is one of this service.',
  })
}

/** Values of Accept that must be served; an empty one means no header. */
const ACCEPTS = [MEDIA_TYPE, '*/*', `text/html, ${MEDIA_TYPE};q=0.5`, '']

async function checkAcceptHeader(service: ServiceClient): Promise<void> {
  for (const path of [LATEST_PATH, historyPath({ limit: 1 }), HEALTH_PATH]) {
    for (const accept of ACCEPTS) {
      const { status } = await service.call({ path, headers: { accept } })
      const asked = accept === '' ? 'no Accept' : `Accept: ${accept}`
      const location = { where: service.root + path, asked }
      // There may be no latest forecast, and no readable health.
      const served = status === 200 || (path === LATEST_PATH && status === 404) || status === 503
      service.judge.expect('accept-allowed', served, location, `answers ${status}`)
    }
  }
}

async function checkForecasts(
  { pages: max = PAGES, onProgress }: ServiceCheck,
  pages: HistoryPages,
  log: FreshnessLog,
): Promise<void> {
  await pages.page('envelope', {})
  for (const limit of [1, 100]) await pages.page('limit-bounds', { limit })
  const walked = await walkAll(pages, max, (count) => onProgress(`${count} pages`))
  if (walked === undefined) return
  onProgress('forecasts, filters and cursors')
  await checkEncodings(pages)
  await checkLatest(pages, log, walked)
  await checkHealthAgain(pages, log)
  await checkOtherWalks(pages, walked)
  const sample = chooseSample(walked)
  if (sample === undefined) {
    await checkEmptyResults(pages)
    return
  }
  await checkFilters(pages, walked, sample)
  await checkCursors(pages, sample)
  await walkAgain(pages, walked, max)
}

/** Health must describe the same history, and must be known if forecasts can be read. */
async function checkHealthAgain(pages: HistoryPages, log: FreshnessLog): Promise<void> {
  const { judge, service, newest } = pages
  const health = await checkHealth(service, log)
  if (health === undefined) return
  const where = service.root + HEALTH_PATH
  const readable = health.observed !== undefined
  judge.expect('health-status', readable, { where }, 'answers 503, while forecasts are served')
  if (health.observed === undefined) return
  if (newest === undefined) {
    const isSound = health.freshness !== 'fresh' || !Number.isNaN(await pages.newestNow())
    const status = { where, pointer: '/data/freshness/status' }
    judge.expect('health-freshness', isSound, status, FRESH_AND_EMPTY)
    return
  }
  const location = { where, pointer: '/data/freshness/observed_at' }
  const detail = 'observed_at is not the newest origin of the history'
  const isNewest = await pages.wasNewest(health.observed, newest)
  judge.expect('health-freshness', isNewest, location, detail)
}

/** The status of a health answer; `unreadable` if it is 503. */
interface HealthSeen {
  readonly status: string
  /** The newest origin in it, and its freshness. */
  readonly observed?: number
  readonly freshness?: string
}

/** Checks health by itself. @returns undefined if it is not a health answer. */
async function checkHealth(
  service: ServiceClient,
  log: FreshnessLog,
): Promise<HealthSeen | undefined> {
  const { judge } = service
  const answer = await service.call({ path: HEALTH_PATH })
  const where = service.root + HEALTH_PATH
  if (answer.status !== 200) {
    const sound = answer.status === 503
    judge.expect('health-body', sound, { where }, `answers ${answer.status}`)
    return sound ? { status: 'unreadable' } : undefined
  }
  const body = checkBody(judge, 'health', answer.bytes, where)
  if (!body.sound) return undefined
  const { data } = body.value as unknown as HealthBody
  checkHealthStatus(judge, data, where)
  log.addHealth(data.freshness, answer.moment, where)
  const { at, tolerance } = answer.moment
  const off = Math.abs(instantOrNaN(data.checked_at) - at) / MICROS_PER_SECOND
  const detail = `checked_at is ${data.checked_at}, ${Math.round(off)} s off the answer`
  judge.expect('health-body', off <= tolerance, { where, pointer: '/data/checked_at' }, detail)
  const { observed_at, status: freshness } = data.freshness
  return { status: data.status, observed: instantOrNaN(observed_at), freshness }
}

/** A stale history or a degraded stage must not be reported as healthy. */
function checkHealthStatus(judge: RuleChecks, data: HealthBody['data'], where: string): void {
  if (data.status !== 'healthy') {
    judge.skip(['health-status'], 'the service does not say that it is healthy')
    return
  }
  const location = { where, pointer: '/data/status' }
  const { status } = data.freshness
  const why = `is healthy, while its freshness is ${status}`
  judge.expect('health-status', status === 'fresh', location, why)
  for (const [name, { health }] of Object.entries(data.stages)) {
    const detail = `is healthy, while its stage ${name} is ${health}`
    judge.expect('health-status', health === 'healthy', location, detail)
  }
}

/** Latest must be the forecast of the greatest origin in the history. */
async function checkLatest(pages: HistoryPages, log: FreshnessLog, walked: Known): Promise<void> {
  const { judge, service, newest } = pages
  const where = service.root + LATEST_PATH
  const answer = await service.call({ path: LATEST_PATH })
  const { status, bytes, moment } = answer
  if (newest === undefined) {
    const refused = status === 404 && parseApiErrorCode(answer) === 'forecast_not_found'
    if (refused || Number.isNaN(await pages.newestNow())) {
      judge.expect('latest-empty', refused, { where }, `answers ${status}`)
    }
    return
  }
  judge.skip(['latest-empty'], 'the history is not empty')
  if (!judge.expect('latest-newest', status === 200, { where }, `answers ${status}`)) return
  const latest = checkBody(judge, 'latest', bytes, where)
  if (!latest.sound) return
  const { data } = latest.value as unknown as LatestBody
  const origin = instantOrNaN(data.origin_at)
  const greatest = await pages.wasNewest(origin, newest)
  const detail = `is of ${data.origin_at}, while the history begins with ${formatStored(newest)}`
  latest.expect('latest-newest', greatest, '/data/origin_at', detail)
  pages.same(data, latest, '/data')
  walked.note([data])
  log.addBody(latest, moment, [origin])
}
