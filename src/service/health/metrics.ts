import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client'
import type { AcceptedKey, Caller } from '../keys/keys.js'

const WINDOW_SECONDS = 600

/** The routes that have their own counts; every other path is `other`. */
export const ROUTES: ReadonlySet<string> = new Set([
  '/v1/forecasts',
  '/v1/forecasts/latest',
  '/v1/health',
])
const OTHER = 'other'

interface Figure {
  readonly kind: typeof Counter | typeof Gauge
  readonly help: string
  readonly label: string | undefined
}

const counter = (help: string, label?: string) => ({ kind: Counter, help, label })
const gauge = (help: string, label?: string) => ({ kind: Gauge, help, label })

/** Metrics by name, without the prefix `forecast_api_`. */
const FIGURES = {
  requests_total: counter('Requests to the forecast API.'),
  responses_total: counter('Responses by status.', 'status'),
  history_read_failures_total: counter(
    'Requests that found the history or the health state unreadable.',
  ),
  audit_write_failures_total: counter('Failed writes of the read-audit log.'),
  audit_lines_dropped_total: counter('Lines of the read-audit log that were lost.'),
  audit_lines_rotated_away_total: counter(
    'Lines of the read-audit log that were removed with a rotated file.',
  ),
  newest_origin_age_seconds: gauge(
    'Age of the newest origin; NaN for a history that is empty or cannot be read.',
  ),
  ready: gauge('Whether /readyz says ready: 1 or 0.'),
  keys: gauge('Keys that are accepted now.'),
  keys_file_broken: gauge(
    'Whether the keys file is missing or at fault, so that former keys are in force: 1 or 0.',
  ),
  authentication_failures_total: counter(
    'Requests without an accepted key, answered 401 or, beyond the limit of their address, 429.',
  ),
  // A label is the name of a key in the keys file, which has at most a thousand.
  key_requests_total: counter('Requests with a key of the keys file, by its name.', 'key'),
  key_limited_total: counter('Requests beyond the limit of their key, by its name.', 'key'),
  key_expiry_timestamp_seconds: gauge(
    'When a key of the keys file expires, Unix time, by its name.',
    'key',
  ),
}

/** Metrics that exist only with a shared limiter. */
const LIMITER_FIGURES = {
  limiter_shared: gauge(
    'Whether requests are counted in the shared limiter: 1, or 0 where this process counts alone.',
  ),
  limiter_fallbacks_total: counter(
    'Requests that this process counted alone, because the shared limiter could not be used.',
  ),
}

type FigureName = keyof typeof FIGURES | keyof typeof LIMITER_FIGURES
type Labels = Readonly<Record<string, string | number>>

/**
 * Counts of the /v1 routes in this process. Probes are not counted, because they would drown the requests of readers.
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
  /**
   * In addition to the summary that the specification requires, because quantiles of several replicas cannot be
   * combined.
   */
  readonly #routes = new Histogram({
    name: 'forecast_api_route_latency_seconds',
    help: 'Latency of requests by route; replicas can be added up.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
    registers: [this.#registry],
  })
  readonly #figures = new Map<FigureName, Counter | Gauge>()
  #accepted: () => readonly AcceptedKey[] = () => []
  #keyNames: ReadonlySet<string> = new Set()

  constructor() {
    this.#register(FIGURES)
    for (const route of [...ROUTES, OTHER]) this.#routes.zero({ route })
    registerProcess(this.#registry)
  }

  /** Adds the metrics of a shared limiter. */
  withLimiter(): this {
    this.#register(LIMITER_FIGURES)
    return this
  }

  count(name: FigureName, by = 1, labels: Labels = {}): void {
    this.#figures.get(name)?.inc(labels, by)
  }

  set(name: FigureName, value: number, labels: Labels = {}): void {
    const figure = this.#figures.get(name)
    if (figure instanceof Gauge) figure.set(labels, value)
  }

  /** Counts an answered request. @param seconds from its arrival to its answer. */
  observe(path: string, status: number, seconds: number, caller: Caller): void {
    this.count('requests_total')
    this.count('responses_total', 1, { status })
    this.#latency.observe(seconds)
    this.#routes.observe({ route: ROUTES.has(path) ? path : OTHER }, seconds)
    this.#observeKey(status, caller)
  }

  #observeKey(status: number, { accepted, key }: Caller): void {
    if (!accepted) {
      if (status === 401 || status === 429) this.count('authentication_failures_total')
      return
    }
    const name = key?.name
    // The key may have been removed before the request was answered.
    if (name === undefined || !this.#keyNames.has(name)) return
    this.count('key_requests_total', 1, { key: name })
    if (status === 429) this.count('key_limited_total', 1, { key: name })
  }

  /** Counts the accepted keys whenever the page is requested. */
  countKeys(accepted: () => readonly AcceptedKey[]): void {
    this.#accepted = accepted
  }

  /** Sets the named keys in force, and drops metrics of others. */
  nameKeys(keys: readonly AcceptedKey[]): void {
    const names = new Set(keys.flatMap(({ name }) => name ?? []))
    for (const key of this.#keyNames) {
      if (names.has(key)) continue
      this.#figures.get('key_requests_total')?.remove({ key })
      this.#figures.get('key_limited_total')?.remove({ key })
    }
    this.#keyNames = names
    this.#figures.get('key_expiry_timestamp_seconds')?.reset()
    for (const { name: key, expiresAt } of keys) {
      if (key === undefined) continue
      // Start counters at 0: otherwise `increase` does not see the first request.
      this.count('key_requests_total', 0, { key })
      this.count('key_limited_total', 0, { key })
      if (expiresAt !== undefined) {
        this.set('key_expiry_timestamp_seconds', expiresAt / 1000, { key })
      }
    }
  }

  /** @param ageSeconds of the newest origin, if any. */
  setData(ready: boolean, ageSeconds: number | undefined): void {
    this.set('ready', ready ? 1 : 0)
    this.set('newest_origin_age_seconds', ageSeconds ?? Number.NaN)
  }

  /** The page in text exposition format 0.0.4. */
  render(): Promise<string> {
    this.set('keys', this.#accepted().length)
    return this.#registry.metrics()
  }

  #register(figures: Partial<Record<FigureName, Figure>>): void {
    for (const [key, { kind: Kind, help, label }] of Object.entries(figures)) {
      const labelNames = label === undefined ? [] : [label]
      const name = `forecast_api_${key}`
      const figure = new Kind({ name, help, labelNames, registers: [this.#registry] })
      this.#figures.set(key as FigureName, figure)
    }
  }
}

function registerProcess(registry: Registry): void {
  const registers = [registry]
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  const started = Math.floor(Date.now() / 1000 - process.uptime())
  const createGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read())
      },
    })
  createGauge('process_start_time_seconds', 'Start of the process, Unix time.', () => started)
  createGauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  createGauge('process_heap_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
}
