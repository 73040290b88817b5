import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Answer, ForecastApi } from '../api/api.js'
import { invalidRequest, RequestFault } from '../api/fault.js'
import { auditLine } from '../audit/audit-line.js'
import type { AuditLog } from '../audit/audit-log.js'
import { type Metrics, ROUTES } from '../health/metrics.js'
import type { Probes } from '../health/probes.js'
import { NOBODY } from '../keys/keys.js'
import type { Redactor } from '../keys/redact.js'
import { Compressor, encodingFor } from './encoding.js'
import { headerOf, type ServiceRequest, type ServiceResponse } from './http.js'
import type { TrustedProxies } from './proxy.js'
import { errorResponse } from './respond.js'
import { splitTarget } from './target.js'

export interface ServiceParts {
  readonly api: ForecastApi
  readonly probes: Probes
  readonly metrics: Metrics
  readonly audit: AuditLog
  readonly redactor: Redactor
  readonly proxies: TrustedProxies
}

/** A response on its way out, with the id that it and its audit line share. */
export interface Reply {
  readonly response: ServiceResponse
  readonly requestId: string
}

/** What answers requests. */
export interface Answering {
  /** @param peer address of the socket's other end. */
  handle(request: ServiceRequest, peer: string): Promise<Reply>
  /** What is answered to bytes that are no HTTP request. */
  malformed(peer: string): Reply
}

const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,127}$/

/** Everything around an answer: its id, its audit line, its place in the metrics. */
export class Service implements Answering {
  /** No two runs share it; what follows it in an id counts the requests of this one. */
  private readonly run = randomBytes(12).toString('hex')
  private count = 0
  private readonly compressor = new Compressor()

  constructor(private readonly parts: ServiceParts) {}

  async handle(request: ServiceRequest, peer: string): Promise<Reply> {
    const started = performance.now()
    const requestId = this.idOf(headerOf(request, 'x-request-id'))
    const probe = this.parts.probes.answer(request)
    if (probe !== undefined) return { response: await probe.catch(refusalOf), requestId }
    const forwardedFor = headerOf(request, 'x-forwarded-for')
    const client = this.parts.proxies.clientOf(peer, forwardedFor)
    const answer = await this.parts.api.answer(request, client)
    const encoding = encodingFor(headerOf(request, 'accept-encoding'))
    const response = await this.compressor.encode(answer.response, encoding)
    this.record(request, client, answer, requestId, (performance.now() - started) / 1000)
    return { response, requestId }
  }

  /** They are counted and audited like a request. */
  malformed(peer: string): Reply {
    const requestId = this.idOf(undefined)
    const response = malformedResponse()
    const request = { method: '', target: '', headers: {}, hasBody: false, hostRequired: false }
    const client = this.parts.proxies.clientOf(peer, undefined)
    this.record(request, client, { response, caller: NOBODY }, requestId, 0)
    return { response, requestId }
  }

  /** The caller's own id where it is well-formed and, being echoed and logged, free of keys; else a new one. */
  private idOf(sent: string | undefined): string {
    const { redactor } = this.parts
    if (sent !== undefined && REQUEST_ID.test(sent) && !redactor.holdsKey(sent)) return sent
    this.count++
    return `${this.run}-${this.count}`
  }

  private record(
    request: ServiceRequest,
    client: string,
    { response, caller }: Answer,
    requestId: string,
    seconds: number,
  ): void {
    const { metrics, audit, redactor } = this.parts
    const { path } = splitTarget(request.target)
    metrics.observe(path, response.status, seconds, caller)
    const line = auditLine({
      timestamp: new Date().toISOString(),
      method: request.method,
      path: ROUTES.has(path) ? path : redactor.path(path),
      remoteAddress: client || undefined,
      status: response.status,
      latencySeconds: seconds,
      forecastIds: response.forecastIds,
      fingerprint: caller.fingerprint,
      keyName: caller.key?.name,
      requestId,
    })
    audit.append(line)
  }
}

export function malformedResponse(): ServiceResponse {
  return errorResponse(invalidRequest('The request is not well-formed HTTP.'))
}

export function refusalOf(cause: unknown): ServiceResponse {
  if (cause instanceof RequestFault) return errorResponse(cause)
  throw cause
}
