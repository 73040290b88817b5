import { ForeproofError } from '../../contract/error.js'
import { nearestHelp } from '../../contract/nearest.js'
import { printable } from '../../contract/printable.js'
import { toUsageError, variableOrFile } from '../../files/variable.js'
import { tryStat } from '../audit/paths.js'
import { type KeyEntry, readKeysFile } from '../keys/key-store.js'
import { MAX_KEY_CHARACTERS } from '../keys/keys.js'
import type { Logger } from '../log.js'
import {
  assertSharedSecret,
  decideSettings,
  SECRETS,
  SETTINGS,
  type ServiceSettings,
  type Setting,
} from './settings.js'

export interface ServiceConfig {
  readonly settings: ServiceSettings
  /** Where each value came from: its flag, `environment` or `default`. */
  readonly sources: Readonly<Record<string, string>>
  /** Plain keys; none where `settings.keysFile` names a file of digests. */
  readonly keys: readonly string[]
  /** How many keys there are, of either kind. */
  readonly keyCount: number
  /** Reads plain keys again; undefined if they came from a variable, which cannot change. */
  readonly readKeysAgain: (() => readonly string[]) | undefined
  /** If undefined, a random one is made for the life of the process. */
  readonly fingerprintSecret: string | undefined
  /** Unknown variables that look like settings, with a message each. */
  readonly unknown: ReadonlyMap<string, string>
}

/** Values of flags; undefined if absent. */
export type Flags = Readonly<Record<string, unknown>>

/**
 * Resolves the configuration. A flag wins over a variable; an empty variable counts as unset.
 * @throws {ForeproofError} `usage` that names the variable or flag whose value is bad.
 */
export function readServiceConfig(env: NodeJS.ProcessEnv, flags: Flags): ServiceConfig {
  const sources: Record<string, string> = {}
  const keysPath = env[SECRETS.plainKeysFile] || ''
  const settings = decideSettings(
    (key, { flag, variable, shown }) => {
      const asked = flags[flag]
      if (asked !== undefined) {
        sources[key] = `--${flag}`
        return { value: String(asked), name: `--${flag}` }
      }
      // Values that may contain a secret can also be given in a file.
      const value = shown === undefined ? env[variable] || undefined : variableOrFile(env, variable)
      const source = env[variable] ? 'environment' : `${variable}_FILE`
      sources[key] = value === undefined ? 'default' : source
      return { value, name: variable }
    },
    SECRET_FILES.map((name) => env[name] ?? ''),
  )
  const { keysFile } = settings
  const { flag, variable } = SETTINGS.keysFile
  const name = sources.keysFile === 'environment' ? variable : `--${flag}`
  const from = keysPath === '' ? SECRETS.keys : `${SECRETS.plainKeysFile}: ${keysPath}`
  const readKeys = () => checkPlainKeys(readPlainKeys(env), from, keysFile)
  const keys = readKeys()
  const keyCount = keysFile === '' ? keys.length : readKeyEntries(keysFile, name).length
  const fingerprintSecret = variableOrFile(env, SECRETS.fingerprintSecret)
  assertSharedSecret(settings, fingerprintSecret, SECRETS.fingerprintSecret)
  const readKeysAgain = () => {
    // At start, keys may come through a pipe. Later, waiting for a pipe would block every request. Reading reports a
    // file that is not accessible.
    if (tryStat(keysPath)?.isFile() !== false) return readKeys()
    const help = 'Keys are read again from regular files only.'
    throw new ForeproofError('usage', `${from} is not a regular file`, { help })
  }
  const reloadKeys = keysPath === '' ? undefined : readKeysAgain
  const unknown = unknownVariables(env)
  return {
    settings,
    sources,
    keys,
    keyCount,
    readKeysAgain: reloadKeys,
    fingerprintSecret,
    unknown,
  }
}

/** Variables that name a file with a secret. */
const SECRET_FILES = [
  SECRETS.plainKeysFile,
  `${SECRETS.fingerprintSecret}_FILE`,
  ...Object.values<Setting>(SETTINGS).flatMap(({ variable, shown }) =>
    shown === undefined ? [] : [`${variable}_FILE`],
  ),
]
const VARIABLES = [
  ...Object.values<Setting>(SETTINGS).map(({ variable }) => variable),
  ...Object.values(SECRETS),
  ...SECRET_FILES,
]

/**
 * The pipeline may share the environment, so its variables are not faults. A misspelt variable has no effect.
 */
function unknownVariables(env: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const isUnknown = (name: string) => /^BTC_FORECAST_/i.test(name) && !VARIABLES.includes(name)
  const names = Object.keys(env).filter((name) => isUnknown(name) && env[name] !== '')
  return new Map(
    names.sort().map((name) => {
      const message = `${printable(name)} is no setting of this service`
      return [
        name,
        `${message}. ${nearestHelp(name, VARIABLES, 'foreproof serve --help has all.')}`,
      ]
    }),
  )
}

/**
 * The effective configuration for people, one setting per line. Of secrets, only whether they are set.
 */
export function describeConfig(config: ServiceConfig): string {
  const { settings, sources, keyCount, fingerprintSecret, unknown } = config
  const secret = fingerprintSecret === undefined ? 'made for each process' : '(set, not shown)'
  const rows = [
    ...Object.entries<Setting>(SETTINGS).map(([key, { variable, shown }]) => {
      const value = String(settings[key as keyof ServiceSettings])
      const text = printable(value === '' || shown === undefined ? value : shown(value))
      return [variable, text || '(none)', String(sources[key])] as const
    }),
    [SECRETS.keys, `(${keyCount} accepted, not shown)`, ''] as const,
    [SECRETS.fingerprintSecret, secret, ''] as const,
  ]
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  const lines = rows.map(([variable, value, source]) =>
    `${variable.padEnd(width(0))}  ${value.padEnd(width(1))}  ${source}`.trimEnd(),
  )
  const warnings = [...unknown.values()].map((message) => `\nWarning: ${message}`)
  return `${lines.join('\n')}\n${warnings.join('')}${warnings.length > 0 ? '\n' : ''}`
}

/** Options of a service: its settings, with the defaults of the command, and its secrets. */
export interface ServiceOptions extends Partial<ServiceSettings> {
  /** Accepted API keys, at least one; none if `keysFile` names a file of digests. */
  readonly keys?: readonly string[] | undefined
  /** With it, fingerprints of keys are the same in every process; random by default. */
  readonly fingerprintSecret?: string | undefined
  /** Receives events, never with a key in them; by default there is no log. */
  readonly logger?: Logger | undefined
}

/** What a service runs on. */
export interface CheckedOptions
  extends Pick<ServiceConfig, 'settings' | 'keys' | 'fingerprintSecret'> {
  /** What `settings.keysFile` holds. */
  readonly entries: readonly KeyEntry[]
}

/** @throws {ForeproofError} `usage` that names the option whose value is bad. */
export function checkServiceOptions(options: ServiceOptions): CheckedOptions {
  const settings = decideSettings((name) => ({ value: options[name], name }))
  const { keys: given = [], fingerprintSecret } = options
  const { keysFile } = settings
  const common = { settings, fingerprintSecret: fingerprintSecret || undefined }
  assertSharedSecret(settings, common.fingerprintSecret, 'fingerprintSecret')
  const keys = checkPlainKeys(given.length > 0 ? given : undefined, 'keys', keysFile)
  const entries = keysFile === '' ? [] : readKeyEntries(keysFile, 'keysFile')
  return { ...common, keys, entries }
}

/** Reads the variable of plain keys, or its file: keys separated by commas, or one per line. */
function readPlainKeys(env: NodeJS.ProcessEnv): string[] | undefined {
  return variableOrFile(env, SECRETS.keys)?.split(/[,\r\n]+/)
}

/**
 * The plain keys; none where a file of digests is named.
 * @param from the source, for messages.
 * @param keysFile the file of digests; empty if there is none.
 * @throws {ForeproofError} `usage` if there is no key, a key that a header cannot carry, or both keys and a file.
 */
export function checkPlainKeys(
  given: readonly string[] | undefined,
  from: string,
  keysFile: string,
): string[] {
  if (keysFile === '') return assertNotEmpty(assertSendable(given ?? [], from))
  if (given === undefined) return []
  throw new ForeproofError('usage', 'API keys are given in two places', {
    help: `Give them as they are (${from}) or as digests (${keysFile}), not both.`,
  })
}

/**
 * The entries of a file of digests, which a service may start with.
 * @param name the variable, flag or option that names the file.
 * @throws {ForeproofError} `usage` where it cannot be read, is at fault or holds no key.
 */
function readKeyEntries(path: string, name: string): readonly KeyEntry[] {
  let entries: KeyEntry[]
  try {
    entries = readKeysFile(path)
  } catch (cause) {
    throw cause instanceof ForeproofError ? toUsageError(name, cause) : cause
  }
  return assertNotEmpty(entries)
}

/** @throws {ForeproofError} `usage` without a key, because a service does not start without one. */
function assertNotEmpty<T>(keys: T[]): T[] {
  if (keys.length > 0) return keys
  throw new ForeproofError('usage', 'no API key is configured', {
    help:
      `Set ${SECRETS.keys} (keys by comma) or ${SECRETS.plainKeysFile} (a file, one key per line), ` +
      'or make one: foreproof keys new NAME --keys FILE.',
  })
}

/** A key can be sent in a header only if it is made of visible ASCII characters. */
function assertSendable(entries: readonly string[], from: string): string[] {
  const keys = entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
  const bad = keys.findIndex(
    (key) => key.length > MAX_KEY_CHARACTERS || !/^[\x21-\x2b\x2d-\x7e]+$/.test(key),
  )
  if (bad >= 0) {
    throw new ForeproofError('usage', `${from}: key ${bad + 1} cannot be sent in a header`, {
      help: `Keys are up to ${MAX_KEY_CHARACTERS} visible ASCII characters, without spaces and commas.`,
    })
  }
  return [...new Set(keys)]
}
