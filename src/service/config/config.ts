import { readFileSync } from 'node:fs'
import { ForeproofError, fileError } from '../../contract/error.js'
import { historyInputs, requireApart } from '../audit/path-guard.js'
import { readProxies } from '../http/proxy.js'
import { LONGEST_KEY } from '../keys/keys.js'
import { requireInRange, SECRETS, SETTINGS, type Setting, type SettingName } from './settings.js'

type Value<N extends SettingName> = (typeof SETTINGS)[N]['value'] extends { kind: 'integer' }
  ? number
  : string

/** The settings of a service, every one decided. */
export type ServiceSettings = { readonly [N in SettingName]: Value<N> }

export interface ServiceConfig {
  readonly settings: ServiceSettings
  /** Where each value came from: its flag, its variable, or nowhere. */
  readonly sources: Readonly<Record<SettingName, 'flag' | 'environment' | 'default'>>
  readonly keys: readonly string[]
  /** Undefined: one is made at random for the life of the process. */
  readonly fingerprintSecret: string | undefined
}

/** Values as flags give them; absent ones are undefined. */
export type Flags = Readonly<Record<string, unknown>>

/**
 * Decides the configuration; an empty variable counts as unset.
 * @throws {ForeproofError} `usage` that names the variable or flag whose value is bad.
 */
export function readServiceConfig(env: NodeJS.ProcessEnv, flags: Flags): ServiceConfig {
  const settings: Record<string, string | number> = {}
  const sources: Record<string, 'flag' | 'environment' | 'default'> = {}
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const flag = flags[setting.flag]
    const fromEnvironment = env[setting.variable] || undefined
    if (flag !== undefined) {
      settings[name] = readValue(setting, String(flag), `--${setting.flag}`)
      sources[name] = 'flag'
    } else if (fromEnvironment !== undefined) {
      settings[name] = readValue(setting, fromEnvironment, setting.variable)
      sources[name] = 'environment'
    } else {
      settings[name] = setting.otherwise
      sources[name] = 'default'
    }
  }
  const decided = settings as ServiceSettings
  readProxies(decided.trustedProxies, nameOf('trustedProxies', sources))
  const keysFile = keysFileOf(env, flags['api-keys-file'])
  const keys = keysOf(env, keysFile)
  const inputs = [
    ...historyInputs(decided.historyPath),
    { path: decided.healthPath, what: 'the health report' },
    ...(keysFile === undefined ? [] : [{ path: keysFile.path, what: 'the keys' }]),
  ]
  requireApart(decided.auditPath, inputs, nameOf('auditPath', sources))
  return {
    settings: decided,
    sources: sources as ServiceConfig['sources'],
    keys,
    fingerprintSecret: env[SECRETS.fingerprintSecret] || undefined,
  }
}

function nameOf(name: SettingName, sources: Record<string, string>): string {
  return sources[name] === 'flag' ? `--${SETTINGS[name].flag}` : SETTINGS[name].variable
}

function readValue({ value }: Setting, text: string, name: string): string | number {
  if (value.kind === 'text') return text
  const number = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN
  return requireInRange(value, number, name, text)
}

interface KeysFile {
  readonly path: string
  /** The variable or flag that names it. */
  readonly name: string
}

function keysFileOf(env: NodeJS.ProcessEnv, flag: unknown): KeysFile | undefined {
  if (typeof flag === 'string') return { path: flag, name: '--api-keys-file' }
  const path = env[SECRETS.keysFile] || undefined
  return path === undefined ? undefined : { path, name: SECRETS.keysFile }
}

function keysOf(env: NodeJS.ProcessEnv, file: KeysFile | undefined): string[] {
  const listed = env[SECRETS.keys] || undefined
  if (listed !== undefined && file !== undefined) {
    throw new ForeproofError('usage', 'API keys are given twice: as a list and as a file', {
      help: `Set ${SECRETS.keys} or ${SECRETS.keysFile}, not both.`,
    })
  }
  const keys =
    file === undefined
      ? readKeys((listed ?? '').split(','), SECRETS.keys)
      : readKeys(textOf(file).split(/\r?\n/), `${file.name}: ${file.path}`)
  if (keys.length === 0) {
    throw new ForeproofError('usage', 'no API key is configured', {
      help: `Set ${SECRETS.keys} (keys by comma) or ${SECRETS.keysFile} (a file, one key per line).`,
    })
  }
  return keys
}

function textOf({ path, name }: KeysFile): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { message, help } = fileError(cause, path)
    throw new ForeproofError('usage', `${name}: ${message}`, {
      cause,
      ...(help === undefined ? {} : { help }),
    })
  }
}

/** A key can be sent in a header only if it is made of visible ASCII characters. */
export function readKeys(entries: readonly string[], from: string): string[] {
  const keys = entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
  const bad = keys.findIndex(
    (key) => key.length > LONGEST_KEY || !/^[\x21-\x2b\x2d-\x7e]+$/.test(key),
  )
  if (bad >= 0) {
    throw new ForeproofError('usage', `${from}: key ${bad + 1} is none that a header can carry`, {
      help: `Keys are up to ${LONGEST_KEY} visible ASCII characters, without spaces and commas.`,
    })
  }
  return [...new Set(keys)]
}
