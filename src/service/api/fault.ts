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

type FaultStatus = keyof typeof CODE_OF_STATUS

/**
 * A request that ends in an error body. The message goes to the client: it says what to change, and never repeats
 * what the client sent, which may contain a key.
 */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly code: ApiErrorCode

  /**
   * @param retryAfter whole seconds for Retry-After.
   * @param detail the reason, for the log only.
   */
  constructor(
    readonly status: FaultStatus,
    message: string,
    readonly retryAfter?: number,
    readonly detail?: string,
  ) {
    super(message)
    this.code = CODE_OF_STATUS[status]
  }
}

export function invalidRequest(message: string): RequestFault {
  return new RequestFault(400, message)
}
