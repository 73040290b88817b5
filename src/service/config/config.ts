import { readFileSync, statSync } from 'node:fs'
import { ForeproofError, fileError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { LONGEST_KEY } from '../keys/keys.js'
import {
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
  readonly keys: readonly string[]
  /** Reads the keys again; undefined where they came from a variable, which does not change. */
  readonly readKeysAgain: (() => readonly string[]) | undefined
  /** Undefined: one is made at random for the life of the process. */
  readonly fingerprintSecret: string | undefined
}

/** Values as flags give them; absent ones are undefined. */
export type Flags = Readonly<Record<string, unknown>>

/**
 * Decides the configuration; a flag wins, and an empty variable counts as unset.
 * @throws {ForeproofError} `usage` that names the variable or flag whose value is bad.
 */
export function readServiceConfig(env: NodeJS.ProcessEnv, flags: Flags): ServiceConfig {
  const sources: Record<string, string> = {}
  const keysFile = keysFileOf(env, flags['api-keys-file'])
  const settings = decideSettings((key, { flag, variable }) => {
    const asked = flags[flag]
    const value = env[variable] || undefined
    if (asked !== undefined) {
      sources[key] = `--${flag}`
      return { value: String(asked), name: `--${flag}` }
    }
    sources[key] = value === undefined ? 'default' : 'environment'
    return { value, name: variable }
  }, keysFile?.path)
  const keys = keysOf(env, keysFile)
  const fingerprintSecret = env[SECRETS.fingerprintSecret] || undefined
  const readKeysAgain =
    keysFile &&
    (() => {
      refusePipe(keysFile)
      return keysOf({}, keysFile)
    })
  return { settings, sources, keys, readKeysAgain, fingerprintSecret }
}

/** The effective configuration for a person, one setting a line; of secrets only whether they are set. */
export function describeConfig(config: ServiceConfig): string {
  const { settings, sources, keys, fingerprintSecret } = config
  const secret = fingerprintSecret === undefined ? 'made for each process' : '(set, not shown)'
  const rows = [
    ...Object.entries<Setting>(SETTINGS).map(([key, { variable }]) => {
      const value = printable(String(settings[key as keyof ServiceSettings])) || '(none)'
      return [variable, value, String(sources[key])] as const
    }),
    [SECRETS.keys, `(${keys.length} accepted, not shown)`, ''] as const,
    [SECRETS.fingerprintSecret, secret, ''] as const,
  ]
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  const lines = rows.map(([variable, value, source]) =>
    `${variable.padEnd(width(0))}  ${value.padEnd(width(1))}  ${source}`.trimEnd(),
  )
  return `${lines.join('\n')}\n`
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

/** At the start keys may come through a pipe; waiting for one later would keep every request waiting. */
function refusePipe({ path, name }: KeysFile): void {
  if (mayBlock(path)) {
    throw new ForeproofError('usage', `${name}: ${path} is not a regular file`, {
      help: 'Keys are read again from regular files only.',
    })
  }
}

/** Of a file that cannot be looked at, reading says why. */
function mayBlock(path: string): boolean {
  try {
    return !statSync(path).isFile()
  } catch {
    return false
  }
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
    throw new ForeproofError('usage', `${from}: key ${bad + 1} cannot be sent in a header`, {
      help: `Keys are up to ${LONGEST_KEY} visible ASCII characters, without spaces and commas.`,
    })
  }
  return [...new Set(keys)]
}
