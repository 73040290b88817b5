import type { Argv } from 'yargs'
import { ForeproofError } from '../../contract/error.js'
import { SETTINGS } from '../../service/config/settings.js'
import type { Terminal } from '../command.js'

const { variable } = SETTINGS.keysFile

/** Adds `--keys`, the file of digests that `serve` reads. */
export function withKeys<A>(yargs: Argv<A>): Argv<A & { keys: string | undefined }> {
  return yargs.option('keys', { type: 'string', describe: `Keys file [${variable}]` })
}

/** The keys file a command works on, if one is named. */
export function keysPath(given: string | undefined, env: Terminal['env']): string | undefined {
  return given ?? (env[variable] || undefined)
}

/** @throws {ForeproofError} `usage` where none is named. */
export function demandKeysPath(given: string | undefined, env: Terminal['env']): string {
  const path = keysPath(given, env)
  if (path !== undefined) return path
  throw new ForeproofError('usage', '--keys is missing', {
    help: `Give --keys FILE, or set ${variable}.`,
  })
}
