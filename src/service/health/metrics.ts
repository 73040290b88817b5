import { Counter, Gauge, type Metric, Registry } from 'prom-client'
import { LatencyWindow } from './latency.js'

const P95 = 0.95

/**
 * Counts of the /v1 routes, in memory and of this process alone. Probes are not counted: they would
 * drown the figures of the readers. Counting is adding to a number; Prometheus' forms are made when
 * somebody asks.
 */
export class Metrics {
  requests = 0
  historyReadFailures = 0
  auditFailures = 0
  auditDropped = 0
  private readonly responses = new Map<number, number>()
  private readonly latency = new LatencyWindow()
  private readonly registry = new Registry()

  constructor(private readonly clock: () => number) {
    this.registry.registerMetric(this.latencySummary())
    const counter = (name: string, help: string, read: () => number) =>
      this.countOf(name, help, [], (count) => count.inc(read()))
    counter('forecast_api_requests_total', 'Requests to the forecast API.', () => this.requests)
    this.countOf('forecast_api_responses_total', 'Responses by status.', ['status'], (count) => {
      for (const [status, total] of this.responses) count.inc({ status: String(status) }, total)
    })
    counter(
      'forecast_api_history_read_failures_total',
      'Requests that found the history or the health state unreadable.',
      () => this.historyReadFailures,
    )
    counter(
      'forecast_api_audit_write_failures_total',
      'Failed writes of the read-audit log.',
      () => this.auditFailures,
    )
    counter(
      'forecast_api_audit_lines_dropped_total',
      'Lines of the read-audit log that were lost.',
      () => this.auditDropped,
    )
    this.processMetrics()
  }

  /** Counts an answered request. @param seconds from its arrival to its answer. */
  observe(status: number, seconds: number): void {
    this.requests++
    this.responses.set(status, (this.responses.get(status) ?? 0) + 1)
    this.latency.observe(seconds, this.clock())
  }

  /** The page in text exposition format 0.0.4. */
  render(): Promise<string> {
    return this.registry.metrics()
  }

  get contentType(): string {
    return Registry.PROMETHEUS_CONTENT_TYPE
  }

  private countOf(
    name: string,
    help: string,
    labelNames: string[],
    fill: (counter: Counter) => void,
  ): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset()
        fill(this)
      },
    })
  }

  /** A summary whose quantile is read from the latency window. */
  private latencySummary(): Metric {
    const name = 'forecast_api_request_latency_seconds'
    const get = async () => ({
      name,
      help: 'Latency of requests; the quantile is of the last ten minutes.',
      type: 'summary',
      aggregator: 'sum',
      values: [
        { labels: { quantile: P95 }, value: this.latency.quantile(P95, this.clock()) },
        { metricName: `${name}_sum`, labels: {}, value: this.latency.sum },
        { metricName: `${name}_count`, labels: {}, value: this.latency.count },
      ],
    })
    return { name, get, reset() {} } as unknown as Metric
  }

  private processMetrics(): void {
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(read())
        },
      })
    this.countOf('process_cpu_seconds_total', 'User and system CPU time spent.', [], (count) => {
      const { user, system } = process.cpuUsage()
      count.inc((user + system) / 1e6)
    })
    const started = Math.floor(Date.now() / 1000 - process.uptime())
    gauge('process_start_time_seconds', 'Start of the process, Unix time.', () => started)
    gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
    gauge('process_heap_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
  }
}
