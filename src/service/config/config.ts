import { printable } from '../../contract/printable.js'
import { variableOrFile } from '../../files/variable.js'
import { plainFileOf, plainKeysOf, readKeyEntries, refusePipe } from './key-sources.js'
import {
  decideSettings,
  requireSharedSecret,
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
  /** Reads plain keys again; undefined where they came from a variable, which does not change. */
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
  const plainFile = plainFileOf(env, flags['api-keys-file'])
  const settings = decideSettings((key, { flag, variable, shown }) => {
    const asked = flags[flag]
    if (asked !== undefined) {
      sources[key] = `--${flag}`
      return { value: String(asked), name: `--${flag}` }
    }
    // What may hold a secret can be given in a file as well.
    const value = shown === undefined ? env[variable] || undefined : variableOrFile(env, variable)
    const source = env[variable] ? 'environment' : `${variable}_FILE`
    sources[key] = value === undefined ? 'default' : source
    return { value, name: variable }
  }, plainFile?.path)
  const { keysFile } = settings
  const { flag, variable } = SETTINGS.keysFile
  const name = sources.keysFile === 'environment' ? variable : `--${flag}`
  const keys = plainKeysOf(env, plainFile, keysFile)
  const keyCount = keysFile === '' ? keys.length : readKeyEntries(keysFile, name).length
  const fingerprintSecret = variableOrFile(env, SECRETS.fingerprintSecret)
  requireSharedSecret(settings, fingerprintSecret, SECRETS.fingerprintSecret)
  const readKeysAgain =
    plainFile &&
    (() => {
      refusePipe(plainFile)
      return plainKeysOf({}, plainFile)
    })
  return { settings, sources, keys, keyCount, readKeysAgain, fingerprintSecret }
}

/** The effective configuration for a person, one setting a line; of secrets only whether they are set. */
export function describeConfig(config: ServiceConfig): string {
  const { settings, sources, keyCount, fingerprintSecret } = config
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
  return `${lines.join('\n')}\n`
}
