import type { FaultLocation } from '../judge.js'
import type { ServiceClient } from './client.js'

const LIVE_TYPE = /^text\/plain; ?charset=utf-8$/i
const PLAIN_TYPE = /^text\/plain(?:; ?charset=utf-8)?$/i
const EXPOSITION_TYPE = /^text\/plain; ?version=0\.0\.4; ?charset=utf-8$/i

interface Probed {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly location: FaultLocation
  /** The answer in words. */
  readonly answered: string
}

async function probe(service: ServiceClient, path: string): Promise<Probed> {
  const answer = await service.call({ path, withKey: false, headers: { accept: '' } })
  const location = { where: service.root + path }
  const closed = answer.status === 401 || answer.status === 403
  service.judge.expect('probes-open', !closed, location, `answers ${answer.status} without a key`)
  const type = answer.headers.get('content-type') ?? 'absent'
  const text = Buffer.from(answer.bytes).toString()
  const answered = `answers ${answer.status} ${JSON.stringify(text.slice(0, 40))} as ${type}`
  return { status: answer.status, type, text, location, answered }
}

/**
 * The probes for liveness and readiness.
 * @param health - its status just before, if known.
 * @param healthAgain - requests its status: a forecast that came meanwhile may have made it healthy.
 */
export async function checkProbes(
  service: ServiceClient,
  health: string | undefined,
  healthAgain: () => Promise<string | undefined>,
): Promise<void> {
  const { judge } = service
  const live = await probe(service, '/livez')
  const alive = live.status === 200 && live.text === 'ok\n' && LIVE_TYPE.test(live.type)
  judge.expect('livez', alive, live.location, live.answered)
  const ready = await probe(service, '/readyz')
  const words = ready.status === 200 ? 'ready\n' : 'not ready\n'
  const isExpected = ready.status === 200 || ready.status === 503
  const spoken = isExpected && ready.text === words && PLAIN_TYPE.test(ready.type)
  judge.expect('readyz', spoken, ready.location, ready.answered)
  if (health === undefined || !isExpected) return
  const fits = (status: string | undefined) => (ready.status === 200) === (status === 'healthy')
  const agrees = fits(health) || fits(await healthAgain())
  judge.expect('readyz', agrees, ready.location, `${ready.answered}, while health is ${health}`)
}

/** Required metrics: one or more names for each, with any prefix. */
const FIGURES: readonly (readonly [string, (sample: Sample) => boolean])[] = [
  ['request totals', isRequests],
  ['response totals by status', isResponses],
  ['history-read failures', ({ name }) => /fail\w*total/i.test(name) && /history|read/i.test(name)],
  [
    'request-latency p95',
    ({ name, labels }) => /latency\w*/i.test(name) && /0\.95|p95/i.test(name + labels),
  ],
]

function isRequests({ name }: Sample): boolean {
  return /requests?\w*total/i.test(name)
}

function isResponses({ name, labels }: Sample): boolean {
  return /responses?\w*total/i.test(name) && /status\w*=/i.test(labels)
}

/** Checks the metrics by themselves. @returns the samples, to check later whether they count. */
export async function checkMetrics(service: ServiceClient): Promise<Exposition> {
  const { judge } = service
  const { status, type, text, location } = await probe(service, '/metrics')
  const sound = status === 200 && EXPOSITION_TYPE.test(type)
  judge.expect('metrics', sound, location, `answers ${status} as ${type}`)
  const page = readExposition(text)
  const faults = page.faults.slice(0, 5).join('; ')
  judge.expect('metrics-format', faults === '', location, faults)
  for (const [figure, isOne] of FIGURES) {
    const matching = page.samples.filter(isOne)
    judge.expect('metrics', matching.length > 0, location, `has no ${figure}`)
    // A quantile without observations is NaN.
    const isBelow = matching.some(({ value }) => value < 0)
    judge.expect('metrics', !isBelow, location, `has ${figure} below 0`)
  }
  return page
}

/** Checks whether every request between two readings of the metrics was counted. */
export function checkRequestCounts(
  service: ServiceClient,
  before: Exposition,
  after: Exposition,
  asked: ReadonlyMap<number, number>,
): void {
  const location = { where: `${service.root}/metrics` }
  const grown = (isOne: (sample: Sample) => boolean) => sum(after, isOne) - sum(before, isOne)
  const counts = (what: string, isOne: (sample: Sample) => boolean, answers: number) => {
    const detail = `${what} grew by ${grown(isOne)} over ${answers} requests`
    service.judge.expect('metrics-count', grown(isOne) >= answers, location, detail)
  }
  const all = [...asked.values()].reduce((a, b) => a + b, 0)
  counts('request totals', isRequests, all)
  for (const [status, answers] of asked) {
    // A status may be counted by class, such as 4xx.
    const counted = new RegExp(`"(?:${status}|${String(status)[0]}xx)"`, 'i')
    const isStatus = (sample: Sample) => isResponses(sample) && counted.test(sample.labels)
    counts(`totals of status ${status}`, isStatus, answers)
  }
}

function sum({ samples }: Exposition, isOne: (sample: Sample) => boolean): number {
  return samples.filter(isOne).reduce((total, { value }) => total + value, 0)
}

/** One line of metrics. */
interface Sample {
  readonly name: string
  /** As written, with its braces; empty without labels. */
  readonly labels: string
  readonly value: number
}

/** Metrics in text exposition format 0.0.4, and the faults in them. */
interface Exposition {
  readonly samples: readonly Sample[]
  readonly faults: readonly string[]
}

const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`
const SAMPLE = new RegExp(
  String.raw`^([a-zA-Z_:][\w:]*)[ \t]*(\{[ \t]*(?:${LABEL}[ \t]*,[ \t]*)*(?:${LABEL}[ \t]*)?\})?[ \t]+(\S+)(?:[ \t]+-?\d+)?[ \t]*$`,
)
const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|NaN|[+-]?Inf)$/i
const HELP = /^# HELP ([a-zA-Z_:][\w:]*)(?: .*)?$/
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/
/** Suffixes of histograms and summaries. */
const SUFFIX = /_(?:bucket|sum|count)$/

/** Parses metrics line by line; an invalid line gives no sample. */
function readExposition(text: string): Exposition {
  const faults: string[] = []
  const samples: Sample[] = []
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const seen = new Set<string>()
  const named = new Set<string>()
  if (!text.endsWith('\n')) faults.push('the last line has no line feed')
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const fault = (why: string) => faults.push(`line ${index + 1}: ${why}`)
    if (/^# ?HELP\b/.test(line)) {
      const name = HELP.exec(line)?.[1]
      if (name === undefined || helped.has(name)) fault('a HELP that is malformed or repeated')
      else helped.add(name)
    } else if (/^# ?TYPE\b/.test(line)) {
      const [, name = '', type = ''] = TYPE.exec(line) ?? []
      if (name === '' || types.has(name)) fault('a TYPE that is malformed or repeated')
      else if (named.has(name)) fault(`the TYPE of ${name} comes after its figures`)
      else types.set(name, type)
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
      const series = name + labels
      if (name === '' || !NUMBER.test(value)) fault('is not a figure')
      else if (seen.has(series)) fault(`${series} is repeated`)
      else {
        const sample = { name, labels, value: Number(value.replace(/inf$/i, 'Infinity')) }
        if (types.get(name) === 'counter' && !(sample.value >= 0)) fault('a counter below 0')
        samples.push(sample)
      }
      seen.add(series)
      named.add(name).add(name.replace(SUFFIX, ''))
    }
  }
  return { samples, faults }
}
