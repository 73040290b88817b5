import { performance } from 'node:perf_hooks'
import { ForeproofError } from '../../contract/error.js'
import { decimal } from '../../forecast/digits.js'
import type { HistoryVersion } from '../../history/store/types.js'
import { healthAt, type Newest, reportOf, requireAvailable } from '../health/health.js'
import { headerOf, type ServiceRequest, type ServiceResponse } from '../http/http.js'
import { errorResponse, jsonResponse } from '../http/respond.js'
import { splitTarget, type Target } from '../http/target.js'
import { type Caller, type KeyRing, NOBODY } from '../keys/keys.js'
import type { SlidingWindow, Verdict } from '../limiter/limiter.js'
import { healthBody } from './bodies.js'
import { invalidRequest, RequestFault } from './fault.js'
import { readPageRequest, refuseParameters } from './filters.js'
import type { Forecasts } from './forecasts.js'
import type { Moment, Moments } from './moment.js'
import type { Renderer } from './render.js'
import { validateRequest } from './validate.js'

export interface ApiParts {
  readonly keys: KeyRing
  readonly limiter: SlidingWindow
  readonly moments: Moments
  readonly forecasts: Forecasts
  readonly renderer: Renderer
  readonly staleAfterSeconds: number
  /** Told of what went wrong behind a 500 or a 503, with nothing that a client sent. */
  readonly failed: (status: 500 | 503, cause: unknown) => void
}

/** An answer, and who asked. */
export interface Answer {
  readonly response: ServiceResponse
  readonly caller: Caller
}

interface Content {
  readonly body: string | Buffer
  readonly forecastIds: string
}

/** The routes under /v1, and every path that is none: requests in, responses out. */
export class ForecastApi {
  private readonly policy: string

  constructor(private readonly parts: ApiParts) {
    const { limit, windowSeconds } = parts.limiter
    this.policy = `"default";q=${limit};w=${windowSeconds}`
  }

  async answer(request: ServiceRequest): Promise<Answer> {
    let caller = NOBODY
    let verdict: Verdict | undefined
    try {
      validateRequest(request)
      caller = this.parts.keys.identify(headerOf(request, 'authorization'))
      if (!caller.accepted || caller.fingerprint === undefined) {
        throw new RequestFault(401, 'A valid API key is required: Authorization: Bearer <key>.')
      }
      verdict = this.parts.limiter.take(caller.fingerprint, performance.now())
      if (!verdict.admitted) {
        throw new RequestFault(429, 'Too many requests.', verdict.resetSeconds)
      }
      const { body, forecastIds } = await this.route(splitTarget(request.target))
      return { caller, response: jsonResponse(200, body, this.quota(verdict), forecastIds) }
    } catch (cause) {
      // The audit names the key also where it was not asked for yet.
      if (caller === NOBODY) {
        caller = this.parts.keys.identify(headerOf(request, 'authorization'))
      }
      return { caller, response: errorResponse(this.faultOf(cause), this.quota(verdict)) }
    }
  }

  private async route({ path, query }: Target): Promise<Content> {
    switch (path) {
      case '/v1/forecasts/latest':
        return this.latest(query)
      case '/v1/forecasts':
        return this.history(query)
      case '/v1/health':
        return this.health(query)
      default:
        throw invalidRequest('There is no such route.')
    }
  }

  private async latest(query: string): Promise<Content> {
    refuseParameters(query)
    const { forecasts, renderer } = this.parts
    const [moment, version] = await this.available()
    const part = await forecasts.latest(version)
    if (part === undefined) throw new RequestFault(404, 'The history holds no forecast yet.')
    return { body: renderer.latest(part, moment.now), forecastIds: part.id }
  }

  private async history(query: string): Promise<Content> {
    const { forecasts, renderer } = this.parts
    // What led to a page before is well-formed: it need not be read again.
    const kept = forecasts.kept(query)
    const request = kept === undefined ? readPageRequest(query) : undefined
    const [moment, version] = await this.available()
    const page =
      kept !== undefined && forecasts.isCurrent(version)
        ? kept
        : await forecasts.page(version, query, request ?? readPageRequest(query))
    return { body: renderer.page(page, moment.now), forecastIds: page.ids }
  }

  private async health(query: string): Promise<Content> {
    refuseParameters(query)
    const moment = await this.parts.moments.now()
    reportOf(moment)
    const health = healthAt(moment, await this.newest(moment), this.parts.staleAfterSeconds)
    return { body: healthBody(health), forecastIds: '' }
  }

  /** An answer with these bytes was written to the last of them. */
  wrote(body: Buffer): void {
    this.parts.renderer.wrote(body)
  }

  /** Whether /readyz may say so. */
  async ready(): Promise<boolean> {
    try {
      const moment = await this.parts.moments.now()
      const health = healthAt(moment, await this.newest(moment), this.parts.staleAfterSeconds)
      return health.status === 'healthy'
    } catch {
      return false
    }
  }

  private async newest(moment: Moment): Promise<Newest> {
    try {
      if ('error' in moment.history) throw moment.history.error
      return { origin: await this.parts.forecasts.newest(moment.history.version) }
    } catch (error) {
      this.parts.failed(503, error)
      return { error }
    }
  }

  /** @throws {RequestFault} 503 */
  private async available(): Promise<[Moment, HistoryVersion]> {
    const moment = await this.parts.moments.now()
    requireAvailable(moment)
    if ('error' in moment.history) throw moment.history.error
    return [moment, moment.history.version]
  }

  /** Headers of draft-ietf-httpapi-ratelimit-headers: what is left, and when a place comes free. */
  private quota(verdict: Verdict | undefined): string[] {
    if (verdict === undefined) return []
    const { remaining, resetSeconds } = verdict
    const state = `"default";r=${decimal(remaining)};t=${decimal(resetSeconds)}`
    return ['RateLimit-Policy', this.policy, 'RateLimit', state]
  }

  private faultOf(cause: unknown): RequestFault {
    if (cause instanceof RequestFault) {
      if (cause.status === 503) this.parts.failed(503, cause)
      return cause
    }
    // What the reader throws on purpose is about the file; all else is our own fault.
    const status = cause instanceof ForeproofError && cause.code !== 'bug' ? 503 : 500
    this.parts.failed(status, cause)
    return status === 503
      ? new RequestFault(503, 'The forecast history cannot be read.')
      : new RequestFault(500, 'The request failed unexpectedly.')
  }
}
