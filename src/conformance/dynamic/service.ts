import { DYNAMIC_RULES, type RuleName } from '../../contract/conformance-rules.js'
import { ForeproofError } from '../../contract/error.js'
import { MEDIA_TYPE } from '../../contract/limits.js'
import type { Client } from '../../remote/client.js'
import { FRESH_AND_EMPTY, FreshnessLog } from '../freshness.js'
import { Judge } from '../judge.js'
import { HEALTH, pathOf, ServiceClient } from './client.js'
import { judgeCursors, judgeFilters, judgeNothing, sampleOf } from './filters.js'
import { judgeHealth, judgeLatest } from './heads.js'
import { HistoryPages } from './pages.js'
import { judgeCounting, judgeMetrics, judgeProbes } from './probes.js'
import { judgeRefusals } from './refusals.js'
import { judgeEncodings, judgeOtherWays, walkAgain, walkAll } from './walks.js'

interface ServiceCheck {
  readonly root: string
  readonly client: Client
  readonly key: string | undefined
  /** Walk no more pages than this. */
  readonly pages?: number | undefined
  /** False where probes and metrics, and all that is not below `/v1`, are not the service's here. */
  readonly probes: boolean
  readonly onProgress: (text: string) => void
}

const PAGES = 25
const PROBES: readonly RuleName[] = [
  'livez',
  'readyz',
  'metrics',
  'metrics-format',
  'metrics-count',
]

/**
 * Judges a running service. Without a key, only what comes before the key can be seen.
 * @throws {ForeproofError} `unavailable` when the key is not accepted, `io` when no answer comes.
 */
export async function checkService(check: ServiceCheck): Promise<Judge> {
  const { root, client, key, probes, onProgress } = check
  const judge = new Judge(DYNAMIC_RULES)
  const onWait = (seconds: number) => onProgress(`rate limit: waiting ${seconds} s`)
  const service = new ServiceClient(judge, client, root, key, onWait)
  if (key !== undefined) await requireKey(service)
  if (!probes) judge.skip([...PROBES, 'probes-open'], 'left out by --no-probes')
  const before = probes ? await judgeMetrics(service) : undefined
  const counted = new Map(service.statuses)
  onProgress('requests that must be refused')
  await judgeRefusals(service, probes)
  const log = new FreshnessLog(judge)
  const health = key === undefined ? undefined : await judgeHealth(service, log)
  const healthAgain = async () => (await judgeHealth(service, log))?.status
  if (probes) await judgeProbes(service, health?.status, healthAgain)
  if (key === undefined) judge.skip(DYNAMIC_RULES, 'no key was given with --key-env')
  else {
    await judgeAccept(service)
    await judgeForecasts(check, service, log)
    log.finish()
    judge.skip(['rate-limited'], 'the limit was not met')
  }
  if (before !== undefined) {
    const asked = new Map(service.statuses)
    for (const [status, count] of counted) asked.set(status, (asked.get(status) ?? 0) - count)
    judgeCounting(service, before, await judgeMetrics(service), asked)
  }
  return judge
}

async function requireKey(service: ServiceClient): Promise<void> {
  const { status } = await service.call({ path: HEALTH })
  if (status !== 401) return
  const message = `${service.root}: does not accept this key, so that nothing can be judged`
  throw new ForeproofError('unavailable', message, {
    help: 'Check the variable that --key-env names, and that the key is one of this service.',
  })
}

/** Accept in the forms that must be served; an empty one means none. */
async function judgeAccept(service: ServiceClient): Promise<void> {
  const path = pathOf({ limit: 1 })
  for (const accept of [MEDIA_TYPE, '*/*', `text/html, ${MEDIA_TYPE};q=0.5`, '']) {
    const { status } = await service.call({ path, headers: { accept } })
    const asked = accept === '' ? 'no Accept' : `Accept: ${accept}`
    const place = { where: service.root + path, asked }
    service.judge.expect('accept-allowed', status === 200, place, `answers ${status}`)
  }
}

async function judgeForecasts(
  { pages: most = PAGES, onProgress }: ServiceCheck,
  service: ServiceClient,
  log: FreshnessLog,
): Promise<void> {
  const pages = new HistoryPages(service, log)
  await pages.page('envelope', {})
  for (const limit of [1, 100]) await pages.page('limit-bounds', { limit })
  const known = await walkAll(pages, most, (count) => onProgress(`${count} pages`))
  if (known === undefined) return
  onProgress('forecasts, filters and cursors')
  await judgeEncodings(pages)
  await judgeLatest(pages, log, known)
  await judgeHealthAgain(pages, log)
  await judgeOtherWays(pages, known)
  const sample = sampleOf(known)
  if (sample === undefined) {
    await judgeNothing(pages)
    return
  }
  await judgeFilters(pages, known, sample)
  await judgeCursors(pages, sample)
  await walkAgain(pages, known, most)
}

/** Health is of the same history, and is known where forecasts can be read. */
async function judgeHealthAgain(pages: HistoryPages, log: FreshnessLog): Promise<void> {
  const { judge, service, newest } = pages
  const health = await judgeHealth(service, log)
  if (health === undefined) return
  const where = service.root + HEALTH
  const readable = health.observed !== undefined
  judge.expect('health-status', readable, { where }, 'answers 503, while forecasts are served')
  if (health.observed === undefined) return
  if (newest === undefined) {
    const isSound = health.freshness !== 'fresh' || !Number.isNaN(await pages.newestNow())
    const status = { where, pointer: '/data/freshness/status' }
    judge.expect('health-freshness', isSound, status, FRESH_AND_EMPTY)
    return
  }
  const place = { where, pointer: '/data/freshness/observed_at' }
  const detail = 'observed_at is not the newest origin of the history'
  const isNewest = await pages.wasNewest(health.observed, newest)
  judge.expect('health-freshness', isNewest, place, detail)
}
