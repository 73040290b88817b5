import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client'
import type { Caller } from '../keys/keys.js'
import { KeyMetrics } from './key-metrics.js'
import { LimiterMetrics } from './limiter-metrics.js'

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
  readonly #requests = this.#counter('requests_total', 'Requests to the forecast API.')
  readonly #responses = this.#counter('responses_total', 'Responses by status.', ['status'])
  readonly historyReadFailures = this.#counter(
    'history_read_failures_total',
    'Requests that found the history or the health state unreadable.',
  )
  readonly auditFailures = this.#counter(
    'audit_write_failures_total',
    'Failed writes of the read-audit log.',
  )
  readonly auditDropped = this.#counter(
    'audit_lines_dropped_total',
    'Lines of the read-audit log that were lost.',
  )
  readonly auditRemoved = this.#counter(
    'audit_lines_rotated_away_total',
    'Lines of the read-audit log that were removed with a rotated file.',
  )

  readonly #age = this.#gauge(
    'newest_origin_age_seconds',
    'Age of the newest origin; NaN for a history that is empty or cannot be read.',
  )
  readonly #worker = this.#gauge(
    'worker_info',
    'The worker that this page is of, where there are several: each counts for itself.',
    ['worker'],
  )
  readonly #ready = this.#gauge('ready', 'Whether /readyz says ready: 1 or 0.')
  readonly keys = new KeyMetrics(this.#registry)

  constructor() {
    for (const route of [...ROUTES, OTHER]) this.#routes.zero({ route })
    this.#registerProcess()
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

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({
      name: `forecast_api_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
    })
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    const registers = [this.#registry]
    return new Gauge({ name: `forecast_api_${name}`, help, labelNames, registers })
  }

  #registerProcess(): void {
    const registers = [this.#registry]
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
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
    gauge('process_start_time_seconds', 'Start of the process, Unix time.', () => started)
    gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
    gauge('process_heap_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
  }
}
