import { ForeproofError } from '../../contract/error.js'
import { LIMITS } from '../../contract/limits.js'

interface WholeNumber {
  readonly kind: 'integer'
  readonly minimum: number
  readonly maximum: number
}

export interface Setting {
  /** The environment variable. */
  readonly variable: string
  /** The flag, without its dashes. */
  readonly flag: string
  readonly value: { readonly kind: 'text' } | WholeNumber
  readonly otherwise: string | number
  readonly describe: string
}

const text = { kind: 'text' } as const
const integer = (minimum: number, maximum: number) =>
  ({ kind: 'integer', minimum, maximum }) as const

/** Everything that is no secret and can be set, by variable or flag; the flag wins. */
export const SETTINGS = {
  historyPath: {
    variable: 'BTC_FORECAST_HISTORY_DB',
    flag: 'history',
    value: text,
    otherwise: '.state/forecast_history.sqlite',
    describe: 'Forecast history, read only',
  },
  healthPath: {
    variable: 'BTC_PIPELINE_HEALTH_STATE',
    flag: 'health-state',
    value: text,
    otherwise: '.state/pipeline_health.json',
    describe: 'Report on the health of the pipeline',
  },
  host: {
    variable: 'BTC_FORECAST_API_HOST',
    flag: 'host',
    value: text,
    otherwise: '127.0.0.1',
    describe: 'Address to listen on',
  },
  port: {
    variable: 'BTC_FORECAST_API_PORT',
    flag: 'port',
    value: integer(0, 65_535),
    otherwise: 8080,
    describe: 'Port to listen on; 0 takes any free one',
  },
  rateLimit: {
    variable: 'BTC_FORECAST_API_RATE_LIMIT',
    flag: 'rate-limit',
    value: integer(1, 10_000_000),
    otherwise: LIMITS.rateLimit,
    describe: 'Requests per key and window',
  },
  rateWindowSeconds: {
    variable: 'BTC_FORECAST_API_RATE_WINDOW_SECONDS',
    flag: 'rate-window-seconds',
    value: integer(1, 86_400),
    otherwise: LIMITS.rateWindowSeconds,
    describe: 'Length of the sliding window',
  },
  staleAfterSeconds: {
    variable: 'BTC_FORECAST_API_STALE_AFTER_SECONDS',
    flag: 'stale-after-seconds',
    value: integer(1, 1_000_000_000),
    otherwise: LIMITS.staleAfterSeconds,
    describe: 'Age from which an observation is stale',
  },
  auditPath: {
    variable: 'BTC_FORECAST_API_AUDIT_LOG',
    flag: 'audit-log',
    value: text,
    otherwise: '.state/forecast_api_reads.jsonl',
    describe: 'Read-audit log, JSON Lines',
  },
  auditMaxBytes: {
    variable: 'BTC_FORECAST_API_AUDIT_MAX_BYTES',
    flag: 'audit-max-bytes',
    value: integer(1, Number.MAX_SAFE_INTEGER),
    otherwise: LIMITS.auditMaxBytes,
    describe: 'Size at which the audit log is rotated',
  },
  auditBackups: {
    variable: 'BTC_FORECAST_API_AUDIT_BACKUPS',
    flag: 'audit-backups',
    value: integer(0, 1000),
    otherwise: LIMITS.auditBackups,
    describe: 'Rotated audit logs to keep',
  },
  auditMaxAgeDays: {
    variable: 'BTC_FORECAST_API_AUDIT_MAX_AGE_DAYS',
    flag: 'audit-max-age-days',
    value: integer(1, 36_500),
    otherwise: LIMITS.auditMaxAgeDays,
    describe: 'Days after which the audit log is rotated, and a rotated one removed',
  },
  trustedProxies: {
    variable: 'BTC_FORECAST_API_TRUSTED_PROXY',
    flag: 'trusted-proxy',
    value: text,
    otherwise: '',
    describe: 'Proxies (addresses or CIDR ranges, by comma) whose X-Forwarded-For is believed',
  },
  cacheBytes: {
    variable: 'BTC_FORECAST_API_CACHE_BYTES',
    flag: 'cache-bytes',
    value: integer(0, 8_589_934_592),
    otherwise: 67_108_864,
    describe: 'Memory for forecasts that were read before',
  },
  drainSeconds: {
    variable: 'BTC_FORECAST_API_DRAIN_SECONDS',
    flag: 'drain-seconds',
    value: integer(0, 3600),
    otherwise: 1,
    describe: 'How long a stopping service still takes requests while it tells it is not ready',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** The secrets, which have no flag of their own: a command line can be read by every user. */
export const SECRETS = {
  keys: 'BTC_FORECAST_API_KEYS',
  keysFile: 'BTC_FORECAST_API_KEYS_FILE',
  fingerprintSecret: 'BTC_FORECAST_FINGERPRINT_SECRET',
} as const

/** @throws {ForeproofError} `usage` that names the setting, and shows what was given for it. */
export function requireInRange(
  { minimum, maximum }: WholeNumber,
  number: number,
  name: string,
  given: string,
): number {
  if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
  throw new ForeproofError('usage', `${name} is ${JSON.stringify(given)}`, {
    help: `Give a whole number from ${minimum} to ${maximum}, in decimal digits.`,
  })
}
