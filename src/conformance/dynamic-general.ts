import { checkHealthBody } from '../contract/check-payload.js'
import { messageOf } from '../contract/findings/finding.js'
import { MEDIA_TYPE } from '../contract/limits.js'
import type { Judge } from './judge.js'
import type { ServiceClient } from './service-client.js'
import { jsonOf } from './service-client.js'

const LATEST = '/v1/forecasts/latest'
const HISTORY = '/v1/forecasts'
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const OTHER_TYPES = ['text/html', 'application/json', MEDIA_TYPE.replace('v1', 'v2')]

/** Rules that hold before any forecast is read; most need no key. */
export async function judgeGeneral(service: ServiceClient): Promise<void> {
  const invalid = 'invalid_request'
  for (const method of METHODS) {
    await service.refuses('method-refused', 400, invalid, { path: HISTORY, method })
  }
  await service.refuses('key-missing', 401, invalid, { path: LATEST, withKey: false })
  const wrong = { authorization: 'Bearer conformance-check-no-such-key' }
  await service.refuses('key-wrong', 401, invalid, { path: LATEST, headers: wrong })
  await service.refuses('key-wrong', 401, invalid, {
    path: LATEST,
    headers: { authorization: 'Basic Og==' },
  })
  const anonymous = { withKey: false } as const
  await service.refuses('check-order', 400, invalid, { path: LATEST, method: 'POST', ...anonymous })
  await service.refuses('check-order', 406, 'not_acceptable', {
    path: LATEST,
    headers: { accept: 'text/html' },
    ...anonymous,
  })
  await service.refuses('check-order', 401, invalid, { path: `${HISTORY}?limit=0`, ...anonymous })
  for (const accept of OTHER_TYPES) {
    const options = { path: LATEST, headers: { accept } }
    await service.refuses('accept-refused', 406, 'not_acceptable', options)
  }
  if (!service.hasKey) return
  for (const path of ['/v1', '/v1/forecast', `${LATEST}/`, '/v2/forecasts', '/v1/health/x']) {
    await service.refuses('path-refused', 400, invalid, { path })
  }
}

/** Accept in the forms that must be served. */
export async function judgeAccept(judge: Judge, service: ServiceClient): Promise<void> {
  // Leaving the header out is not in fetch's power: it then sends */*, which is judged anyway.
  for (const accept of [MEDIA_TYPE, '*/*', `text/html, ${MEDIA_TYPE};q=0.5`]) {
    const { status } = await service.call({ path: `${HISTORY}?limit=1`, headers: { accept } })
    const place = { where: `${service.root}${HISTORY} (Accept: ${accept})` }
    judge.expect('accept-allowed', status === 200, place, `answers ${status}`)
  }
}

/** Health and its probe, whose words must agree. */
export async function judgeHealth(
  judge: Judge,
  service: ServiceClient,
): Promise<string | undefined> {
  const answer = await service.call({ path: '/v1/health' })
  const where = `${service.root}/v1/health`
  if (answer.status !== 200) {
    const sound = answer.status === 503
    judge.expect('health-body', sound, { where }, `answers ${answer.status}`)
    return sound ? 'unreadable' : undefined
  }
  const body = jsonOf(answer.bytes)
  const [fault] = checkHealthBody(body)
  const place = { where, pointer: fault?.pointer }
  const detail = fault === undefined ? '' : messageOf(fault).text
  if (!judge.expect('health-body', fault === undefined, place, detail)) return undefined
  return (body as { data: { status: string } }).data.status
}

const TEXT = /^text\/plain; ?charset=utf-8$/i
const EXPOSITION = /^text\/plain; ?version=0\.0\.4; ?charset=utf-8$/i

export async function judgeProbes(
  judge: Judge,
  service: ServiceClient,
  health: string | undefined,
): Promise<void> {
  const probe = async (path: string) => {
    const answer = await service.call({ path, withKey: false, headers: { accept: '' } })
    const place = { where: service.root + path }
    judge.expect('probes-open', answer.status !== 401, place, 'asks for a key')
    const type = answer.headers.get('content-type') ?? 'absent'
    return { ...answer, type, place, text: Buffer.from(answer.bytes).toString() }
  }
  const live = await probe('/livez')
  const alive = live.status === 200 && live.text === 'ok\n' && TEXT.test(live.type)
  judge.expect(
    'livez',
    alive,
    live.place,
    `answers ${live.status} ${JSON.stringify(live.text)} as ${live.type}`,
  )

  const ready = await probe('/readyz')
  const words = ready.status === 200 ? 'ready\n' : 'not ready\n'
  const spoken = (ready.status === 200 || ready.status === 503) && ready.text === words
  const said = `answers ${ready.status} ${JSON.stringify(ready.text)}`
  judge.expect('readyz', spoken, ready.place, said)
  if (health !== undefined && spoken) {
    const agrees = (ready.status === 200) === (health === 'healthy')
    judge.expect('readyz', agrees, ready.place, `${said}, while health is ${health}`)
  }

  const metrics = await probe('/metrics')
  const of = `answers ${metrics.status} as ${metrics.type}`
  judge.expect(
    'metrics',
    metrics.status === 200 && EXPOSITION.test(metrics.type),
    metrics.place,
    of,
  )
  const figures = [
    /request\w*total/i,
    /response\w*total\{.*status/i,
    /fail\w*total/i,
    /latency\w*(?:\{[^}]*0\.95|p95)/i,
  ]
  for (const figure of figures) {
    const there = metrics.text
      .split('\n')
      .some((line) => !line.startsWith('#') && figure.test(line))
    judge.expect('metrics', there, metrics.place, `no line like ${figure.source}`)
  }
}
