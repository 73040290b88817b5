import { ForeproofError } from '../../contract/error.js'
import { historyInputs, requireApart } from '../audit/path-guard.js'
import { readProxies } from '../http/proxy.js'
import type { Logger } from '../log.js'
import { readKeys, type ServiceConfig, type ServiceSettings } from './config.js'
import { requireInRange, SETTINGS, type Setting } from './settings.js'

/** What a service is started with: its settings, each with the default of the command, and its secrets. */
export interface ServiceOptions extends Partial<ServiceSettings> {
  /** Accepted API keys, at least one. */
  readonly keys: readonly string[]
  /** Keeps the fingerprints of keys the same from process to process; made at random otherwise. */
  readonly fingerprintSecret?: string | undefined
  /** Told of what happens, nothing of which holds a key; nobody by default. */
  readonly logger?: Logger | undefined
}

/** What a service runs on. */
export type CheckedOptions = Omit<ServiceConfig, 'sources'>

/** @throws {ForeproofError} `usage` that names the option whose value is bad. */
export function checkOptions(options: ServiceOptions): CheckedOptions {
  const chosen: Record<string, unknown> = {}
  for (const [name, { value, otherwise }] of Object.entries<Setting>(SETTINGS)) {
    const given = options[name as keyof ServiceSettings] ?? otherwise
    if (value.kind === 'integer') requireInRange(value, Number(given), name, String(given))
    chosen[name] = given
  }
  const settings = chosen as ServiceSettings
  const { historyPath, healthPath, auditPath, trustedProxies } = settings
  readProxies(trustedProxies, 'trustedProxies')
  const health = { path: healthPath, what: 'the health report' }
  requireApart(auditPath, [...historyInputs(historyPath), health], 'auditPath')
  const keys = readKeys(options.keys, 'keys')
  if (keys.length === 0) throw new ForeproofError('usage', 'no API key is configured')
  return { settings, keys, fingerprintSecret: options.fingerprintSecret || undefined }
}
