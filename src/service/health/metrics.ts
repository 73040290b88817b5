import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client'
import type { AcceptedKey, Caller } from '../keys/keys.js'

const WINDOW_SECONDS = 600

/** The routes that are told apart; every other path is `other`. */
export const ROUTES: ReadonlySet<string> = new Set([
  '/v1/forecasts',
  '/v1/forecasts/latest',
  '/v1/health',
])
const OTHER = 'other'

/**
 * Counts of the /v1 routes, in memory and of this process alone. Probes are not counted: they would
 * drown the figures of the readers.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #latency = new Summary({
    name: 'forecast_api_request_latency_seconds',
    help: 'Latency of requests; the quantile is of the last ten minutes.',
    percentiles: [0.95],
    maxAgeSeconds: WINDOW_SECONDS,
    ageBuckets: 3,
    registers: [this.#registry],
  })
  /** Beside the summary, which is the specification's: quantiles of several replicas cannot be added up. */
  readonly #routes = new Histogram({
    name: 'forecast_api_route_latency_seconds',
    help: 'Latency of requests by route; replicas can be added up.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
    registers: [this.#registry],
  })
  readonly #requests = counter(this.#registry, 'requests_total', 'Requests to the forecast API.')
  readonly #responses = counter(this.#registry, 'responses_total', 'Responses by status.', [
    'status',
  ])
  readonly historyReadFailures = counter(
    this.#registry,
    'history_read_failures_total',
    'Requests that found the history or the health state unreadable.',
  )
  readonly auditFailures = counter(
    this.#registry,
    'audit_write_failures_total',
    'Failed writes of the read-audit log.',
  )
  readonly auditDropped = counter(
    this.#registry,
    'audit_lines_dropped_total',
    'Lines of the read-audit log that were lost.',
  )
  readonly auditRemoved = counter(
    this.#registry,
    'audit_lines_rotated_away_total',
    'Lines of the read-audit log that were removed with a rotated file.',
  )
  readonly #age = gauge(
    this.#registry,
    'newest_origin_age_seconds',
    'Age of the newest origin; NaN for a history that is empty or cannot be read.',
  )
  readonly #worker = gauge(
    this.#registry,
    'worker_info',
    'The worker that this page is of, where there are several: each counts for itself.',
    ['worker'],
  )
  readonly #ready = gauge(this.#registry, 'ready', 'Whether /readyz says ready: 1 or 0.')
  readonly keys = new KeyMetrics(this.#registry)

  constructor() {
    for (const route of [...ROUTES, OTHER]) this.#routes.zero({ route })
    registerProcess(this.#registry)
  }

  /** Figures of a shared limiter; there are none without it. */
  limiter(): LimiterMetrics {
    return new LimiterMetrics(this.#registry)
  }

  /** Counts an answered request. @param seconds from its arrival to its answer. */
  observe(path: string, status: number, seconds: number, caller: Caller): void {
    this.#requests.inc()
    this.#responses.inc({ status })
    this.#latency.observe(seconds)
    this.#routes.observe({ route: ROUTES.has(path) ? path : OTHER }, seconds)
    this.keys.observe(status, caller)
  }

  /** @param ageSeconds of the newest origin, where there is one. */
  setData(ready: boolean, ageSeconds: number | undefined): void {
    this.#ready.set(ready ? 1 : 0)
    this.#age.set(ageSeconds ?? Number.NaN)
  }

  /** Says on the page which one of several workers it is of. */
  setWorker(worker: number): void {
    this.#worker.set({ worker: String(worker) }, 1)
  }

  /** The page in text exposition format 0.0.4. */
  render(): Promise<string> {
    return this.#registry.metrics()
  }
}

/** Figures of a limiter that is shared. */
export class LimiterMetrics {
  readonly shared: Gauge
  readonly fallbacks: Counter

  constructor(registry: Registry) {
    this.shared = gauge(
      registry,
      'limiter_shared',
      'Whether requests are counted in the shared limiter: 1, or 0 where this process counts alone.',
    )
    this.fallbacks = counter(
      registry,
      'limiter_fallbacks_total',
      'Requests that this process counted alone, because the shared limiter could not be used.',
    )
  }
}

/** Figures of the keys; a label is the name of a key of the keys file, of which there are a thousand at most. */
class KeyMetrics {
  readonly broken: Gauge
  readonly #failures: Counter
  readonly #requests: Counter
  readonly #refused: Counter
  readonly #expiry: Gauge
  #accepted: () => readonly AcceptedKey[] = () => []
  #names: ReadonlySet<string> = new Set()

  constructor(registry: Registry) {
    const name = 'forecast_api_keys'
    collected(registry, name, 'Keys that are accepted now.', () => this.#accepted().length)
    this.broken = gauge(
      registry,
      'keys_file_broken',
      'Whether the keys file is missing or at fault, so that former keys are in force: 1 or 0.',
    )
    this.#failures = counter(
      registry,
      'authentication_failures_total',
      'Requests without an accepted key, answered 401 or, beyond the limit of their address, 429.',
    )
    this.#requests = counter(
      registry,
      'key_requests_total',
      'Requests with a key of the keys file, by its name.',
      ['key'],
    )
    this.#refused = counter(
      registry,
      'key_limited_total',
      'Requests beyond the limit of their key, by its name.',
      ['key'],
    )
    this.#expiry = gauge(
      registry,
      'key_expiry_timestamp_seconds',
      'When a key of the keys file expires, Unix time, by its name.',
      ['key'],
    )
  }

  /** Has the accepted keys counted whenever they are asked for. */
  count(accepted: () => readonly AcceptedKey[]): void {
    this.#accepted = accepted
  }

  /** These named keys are in force now; figures of others are forgotten. */
  name(keys: readonly AcceptedKey[]): void {
    const names = new Set(keys.flatMap(({ name }) => name ?? []))
    for (const key of this.#names) {
      if (names.has(key)) continue
      this.#requests.remove({ key })
      this.#refused.remove({ key })
    }
    this.#names = names
    this.#expiry.reset()
    for (const { name, expiresAt } of keys) {
      if (name === undefined) continue
      // A counter that begins with its first request hides it from `increase`.
      this.#requests.inc({ key: name }, 0)
      this.#refused.inc({ key: name }, 0)
      if (expiresAt !== undefined) this.#expiry.set({ key: name }, expiresAt / 1000)
    }
  }

  /** Counts an answered request. */
  observe(status: number, { accepted, key }: Caller): void {
    if (!accepted) {
      if (status === 401 || status === 429) this.#failures.inc()
      return
    }
    const name = key?.name
    // A request may be answered after its key was removed.
    if (name === undefined || !this.#names.has(name)) return
    this.#requests.inc({ key: name })
    if (status === 429) this.#refused.inc({ key: name })
  }
}

function registerProcess(registry: Registry): void {
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  const started = Math.floor(Date.now() / 1000 - process.uptime())
  const figures: [string, string, () => number][] = [
    ['start_time_seconds', 'Start of the process, Unix time.', () => started],
    ['resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
    ['heap_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed],
  ]
  for (const [name, help, read] of figures) collected(registry, `process_${name}`, help, read)
}

/** A figure that is read whenever the page is asked for. */
function collected(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

function counter(registry: Registry, name: string, help: string, labelNames: string[] = []) {
  return new Counter({ name: `forecast_api_${name}`, help, labelNames, registers: [registry] })
}

function gauge(registry: Registry, name: string, help: string, labelNames: string[] = []) {
  return new Gauge({ name: `forecast_api_${name}`, help, labelNames, registers: [registry] })
}
