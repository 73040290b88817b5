import { performance } from 'node:perf_hooks'
import { ForeproofError } from '../../contract/error.js'
import { MICROS_PER_SECOND } from '../../contract/instant.js'
import type { HealthData } from '../../contract/types.js'
import { asciiJson } from '../../forecast/ascii.js'
import type { HistoryReader } from '../../history/store/types.js'
import { healthAt, type ReadableHistory, reportOf, requireAvailable } from '../health/health.js'
import { headerOf, type ServiceRequest, type ServiceResponse } from '../http/http.js'
import { errorResponse, jsonResponse } from '../http/respond.js'
import { type RequestTarget, splitTarget } from '../http/target.js'
import { type Caller, type KeyRing, NOBODY } from '../keys/keys.js'
import type { FailureLimit } from '../limiter/failures.js'
import type { Limiter, RateLimitResult } from '../limiter/limiter.js'
import { type ForecastBodies, healthBody } from './bodies.js'
import { invalidRequest, RequestFault } from './fault.js'
import { readPageRequest, refuseParameters } from './filters.js'
import type { ForecastPages } from './pages.js'
import type { RequestSnapshot, SnapshotSource } from './snapshot.js'
import { validateRequest } from './validate.js'

export interface ApiParts {
  readonly keys: KeyRing
  readonly limiter: Limiter
  readonly failures: FailureLimit
  readonly reader: HistoryReader
  readonly snapshots: SnapshotSource
  readonly pages: ForecastPages
  readonly bodies: ForecastBodies
  readonly staleAfterSeconds: number
  /** Told of what went wrong behind a 500 or a 503, with nothing that a client sent. */
  readonly failed: (status: 500 | 503, cause: unknown) => void
  /** Told of what a request could use. */
  readonly sound: (what: 'history' | 'health report') => void
}

/** An answer, and who asked. */
export interface Answer {
  readonly response: ServiceResponse
  readonly caller: Caller
}

/** The state of what is served, for those who run the service. */
export interface DataState {
  /** What health would say. */
  readonly healthy: boolean
  /** Of the newest origin, below 0 where it lies ahead; undefined for a history that is empty or cannot be read. */
  readonly ageSeconds: number | undefined
}

interface Content {
  readonly body: string | Buffer
  readonly forecastIds: string
}

/** The routes under /v1, and every path that is none: requests in, responses out. */
export class ForecastApi {
  constructor(private readonly parts: ApiParts) {}

  /** @param client address that the request came from. */
  async answer(request: ServiceRequest, client: string): Promise<Answer> {
    let caller = NOBODY
    let verdict: RateLimitResult | undefined
    try {
      validateRequest(request)
      caller = this.callerOf(request)
      if (!caller.accepted || caller.fingerprint === undefined) throw this.unauthorised(client)
      const { fingerprint, key } = caller
      verdict = await this.parts.limiter.take(fingerprint, performance.now(), key?.rateLimit)
      if (!verdict.admitted) {
        throw new RequestFault(429, 'Too many requests.', verdict.resetSeconds)
      }
      const { body, forecastIds } = await this.route(splitTarget(request.target))
      return { caller, response: jsonResponse(200, body, this.quota(verdict, caller), forecastIds) }
    } catch (cause) {
      // The audit names the key also where it was not asked for yet.
      if (caller === NOBODY) caller = this.callerOf(request)
      return { caller, response: errorResponse(this.faultOf(cause), this.quota(verdict, caller)) }
    }
  }

  private callerOf(request: ServiceRequest): Caller {
    return this.parts.keys.identify(headerOf(request, 'authorization'), Date.now())
  }

  /**
   * A key that is accepted opens from any address, however many failed from there: a random key cannot be
   * guessed at any rate, and whoever shares an address could lock its neighbours out.
   */
  private unauthorised(client: string): RequestFault {
    const wait = this.parts.failures.take(client, performance.now())
    if (wait !== undefined) {
      return new RequestFault(429, 'Too many requests without a valid API key.', wait)
    }
    return new RequestFault(401, 'A valid API key is required: Authorization: Bearer <key>.')
  }

  private route({ path, query }: RequestTarget): Promise<Content> {
    switch (path) {
      case '/v1/forecasts/latest':
        return this.latest(query)
      case '/v1/forecasts':
        return this.history(query)
      case '/v1/health':
        return this.health(query)
      default:
        throw invalidRequest('This route does not exist.')
    }
  }

  private async latest(query: string): Promise<Content> {
    refuseParameters(query)
    const snapshot = this.availableSnapshot()
    const latest = await this.parts.pages.latest(snapshot)
    this.parts.sound('history')
    if (latest === undefined) throw new RequestFault(404, 'The history holds no forecast yet.')
    return {
      body: this.parts.bodies.latest(latest, snapshot.now),
      forecastIds: asciiJson([latest.id]),
    }
  }

  private async history(query: string): Promise<Content> {
    const request = readPageRequest(query)
    const snapshot = this.availableSnapshot()
    const page = await this.parts.pages.page(snapshot, query, request)
    this.parts.sound('history')
    return { body: this.parts.bodies.page(page, snapshot.now), forecastIds: page.ids }
  }

  /** @throws {RequestFault} 503 where the health report says so, or is none. */
  private availableSnapshot(): RequestSnapshot {
    const snapshot = this.parts.snapshots.take()
    requireAvailable(snapshot)
    this.parts.sound('health report')
    return snapshot
  }

  private async health(query: string): Promise<Content> {
    refuseParameters(query)
    const snapshot = this.parts.snapshots.take()
    reportOf(snapshot)
    return { body: healthBody(await this.healthAt(snapshot)), forecastIds: '[]' }
  }

  /** What /readyz and /metrics say of the data. */
  async data(): Promise<DataState> {
    const snapshot = this.parts.snapshots.take()
    const history = await this.readable()
    const origin = history?.newest
    const ageSeconds =
      origin === undefined ? undefined : (snapshot.now - origin) / MICROS_PER_SECOND
    return { healthy: this.isHealthy(snapshot, history), ageSeconds }
  }

  private isHealthy(snapshot: RequestSnapshot, history: ReadableHistory | undefined): boolean {
    try {
      return healthAt(snapshot, history, this.parts.staleAfterSeconds).status === 'healthy'
    } catch {
      return false
    }
  }

  private async healthAt(snapshot: RequestSnapshot): Promise<HealthData> {
    return healthAt(snapshot, await this.readable(), this.parts.staleAfterSeconds)
  }

  private async readable(): Promise<ReadableHistory | undefined> {
    try {
      const newest = await this.parts.reader.newestOrigin()
      this.parts.sound('history')
      return { newest }
    } catch (error) {
      this.parts.failed(503, error)
      return undefined
    }
  }

  /** Headers of draft-ietf-httpapi-ratelimit-headers: what is left, and when a place comes free. */
  private quota(verdict: RateLimitResult | undefined, { key }: Caller): string[] {
    if (verdict === undefined) return []
    const { limit, windowSeconds } = this.parts.limiter
    const policy = `"default";q=${key?.rateLimit ?? limit};w=${windowSeconds}`
    const state = `"default";r=${verdict.remaining};t=${verdict.resetSeconds}`
    return ['RateLimit-Policy', policy, 'RateLimit', state]
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
