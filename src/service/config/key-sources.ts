import { statSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { readNamed } from '../../files/variable.js'
import { type KeyEntry, readKeysFile } from '../keys/key-file.js'
import { LONGEST_KEY } from '../keys/keys.js'
import { SECRETS, SETTINGS } from './settings.js'

/** A file of plain keys, one a line. */
export interface PlainFile {
  readonly path: string
  /** The variable or flag that names it. */
  readonly name: string
}

/** The file of plain keys, where one is named. */
export function plainFileOf(env: NodeJS.ProcessEnv, flag: unknown): PlainFile | undefined {
  if (typeof flag === 'string') return { path: flag, name: '--api-keys-file' }
  const path = env[SECRETS.plainKeysFile] || undefined
  return path === undefined ? undefined : { path, name: SECRETS.plainKeysFile }
}

/**
 * The plain keys, from the list or the file; none where a file of digests is named.
 * @param digests that file; empty where there is none.
 * @throws {ForeproofError} `usage` where there is no key, or keys come from more than one place.
 */
export function plainKeysOf(
  env: NodeJS.ProcessEnv,
  file: PlainFile | undefined,
  digests = '',
): string[] {
  const listed = env[SECRETS.keys] || undefined
  const given = [listed !== undefined, file !== undefined, digests !== '']
  if (given.filter(Boolean).length > 1) {
    throw new ForeproofError('usage', 'API keys are given in two places', {
      help:
        `Set one of ${SECRETS.keys}, ${SECRETS.plainKeysFile} and ${SETTINGS.keysFile.variable} ` +
        `(--${SETTINGS.keysFile.flag}), not both.`,
    })
  }
  if (digests !== '') return []
  const keys =
    file === undefined
      ? readKeys((listed ?? '').split(','), SECRETS.keys)
      : readKeys(readNamed(file.path, file.name).split(/\r?\n/), `${file.name}: ${file.path}`)
  if (keys.length === 0) throw noKey()
  return keys
}

/**
 * The entries of a file of digests, which a service may start with.
 * @param name the variable, flag or option that names the file.
 * @throws {ForeproofError} `usage` where it cannot be read, is at fault or holds no key.
 */
export function readKeyEntries(path: string, name: string): readonly KeyEntry[] {
  let entries: readonly KeyEntry[]
  try {
    entries = readKeysFile(path)
  } catch (cause) {
    if (!(cause instanceof ForeproofError)) throw cause
    const { message, help } = cause
    throw new ForeproofError('usage', `${name}: ${message}`, {
      cause,
      ...(help === undefined ? {} : { help }),
    })
  }
  if (entries.length === 0) throw noKey()
  return entries
}

/** What a service without a key does not start for. */
export function noKey(): ForeproofError {
  return new ForeproofError('usage', 'no API key is configured', {
    help:
      `Set ${SECRETS.keys} (keys by comma) or ${SECRETS.plainKeysFile} (a file, one key per line), ` +
      'or make one: foreproof keys new NAME --keys FILE.',
  })
}

/** At the start keys may come through a pipe; waiting for one later would keep every request waiting. */
export function refusePipe({ path, name }: PlainFile): void {
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
