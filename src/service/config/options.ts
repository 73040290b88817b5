import { ForeproofError } from '../../contract/error.js'
import type { Logger } from '../log.js'
import { readKeys, type ServiceConfig } from './config.js'
import { decideSettings, type ServiceSettings } from './settings.js'

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
export type CheckedOptions = Omit<ServiceConfig, 'sources' | 'readKeysAgain'>

/** @throws {ForeproofError} `usage` that names the option whose value is bad. */
export function checkOptions(options: ServiceOptions): CheckedOptions {
  const settings = decideSettings((name) => ({ value: options[name], name }))
  const keys = checkKeys(options.keys)
  return { settings, keys, fingerprintSecret: options.fingerprintSecret || undefined }
}

/** @throws {ForeproofError} `usage` where no key is given, or one that no header can carry. */
export function checkKeys(given: readonly string[]): string[] {
  const keys = readKeys(given, 'keys')
  if (keys.length === 0) throw new ForeproofError('usage', 'no API key is configured')
  return keys
}
