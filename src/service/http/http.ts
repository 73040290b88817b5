import { MEDIA_TYPE } from '../../contract/limits.js'
import { errorBody } from '../api/bodies.js'
import { invalidRequest, RequestFault } from '../api/fault.js'

/**
 * A request as plain values, so that tests can make one. Header names are in lower case; repeated headers are joined
 * with `, `.
 */
export interface ServiceRequest {
  readonly method: string
  /** The request target as sent: path and query, or the absolute form. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Whether a body has at least one byte. */
  readonly hasBody: boolean
  /** Whether the host is required (HTTP/1.1 and later). */
  readonly hostRequired: boolean
}

/** The response of a handler. */
export interface ServiceResponse {
  readonly status: number
  /** Name, value, name, value: the form that node:http writes without conversion. */
  readonly headers: readonly string[]
  /** In ASCII. */
  readonly body: string | Buffer
  /** Of the forecasts in it, for the audit: a JSON array of strings, in ASCII. */
  readonly forecastIds: string
}

/** A response with the id that it shares with its audit line. */
export interface Reply {
  readonly response: ServiceResponse
  readonly requestId: string
}

/** Handles requests. */
export interface RequestHandler {
  /** @param peer address of the socket's other end. */
  handle(request: ServiceRequest, peer: string): Promise<Reply>
  /** The response to bytes that are not an HTTP request. */
  malformed(peer: string): Reply
}

/** One header as a single string, or undefined when it was not sent. */
export function getHeader(request: ServiceRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

/** A response of the JSON routes. @param body JSON in ASCII. */
export function jsonResponse(
  status: number,
  body: string | Buffer,
  extra: readonly string[] = [],
  forecastIds = '[]',
): ServiceResponse {
  return {
    status,
    headers: [...contentHeaders(MEDIA_TYPE, body.length), ...extra],
    body,
    forecastIds,
  }
}

export function errorResponse(fault: RequestFault, extra: readonly string[] = []): ServiceResponse {
  const headers = [...extra]
  if (fault.retryAfter !== undefined) headers.push('Retry-After', String(fault.retryAfter))
  if (fault.status === 401) headers.push('WWW-Authenticate', 'Bearer')
  return jsonResponse(fault.status, errorBody(fault.code, fault.message), headers)
}

/** A response of the probes. @param body in ASCII. */
export function textResponse(
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): ServiceResponse {
  const headers = contentHeaders(type, Buffer.byteLength(body))
  return { status, headers, body, forecastIds: '[]' }
}

function contentHeaders(type: string, length: number): string[] {
  return ['Content-Type', type, 'Cache-Control', 'no-store', 'Content-Length', String(length)]
}

export const malformedResponse = (): ServiceResponse =>
  errorResponse(invalidRequest('The request is not well-formed HTTP.'))

/** The response for a fault of a request. @throws any other cause. */
export function toErrorResponse(cause: unknown): ServiceResponse {
  if (cause instanceof RequestFault) return errorResponse(cause)
  throw cause
}
