import { acceptsMediaType } from '../http/accept.js'
import { headerOf, type ServiceRequest } from '../http/http.js'
import { invalidRequest, RequestFault } from './fault.js'

/** The longest request target that is read; the longest sensible one has some hundred characters. */
const LONGEST_TARGET = 8192

/**
 * What is checked before anybody is asked who they are: method, shape and media type.
 * @throws {RequestFault} 400 or 406.
 */
export function validateRequest(request: ServiceRequest): void {
  if (request.method !== 'GET') throw invalidRequest('Only GET is supported.')
  if (request.target.length > LONGEST_TARGET) throw invalidRequest('The URL is too long.')
  if (request.hasBody) throw invalidRequest('A request must not have a body.')
  if (request.hostRequired && headerOf(request, 'host') === undefined) {
    throw invalidRequest('The Host header is missing.')
  }
  if (headerOf(request, 'host')?.includes(',')) {
    throw invalidRequest('The Host header occurs more than once.')
  }
  if (!acceptsMediaType(headerOf(request, 'accept'))) {
    throw new RequestFault(
      406,
      'Accept must allow application/vnd.service.forecast.v1+json, the only representation.',
    )
  }
}
