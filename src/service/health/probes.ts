import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { invalidRequest } from '../api/fault.js'
import type { ForecastRoutes } from '../api/routes.js'
import {
  malformedResponse,
  type Reply,
  type RequestHandler,
  type ServiceRequest,
  type ServiceResponse,
  textResponse,
  toErrorResponse,
} from '../http/http.js'
import { splitTarget } from '../http/target.js'
import type { Metrics } from './metrics.js'

const PATHS: readonly string[] = ['/livez', '/readyz', '/metrics']

/**
 * The routes for operators, without key, media type, limit and audit. Monitors may use HEAD, and queries, which are
 * ignored.
 */
export class Probes {
  /** Set when the service begins to stop, so that no new work is sent to it. */
  stopping = false

  constructor(
    private readonly routes: ForecastRoutes,
    private readonly metrics: Metrics,
  ) {}

  /** Undefined for other requests; the API rejects other methods. */
  answer(request: ServiceRequest): Promise<ServiceResponse> | undefined {
    const { path } = splitTarget(request.target)
    const isProbe = PATHS.includes(path) && ['GET', 'HEAD'].includes(request.method)
    return isProbe ? this.probe(path, request) : undefined
  }

  private async probe(path: string, request: ServiceRequest): Promise<ServiceResponse> {
    if (request.hasBody) throw invalidRequest('A request must not have a body.')
    if (path === '/livez') return textResponse(200, 'ok\n')
    if (path === '/metrics') {
      const { ready, ageSeconds } = await this.routes.data()
      this.metrics.setData(ready && !this.stopping, ageSeconds)
      return textResponse(200, await this.metrics.render(), Registry.PROMETHEUS_CONTENT_TYPE)
    }
    const ready = !this.stopping && (await this.routes.data()).ready
    return ready ? textResponse(200, 'ready\n') : textResponse(503, 'not ready\n')
  }
}

/** The service on the port for probes. Its requests are not counted or audited. */
export class ProbeService implements RequestHandler {
  constructor(private readonly probes: Probes) {}

  async handle(request: ServiceRequest): Promise<Reply> {
    const answer = await this.probes.answer(request)?.catch(toErrorResponse)
    return { response: answer ?? textResponse(404, 'not found\n'), requestId: randomUUID() }
  }

  malformed(): Reply {
    return { response: malformedResponse(), requestId: randomUUID() }
  }
}
