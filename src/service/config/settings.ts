import { ForeproofError } from '../../contract/error.js'
import { LIMITS } from '../../contract/limits.js'
import { withoutSecrets } from '../../contract/secrets.js'
import { isInvalidPath } from '../../files/display-path.js'
import { historyFiles, historyName } from '../../store/shown.js'
import { assertSafeAuditPath, historyInputs } from '../audit/paths.js'
import { parseProxies } from '../http/proxy.js'
import { displayRedisAddress, parseRedisAddress } from '../limiter/redis-address.js'

export interface Setting {
  /** The environment variable. */
  readonly variable: string
  /** The flag, without its dashes. */
  readonly flag: string
  /** Minimum and maximum of a whole number; absent for a text. */
  readonly range?: readonly [number, number]
  readonly default: string | number
  readonly describe: string
  /**
   * The part of a value that may be shown, if it can contain a secret. Its variable also has a `…_FILE` form.
   */
  readonly shown?: (value: string) => string
}

/** All settings except secrets, by variable or flag; the flag wins. */
export const SETTINGS = {
  historyPath: {
    variable: 'BTC_FORECAST_HISTORY_DB',
    flag: 'history',
    default: '.state/forecast_history.sqlite',
    describe: 'Forecast history, read only: a SQLite file or postgres://…',
    shown: historyName,
  },
  healthPath: {
    variable: 'BTC_PIPELINE_HEALTH_STATE',
    flag: 'health-state',
    default: '.state/pipeline_health.json',
    describe: 'Health report of the pipeline; none: use the history alone',
  },
  host: {
    variable: 'BTC_FORECAST_API_HOST',
    flag: 'host',
    default: '127.0.0.1',
    describe: 'Address to listen on',
  },
  port: {
    variable: 'BTC_FORECAST_API_PORT',
    flag: 'port',
    range: [0, 65_535],
    default: 8080,
    describe: 'Port to listen on; 0 takes any free one',
  },
  probePort: {
    variable: 'BTC_FORECAST_API_PROBE_PORT',
    flag: 'probe-port',
    range: [0, 65_535],
    default: 0,
    describe: 'Extra port for probes and metrics only; 0: none',
  },
  rateLimit: {
    variable: 'BTC_FORECAST_API_RATE_LIMIT',
    flag: 'rate-limit',
    range: [1, 10_000_000],
    default: LIMITS.rateLimit,
    describe: 'Requests allowed per key and window',
  },
  rateWindowSeconds: {
    variable: 'BTC_FORECAST_API_RATE_WINDOW_SECONDS',
    flag: 'rate-window-seconds',
    range: [1, 86_400],
    default: LIMITS.rateWindowSeconds,
    describe: 'Length of the window in seconds',
  },
  limiter: {
    variable: 'BTC_FORECAST_API_LIMITER',
    flag: 'limiter',
    default: '',
    describe: 'Redis that counts requests for all replicas: redis://HOST or rediss://HOST',
    shown: (value: string) => displayRedisAddress(parseRedisAddress(value, 'limiter')),
  },
  keysFile: {
    variable: 'BTC_FORECAST_API_HASHED_KEYS_FILE',
    flag: 'keys',
    default: '',
    describe:
      'File of hashed keys with names, limits and expiry dates; foreproof keys new writes it',
  },
  authFailureLimit: {
    variable: 'BTC_FORECAST_API_AUTH_FAILURE_LIMIT',
    flag: 'auth-failure-limit',
    range: [0, 10_000],
    default: 100,
    describe: 'Failed authentications allowed per address and window; 0: no limit',
  },
  staleAfterSeconds: {
    variable: 'BTC_FORECAST_API_STALE_AFTER_SECONDS',
    flag: 'stale-after-seconds',
    range: [1, 1_000_000_000],
    default: LIMITS.staleAfterSeconds,
    describe: 'Age in seconds from which a forecast is stale',
  },
  auditPath: {
    variable: 'BTC_FORECAST_API_AUDIT_LOG',
    flag: 'audit-log',
    default: '.state/forecast_api_reads.jsonl',
    describe: 'Read-audit log, JSON Lines',
  },
  auditMaxBytes: {
    variable: 'BTC_FORECAST_API_AUDIT_MAX_BYTES',
    flag: 'audit-max-bytes',
    range: [1, Number.MAX_SAFE_INTEGER],
    default: LIMITS.auditMaxBytes,
    describe: 'Rotate the audit log at this size in bytes',
  },
  auditBackups: {
    variable: 'BTC_FORECAST_API_AUDIT_BACKUPS',
    flag: 'audit-backups',
    range: [0, 1000],
    default: LIMITS.auditBackups,
    describe: 'Rotated audit logs to keep',
  },
  auditMaxAgeDays: {
    variable: 'BTC_FORECAST_API_AUDIT_MAX_AGE_DAYS',
    flag: 'audit-max-age-days',
    range: [1, 36_500],
    default: LIMITS.auditMaxAgeDays,
    describe: 'Rotate the audit log, and delete rotated ones, after this many days',
  },
  trustedProxies: {
    variable: 'BTC_FORECAST_API_TRUSTED_PROXY',
    flag: 'trusted-proxy',
    default: '',
    describe: 'Proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges, by comma',
  },
  cacheBytes: {
    variable: 'BTC_FORECAST_API_CACHE_BYTES',
    flag: 'cache-bytes',
    range: [0, 8_589_934_592],
    default: 67_108_864,
    describe: 'Memory for cached pages in bytes',
  },
  drainSeconds: {
    variable: 'BTC_FORECAST_API_DRAIN_SECONDS',
    flag: 'drain-seconds',
    range: [0, 3600],
    default: 1,
    describe: 'Seconds a stopping service, already not ready, still answers new requests',
  },
} as const satisfies Record<string, Setting>

type SettingName = keyof typeof SETTINGS
type Value<N extends SettingName> = (typeof SETTINGS)[N]['default'] extends number ? number : string

/** The settings of a service, every one decided. */
export type ServiceSettings = { readonly [N in SettingName]: Value<N> }

/** The secrets. They have no flags, because every user can read a command line. */
export const SECRETS = {
  keys: 'BTC_FORECAST_API_KEYS',
  plainKeysFile: 'BTC_FORECAST_API_KEYS_FILE',
  fingerprintSecret: 'BTC_FORECAST_FINGERPRINT_SECRET',
} as const

/** A given value, and its name in messages. */
export interface Given {
  readonly value: string | number | undefined
  readonly name: string
}

/**
 * Resolves every setting: the given value or the default.
 * @param secretFiles files with secrets; empty for none.
 * @throws {ForeproofError} `usage` that names the setting, and shows what was given for it.
 */
export function decideSettings(
  given: (name: SettingName, setting: Setting) => Given,
  secretFiles: readonly string[] = [],
): ServiceSettings {
  const values: Record<string, string | number> = {}
  const names: Record<string, string> = {}
  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    const { value, name } = given(key as SettingName, setting)
    values[key] = value === undefined ? setting.default : parseSetting(setting, value, name)
    names[key] = name
  }
  const settings = values as ServiceSettings
  parseProxies(settings.trustedProxies, String(names.trustedProxies))
  if (settings.limiter !== '') parseRedisAddress(settings.limiter, String(names.limiter))
  const inputs = [
    ...historyFiles(settings.historyPath).flatMap(historyInputs),
    { path: settings.healthPath, what: 'the health report' },
    ...[...secretFiles, settings.keysFile].flatMap((path) =>
      path === '' ? [] : [{ path, what: 'a secret' }],
    ),
  ]
  const auditName = String(names.auditPath)
  assertSafeAuditPath(settings.auditPath, inputs, auditName)
  assertProbePort(settings, String(names.probePort))
  return settings
}

/**
 * Replicas must compute equal fingerprints, so they need the same secret.
 * @param name of the secret in messages.
 * @throws {ForeproofError} `usage` if requests are counted together without a secret.
 */
export function assertSharedSecret(
  { limiter }: ServiceSettings,
  secret: string | undefined,
  name: string,
): void {
  if (limiter === '' || secret !== undefined) return
  throw new ForeproofError('usage', `a shared limiter needs ${name}`, {
    help:
      'Set it to one random text for all replicas (openssl rand -base64 32): they count a key under its ' +
      'fingerprint, which this secret makes the same everywhere.',
  })
}

/** @throws {ForeproofError} `usage` if the port for probes equals that of the service. */
function assertProbePort({ port, probePort }: ServiceSettings, name: string): void {
  if (probePort === 0 || probePort !== port) return
  throw new ForeproofError('usage', `${name} is ${port}, which is the port of the service`, {
    help: 'Give it a port of its own; without one, probes are answered on that of the service.',
  })
}

/** Parses the value of a setting. @throws {ForeproofError} `usage` if it is out of range. */
export function parseSetting(
  { range, shown }: Setting,
  value: string | number,
  name: string,
): string | number {
  const text = String(value)
  if (range === undefined) {
    if (shown !== undefined || !isInvalidPath(text)) return text
    throw new ForeproofError('usage', `${name} is an address or a key: ${withoutSecrets(text)}`, {
      help: 'See what belongs there: foreproof serve --help.',
    })
  }
  const number = Number(text)
  const [minimum, maximum] = range
  if (/^(?:0|[1-9][0-9]*)$/.test(text) && number >= minimum && number <= maximum) return number
  throw new ForeproofError('usage', `${name} is ${JSON.stringify(withoutSecrets(text))}`, {
    help: `Give a whole number from ${minimum} to ${maximum}, in decimal digits.`,
  })
}
