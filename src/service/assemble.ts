import { randomBytes } from 'node:crypto'
import { ContractBreach } from '../contract/breach.js'
import { ForeproofError } from '../contract/error.js'
import { openHistory } from '../history/store/open.js'
import type { HistoryReader } from '../history/store/types.js'
import { ForecastApi } from './api/api.js'
import { ForecastBodies } from './api/bodies.js'
import { RequestFault } from './api/fault.js'
import { ForecastPages } from './api/pages.js'
import { SnapshotSource } from './api/snapshot.js'
import { AuditLog } from './audit/audit-log.js'
import type { CheckedOptions } from './config/options.js'
import { FaultLog } from './fault-log.js'
import { healthSource } from './health/health-file.js'
import { Metrics } from './health/metrics.js'
import { Probes } from './health/probes.js'
import { readProxies } from './http/proxy.js'
import { Service } from './http/service.js'
import { acceptedKey } from './keys/key-file.js'
import { type AcceptedKey, KeyRing, plainKey } from './keys/keys.js'
import type { KeysWatch } from './keys/keys-watch.js'
import { Redactor } from './keys/redact.js'
import { FailureLimit } from './limiter/failures.js'
import { SlidingWindow } from './limiter/limiter.js'
import type { SharedLimiter } from './limiter/shared.js'
import { faultText, type LogFields, type Logger } from './log.js'
import { shareLimiter } from './share-limiter.js'
import { watchKeys } from './watch-keys.js'

/** A writer holds its lock for moments; a longer wait would keep every caller waiting. */
export const BUSY_TIMEOUT_MS = 250

export interface Assembled {
  readonly service: Service
  readonly probes: Probes
  readonly metrics: Metrics
  readonly audit: AuditLog
  readonly reader: HistoryReader
  readonly faults: FaultLog
  /** These and no other keys are accepted from now on. */
  readonly acceptKeys: (keys: readonly AcceptedKey[]) => void
  /** Where keys come from a file of digests. */
  readonly keysWatch: KeysWatch | undefined
  /** Where requests are counted together with other processes. */
  readonly sharedLimiter: SharedLimiter | undefined
  readonly redactor: Redactor
  /** Tells of a request that got no answer at all. */
  readonly failed: (cause: unknown) => void
}

/** Puts a service together from its configuration. Nothing listens yet. */
export function assembleService(config: CheckedOptions, logger: Logger): Assembled {
  const { settings } = config
  const faults = new FaultLog(logger)
  const metrics = new Metrics()
  const reader = openHistory(settings.historyPath, {
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    serving: true,
  })
  const redactor = new Redactor(config.keys)
  // Of a key that is known by its digest alone, the characters are first seen here.
  const met = (key: string) => redactor.add([key])
  const keys = new KeyRing([], config.fingerprintSecret ?? randomBytes(32), met)
  const acceptKeys = (accepted: readonly AcceptedKey[]) => {
    keys.accept(accepted)
    metrics.keys.name(accepted)
  }
  metrics.keys.count(() => keys.accepted(Date.now()))
  acceptKeys([...config.keys.map(plainKey), ...config.entries.map(acceptedKey)])
  const keysWatch =
    settings.keysFile === ''
      ? undefined
      : watchKeys(settings.keysFile, config.entries, { logger, faults, metrics, acceptKeys })
  const sharedLimiter =
    settings.limiter === ''
      ? undefined
      : shareLimiter(settings, { faults, metrics: metrics.limiter() })
  const api = new ForecastApi({
    keys,
    limiter: sharedLimiter ?? new SlidingWindow(settings.rateLimit, settings.rateWindowSeconds),
    failures: new FailureLimit(settings.authFailureLimit, settings.rateWindowSeconds),
    reader,
    snapshots: new SnapshotSource(reader, healthSource(settings.healthPath)),
    pages: new ForecastPages(reader, settings.cacheBytes),
    bodies: new ForecastBodies(settings.staleAfterSeconds),
    staleAfterSeconds: settings.staleAfterSeconds,
    failed: (status, cause) => {
      if (status === 503) metrics.historyReadFailures.inc()
      report(faults, status, cause)
    },
    sound: (what) => faults.over(what, 'history-available', `the ${what} can be used again`),
  })
  const probes = new Probes(api, metrics)
  const audit = auditLog(config, faults, logger, metrics)
  const service = new Service({
    api,
    probes,
    metrics,
    audit,
    redactor,
    proxies: readProxies(settings.trustedProxies, 'trusted-proxy'),
  })
  const failed = (cause: unknown) => report(faults, 500, cause)
  const watched = { keysWatch, sharedLimiter }
  const parts = { service, probes, metrics, audit, reader, faults }
  return { ...parts, acceptKeys, redactor, failed, ...watched }
}

function auditLog(
  { settings }: CheckedOptions,
  faults: FaultLog,
  logger: Logger,
  metrics: Metrics,
): AuditLog {
  const { auditPath, auditMaxBytes, auditBackups, auditMaxAgeDays } = settings
  const limits = { maxBytes: auditMaxBytes, backups: auditBackups, maxAgeDays: auditMaxAgeDays }
  return new AuditLog(auditPath, limits, {
    failed: (cause) => {
      metrics.auditFailures.inc()
      faults.met('audit log', 'audit-write-failed', faultText(cause), { file: auditPath })
    },
    dropped: () => {
      metrics.auditDropped.inc()
      faults.met('audit backlog', 'audit-line-dropped', 'the audit backlog is full')
    },
    written: () => {
      faults.over('audit log', 'audit-recovered', 'the audit log is written again')
      faults.over('audit backlog', 'audit-lines-kept', 'no line is dropped any more')
    },
    removed: (lines) => metrics.auditRemoved.inc(lines),
    lost: (lines) => {
      metrics.auditDropped.inc(lines)
      const message = 'the audit log could not be written to the end'
      logger.log('error', 'audit-lines-lost', message, { file: auditPath, lines })
    },
  })
}

function report(faults: FaultLog, status: 500 | 503, cause: unknown): void {
  const text = faultText(cause)
  if (cause instanceof ContractBreach) {
    const { forecastId = '', findings } = cause
    const codes = findings.map(({ code, pointer }) => `${code} ${pointer ?? ''}`).join('; ')
    const fields = { forecast: forecastId, findings: codes }
    faults.metOnce(`row ${forecastId}`, 'contract-breach', 'a row cannot be represented', fields)
  } else if (cause instanceof RequestFault) {
    faults.met('health report', 'history-unavailable', cause.detail ?? text)
  } else if (status === 503) {
    const fields: LogFields =
      cause instanceof ForeproofError ? { code: cause.code, help: cause.help } : {}
    faults.met('history', 'history-unavailable', text, fields)
  } else {
    const stack = cause instanceof Error ? cause.stack : undefined
    faults.metOnce(`bug ${text}`, 'internal-error', text, { stack })
  }
}
