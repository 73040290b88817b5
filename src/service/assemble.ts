import { randomBytes } from 'node:crypto'
import { ContractBreach } from '../contract/breach.js'
import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import type { SerializedForecast } from '../forecast/serialize.js'
import { openHistory } from '../store/open.js'
import { ForecastBodies } from './api/bodies.js'
import { RequestFault } from './api/fault.js'
import { ForecastPages } from './api/pages.js'
import { ForecastRoutes } from './api/routes.js'
import { SnapshotSource } from './api/snapshot.js'
import { AuditLog, type AuditParts } from './audit/audit-log.js'
import type { CheckedOptions } from './config/config.js'
import { healthSource } from './health/health.js'
import { Metrics } from './health/metrics.js'
import { Probes } from './health/probes.js'
import { parseProxies } from './http/proxy.js'
import { Service } from './http/service.js'
import { toAcceptedKey } from './keys/key-store.js'
import { type AcceptedKey, hashKey, KeyRing, Redactor } from './keys/keys.js'
import { KeysWatch } from './keys/keys-watch.js'
import { FailureLimit } from './limiter/failures.js'
import { SlidingWindow } from './limiter/limiter.js'
import { SharedLimiter } from './limiter/shared-limiter.js'
import { FaultLog, faultText, type LogFields, type Logger } from './log.js'

/** A writer holds its lock only briefly, and waiting longer would delay every caller. */
export const BUSY_TIMEOUT_MS = 250

/** Assembles a service from its configuration, without listening yet. */
export function assembleService(config: CheckedOptions, logger: Logger) {
  const { settings } = config
  const faults = new FaultLog(logger)
  const metrics = new Metrics()
  const parts = { logger, faults, metrics }
  const how = { busyTimeoutMs: BUSY_TIMEOUT_MS, serving: true }
  const reader = openHistory(settings.historyPath, how)
  const { keys, ...keyParts } = assembleKeys(config, parts)
  const sharedLimiter =
    settings.limiter === '' ? undefined : new SharedLimiter(settings, faults, metrics.withLimiter())
  const failed = (status: 500 | 503, cause: unknown) => {
    if (status === 503) metrics.count('history_read_failures_total')
    report(faults, status, cause)
  }
  const routes = new ForecastRoutes({
    reader,
    snapshots: new SnapshotSource(reader, healthSource(settings.healthPath)),
    pages: new ForecastPages(reader, settings.cacheBytes, (forecast) =>
      reportUnsound(faults, forecast),
    ),
    bodies: new ForecastBodies(settings.staleAfterSeconds),
    staleAfterSeconds: settings.staleAfterSeconds,
    failed,
    sound: (what) => faults.over(what, 'history-available', `the ${what} can be used again`),
  })
  const probes = new Probes(routes, metrics)
  const audit = new AuditLog(settings, parts)
  const service = new Service({
    keys,
    limiter: sharedLimiter ?? new SlidingWindow(settings.rateLimit, settings.rateWindowSeconds),
    failures: new FailureLimit(settings.authFailureLimit, settings.rateWindowSeconds),
    routes,
    probes,
    metrics,
    audit,
    redactor: keyParts.redactor,
    resolveClient: parseProxies(settings.trustedProxies, 'trusted-proxy'),
    failed,
  })
  // For a request without an answer.
  const unanswered = (cause: unknown) => report(faults, 500, cause)
  return { service, probes, metrics, audit, reader, faults, sharedLimiter, unanswered, ...keyParts }
}

function assembleKeys(config: CheckedOptions, parts: AuditParts) {
  const { keysFile } = config.settings
  const redactor = new Redactor(config.keys)
  // For a key known only by its digest, this is the first time that its characters are known.
  const onFirstUse = (key: string) => redactor.add([key])
  const keys = new KeyRing([], config.fingerprintSecret ?? randomBytes(32), onFirstUse)
  /** Replaces the accepted keys. */
  const acceptKeys = (accepted: readonly AcceptedKey[]) => {
    keys.accept(accepted)
    parts.metrics.nameKeys(accepted)
  }
  parts.metrics.countKeys(() => keys.accepted(Date.now()))
  acceptKeys([...config.keys.map(hashKey), ...config.entries.map(toAcceptedKey)])
  const keysWatch =
    keysFile === '' ? undefined : new KeysWatch(keysFile, config.entries, { ...parts, acceptKeys })
  return { keys, redactor, acceptKeys, keysWatch }
}

/** Logs a forecast that is sent although its row has faults. */
function reportUnsound(faults: FaultLog, { id, faults: findings }: SerializedForecast): void {
  const message = 'the row of a forecast is unsound; it is sent all the same'
  const fields = { forecast: id, findings: listCodes(findings) }
  faults.metOnce(`unsound ${id}`, 'forecast-unsound', message, fields)
}

const listCodes = (findings: readonly Finding[]) =>
  findings.map(({ code, pointer }) => `${code} ${pointer ?? ''}`.trim()).join('; ')

function report(faults: FaultLog, status: 500 | 503, cause: unknown): void {
  const text = faultText(cause)
  if (cause instanceof ContractBreach) {
    const { forecastId = '', findings } = cause
    const fields = { forecast: forecastId, findings: listCodes(findings) }
    faults.metOnce(`row ${forecastId}`, 'contract-breach', 'a row cannot be represented', fields)
  } else if (cause instanceof RequestFault) {
    faults.report('health report', 'history-unavailable', cause.detail ?? text)
  } else if (status === 503) {
    const fields: LogFields =
      cause instanceof ForeproofError ? { code: cause.code, help: cause.help } : {}
    faults.report('history', 'history-unavailable', text, fields)
  } else {
    const stack = cause instanceof Error ? cause.stack : undefined
    faults.metOnce(`bug ${text}`, 'internal-error', text, { stack })
  }
}
