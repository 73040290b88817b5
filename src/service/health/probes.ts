import { Registry } from 'prom-client'
import type { ForecastApi } from '../api/api.js'
import { invalidRequest } from '../api/fault.js'
import type { ServiceRequest, ServiceResponse } from '../http/http.js'
import { textResponse } from '../http/respond.js'
import { splitTarget } from '../http/target.js'
import type { Metrics } from './metrics.js'

const PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * The routes for those who run the service: no key, no media type, no limit, no audit. Monitors ask with
 * HEAD, and with queries of their own, which mean nothing here.
 */
export class Probes {
  /** Set when the service has begun to stop: no new work should be sent to it. */
  stopping = false

  constructor(
    private readonly api: ForecastApi,
    private readonly metrics: Metrics,
  ) {}

  /** Undefined for a request that is not for a probe; any other method is for the API to refuse. */
  answer(request: ServiceRequest): Promise<ServiceResponse> | undefined {
    const { path } = splitTarget(request.target)
    if (!PATHS.has(path) || !METHODS.has(request.method)) return undefined
    return this.probe(path, request)
  }

  private async probe(path: string, request: ServiceRequest): Promise<ServiceResponse> {
    if (request.hasBody) throw invalidRequest('A request must not have a body.')
    if (path === '/livez') return textResponse(200, 'ok\n')
    if (path === '/metrics') {
      const { healthy, ageSeconds } = await this.api.data()
      this.metrics.setData(healthy && !this.stopping, ageSeconds)
      return textResponse(200, await this.metrics.render(), Registry.PROMETHEUS_CONTENT_TYPE)
    }
    const ready = !this.stopping && (await this.api.data()).healthy
    return ready ? textResponse(200, 'ready\n') : textResponse(503, 'not ready\n')
  }
}
