import { MEDIA_TYPE } from '../../contract/limits.js'
import { errorBody } from '../api/bodies.js'
import type { RequestFault } from '../api/fault.js'
import type { ServiceResponse } from './http.js'

/** An answer of the JSON routes. @param body JSON in ASCII. */
export function jsonResponse(
  status: number,
  body: string | Buffer,
  extra: readonly string[] = [],
  forecastIds = '[]',
): ServiceResponse {
  const headers = [
    'Content-Type',
    MEDIA_TYPE,
    'Cache-Control',
    'no-store',
    'Content-Length',
    String(body.length),
    ...extra,
  ]
  return { status, headers, body, forecastIds }
}

export function errorResponse(fault: RequestFault, extra: readonly string[] = []): ServiceResponse {
  const headers = [...extra]
  if (fault.retryAfter !== undefined) headers.push('Retry-After', String(fault.retryAfter))
  if (fault.status === 401) headers.push('WWW-Authenticate', 'Bearer')
  return jsonResponse(fault.status, errorBody(fault.code, fault.message), headers)
}

/** An answer of the probes. @param body in ASCII. */
export function textResponse(
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): ServiceResponse {
  const headers = ['Content-Type', type, 'Cache-Control', 'no-store', 'Content-Length']
  headers.push(String(Buffer.byteLength(body)))
  return { status, headers, body, forecastIds: '[]' }
}
