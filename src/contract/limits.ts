/** Constants of version 1 of the forecast API, on which clients may rely. */
export const API_VERSION = 'v1'
export const MEDIA_TYPE = 'application/vnd.service.forecast.v1+json'

/** The closed set of error codes; changing it requires a new version in the path. */
export const API_ERROR_CODES = [
  'invalid_request',
  'forecast_not_found',
  'not_acceptable',
  'rate_limited',
  'history_unavailable',
  'internal_error',
] as const
export type ApiErrorCode = (typeof API_ERROR_CODES)[number]

export const FRESHNESS_STATUSES = ['fresh', 'stale', 'unknown'] as const
export const HEALTH_STATUSES = ['healthy', 'degraded', 'unavailable'] as const

/** The possible results of an expected attempt. */
export const PAIRING_STATUSES = ['scored', 'failed', 'abstained', 'missing', 'ineligible'] as const

export const PAIR = 'BTC/USD'

/** Level of the interval between the 0.1 and the 0.9 quantile. */
export const INTERVAL_LEVEL = 0.8

export const LIMITS = {
  /** Forecasts per page of the dynamic history: minimum, maximum and default. */
  pageMinimum: 1,
  pageMaximum: 100,
  pageDefault: 50,
  /** Forecasts per static page. */
  staticPageSize: 100,
  /** Requests per key in one sliding window. */
  rateLimit: 60,
  rateWindowSeconds: 60,
  /** Seconds after which an observation is stale. */
  staleAfterSeconds: 10_800,
  auditMaxBytes: 10_000_000,
  auditBackups: 3,
  auditMaxAgeDays: 30,
} as const

/**
 * Forecasts, outcomes and the numbers of a protocol lie within ± this limit, so that squares of their sums are finite.
 */
export const LARGEST_VALUE = 1e100
/** The same in messages. */
export const LARGEST_VALUE_TEXT = '1e100'

/** Whether a value is a number that a forecast or an outcome may have; NaN is not. */
export const isValue = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= LARGEST_VALUE

/** Horizons that a protocol may use (specification, 2.7). */
export const JUDGED_HORIZONS: readonly number[] = [2, 4, 8, 16]

/** The path of the static files below the address of their site. */
export const STATIC_ROOT = '/service/api/v1'
