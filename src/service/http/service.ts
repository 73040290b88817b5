import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { ForeproofError } from '../../contract/error.js'
import { MEDIA_TYPE } from '../../contract/limits.js'
import { invalidRequest, RequestFault } from '../api/fault.js'
import type { ForecastRoutes } from '../api/routes.js'
import { type AuditLog, auditLine } from '../audit/audit-log.js'
import { type Metrics, ROUTES } from '../health/metrics.js'
import type { Probes } from '../health/probes.js'
import { type Caller, type KeyRing, NO_CALLER, type Redactor } from '../keys/keys.js'
import type { FailureLimit } from '../limiter/failures.js'
import type { Limiter, RateLimitResult } from '../limiter/limiter.js'
import {
  errorResponse,
  getHeader,
  jsonResponse,
  malformedResponse,
  type Reply,
  type RequestHandler,
  type ServiceRequest,
  type ServiceResponse,
  toErrorResponse,
} from './http.js'
import { acceptsMediaType, Compressor, encodingFor } from './negotiate.js'
import type { ResolveClient } from './proxy.js'
import { splitTarget } from './target.js'

interface ServiceParts {
  readonly keys: KeyRing
  readonly limiter: Limiter
  readonly failures: FailureLimit
  readonly routes: ForecastRoutes
  readonly probes: Probes
  readonly metrics: Metrics
  readonly audit: AuditLog
  readonly redactor: Redactor
  readonly resolveClient: ResolveClient
  /** Called with the cause of a 500 or 503, without anything that a client sent. */
  readonly failed: (status: 500 | 503, cause: unknown) => void
}

/** An answered request to the API, for metrics and audit. */
interface Answered {
  readonly request: ServiceRequest
  readonly requestId: string
  readonly client: string
  readonly caller: Caller
  readonly response: ServiceResponse
  readonly seconds: number
}

const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,127}$/
/** A host and maybe a port (RFC 9112, 3.2): a registered name, empty too, or an address in brackets (RFC 3986, 3.2.2). */
const HOST = /^(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*(?::\d*)?$|^\[[\da-f:.]+\](?::\d*)?$/i
/** The longest request target; real ones have a few hundred characters. */
const MAX_TARGET_CHARACTERS = 8192

/** Handles requests: the probes, and the API with keys, limits, metrics and audit. */
export class Service implements RequestHandler {
  /** Unique per run; request ids append a counter. */
  private readonly run = randomBytes(12).toString('hex')
  private count = 0
  private readonly compressor = new Compressor()

  constructor(private readonly parts: ServiceParts) {}

  async handle(request: ServiceRequest, peer: string): Promise<Reply> {
    const arrived = performance.now()
    const requestId = this.chooseId(getHeader(request, 'x-request-id'))
    const probe = this.parts.probes.answer(request)
    if (probe !== undefined) return { response: await probe.catch(toErrorResponse), requestId }

    const client = this.parts.resolveClient(peer, getHeader(request, 'x-forwarded-for'))
    // Look the key up first, so that the audit names it even if the request is rejected earlier.
    const caller = this.parts.keys.identify(getHeader(request, 'authorization'), Date.now())
    let quota: string[] = []
    let answer: ServiceResponse
    try {
      validate(request)
      const fingerprint = this.authenticate(caller, client)
      const limit = caller.key?.rateLimit
      const verdict = await this.parts.limiter.take(fingerprint, performance.now(), limit)
      quota = this.quotaHeaders(verdict, caller)
      if (!verdict.admitted) {
        throw new RequestFault(429, 'Too many requests.', verdict.resetSeconds)
      }
      const { body, forecastIds } = await this.parts.routes.read(splitTarget(request.target))
      answer = jsonResponse(200, body, quota, forecastIds)
    } catch (cause) {
      answer = errorResponse(this.toFault(cause), quota)
    }
    const encoding = encodingFor(getHeader(request, 'accept-encoding'))
    const response = await this.compressor.encode(answer, encoding)
    const seconds = (performance.now() - arrived) / 1000
    this.record({ request, requestId, client, caller, response, seconds })
    return { response, requestId }
  }

  /** They are counted and audited like a request. */
  malformed(peer: string): Reply {
    const requestId = this.chooseId(undefined)
    const response = malformedResponse()
    const request = { method: '', target: '', headers: {}, hasBody: false, hostRequired: false }
    const client = this.parts.resolveClient(peer, undefined)
    this.record({ request, requestId, client, caller: NO_CALLER, response, seconds: 0 })
    return { response, requestId }
  }

  /**
   * The caller's id if it is well-formed and contains no key (it is echoed and logged); otherwise a new one.
   */
  private chooseId(sent: string | undefined): string {
    const { redactor } = this.parts
    if (sent !== undefined && REQUEST_ID.test(sent) && !redactor.holdsKey(sent)) return sent
    this.count++
    return `${this.run}-${this.count}`
  }

  /**
   * An accepted key works from any address, even after many failures there: a random key cannot be guessed, and
   * otherwise a client could lock out others that share its address.
   * @returns the fingerprint of the key.
   * @throws {RequestFault} 401 or 429.
   */
  private authenticate({ accepted, fingerprint }: Caller, client: string): string {
    if (accepted && fingerprint !== undefined) return fingerprint
    const wait = this.parts.failures.take(client, performance.now())
    if (wait !== undefined) {
      throw new RequestFault(429, 'Too many requests without a valid API key.', wait)
    }
    throw new RequestFault(401, 'A valid API key is required: Authorization: Bearer <key>.')
  }

  /**
   * Headers of draft-ietf-httpapi-ratelimit-headers: remaining requests, and when one comes free.
   */
  private quotaHeaders({ remaining, resetSeconds }: RateLimitResult, { key }: Caller): string[] {
    const { limit, windowSeconds } = this.parts.limiter
    const policy = `"default";q=${key?.rateLimit ?? limit};w=${windowSeconds}`
    return ['RateLimit-Policy', policy, 'RateLimit', `"default";r=${remaining};t=${resetSeconds}`]
  }

  private toFault(cause: unknown): RequestFault {
    if (cause instanceof RequestFault) {
      if (cause.status === 503) this.parts.failed(503, cause)
      return cause
    }
    // Errors of the reader concern the history; any other error is a bug.
    const isOfFile = cause instanceof ForeproofError && cause.code !== 'bug'
    const [status, message] = isOfFile
      ? ([503, 'The forecast history cannot be read.'] as const)
      : ([500, 'The request failed unexpectedly.'] as const)
    this.parts.failed(status, cause)
    return new RequestFault(status, message)
  }

  private record({ request, requestId, client, caller, response, seconds }: Answered): void {
    const { metrics, audit, redactor } = this.parts
    const { path } = splitTarget(request.target)
    metrics.observe(path, response.status, seconds, caller)
    const line = auditLine({
      timestamp: new Date().toISOString(),
      method: request.method,
      path: ROUTES.has(path) ? path : redactor.path(path),
      remote_address: client || null,
      status: response.status,
      latency_seconds: seconds,
      forecast_ids: response.forecastIds,
      key_fingerprint: caller.fingerprint ?? null,
      key_name: caller.key?.name ?? null,
      request_id: requestId,
    })
    audit.append(line)
  }
}

/** Checks before the key: method, form and media type. @throws {RequestFault} 400 or 406. */
function validate(request: ServiceRequest): void {
  if (request.method !== 'GET') throw invalidRequest('Only GET is supported.')
  if (request.target.length > MAX_TARGET_CHARACTERS) throw invalidRequest('The URL is too long.')
  if (request.hasBody) throw invalidRequest('A request must not have a body.')
  const host = getHeader(request, 'host')
  if (request.hostRequired && host === undefined) {
    throw invalidRequest('The Host header is missing.')
  }
  if (host?.includes(',')) throw invalidRequest('The Host header occurs more than once.')
  if (host !== undefined && !HOST.test(host)) {
    throw invalidRequest('The Host header is not the name of a host with a port or without one.')
  }
  if (!acceptsMediaType(getHeader(request, 'accept'))) {
    throw new RequestFault(406, `Accept must allow ${MEDIA_TYPE}, the only representation.`)
  }
}
