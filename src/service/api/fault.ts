import type { ApiErrorCode } from '../../contract/limits.js'

const CODE_OF_STATUS = {
  400: 'invalid_request',
  401: 'invalid_request',
  404: 'forecast_not_found',
  406: 'not_acceptable',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'history_unavailable',
} as const satisfies Record<number, ApiErrorCode>

export type FaultStatus = keyof typeof CODE_OF_STATUS

/**
 * A request that ends in an error body. The message goes to the client: it says what to change and
 * never repeats what the client sent, for that may hold a key.
 */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly status: FaultStatus
  readonly code: ApiErrorCode
  /** Whole seconds for Retry-After. */
  readonly retryAfter: number | undefined

  /** @param detail why, in words for the log alone. */
  constructor(
    status: FaultStatus,
    message: string,
    retryAfter?: number,
    readonly detail?: string,
  ) {
    super(message)
    this.status = status
    this.code = CODE_OF_STATUS[status]
    this.retryAfter = retryAfter
  }
}

export function invalidRequest(message: string): RequestFault {
  return new RequestFault(400, message)
}
