import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { formatStored, type Instant } from '../../contract/instant.js'
import { nearest } from '../../contract/nearest.js'
import { sha256Hex } from '../../document/digest.js'
import { type Access, writeFileAtomic } from '../../files/atomic.js'
import { withLock } from '../../files/lock.js'
import { type KeyEntry, readKeysFile } from './key-file.js'
import { KEY_MARK } from './keys.js'

/** So many random bytes that they cannot all be tried. */
const SECRET_BYTES = 32
const MOST_KEYS = 1000
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** A new file is for its owner and a group. */
const NEW_FILE: Access = { mode: 0o640 }

interface NewKey {
  readonly name: string
  readonly rateLimit?: number | undefined
  readonly expires?: Instant | undefined
  readonly now: Instant
}

/**
 * Makes a key and its entry. The key is nowhere else: what is lost cannot be read back from the entry.
 * @throws {ForeproofError} `usage` for a name that a keys file does not take, or an end that is past.
 */
export function makeKey({ name, rateLimit, expires, now }: NewKey): {
  key: string
  entry: KeyEntry
} {
  if (!NAME.test(name)) {
    throw new ForeproofError('usage', `${JSON.stringify(name)} is no name for a key`, {
      help: 'Up to 64 letters, digits, dots, dashes and underscores, a letter or digit first.',
    })
  }
  if (expires !== undefined && expires <= now) {
    throw new ForeproofError('usage', `a key that expires at ${formatStored(expires)} is no use`, {
      help: 'Give an instant in the future.',
    })
  }
  const key = KEY_MARK + randomBytes(SECRET_BYTES).toString('base64url')
  const entry: KeyEntry = {
    name,
    sha256: sha256Hex(key),
    created_at: formatStored(now),
    ...(expires !== undefined && { expires_at: formatStored(expires) }),
    ...(rateLimit !== undefined && { rate_limit: rateLimit }),
  }
  return { key, entry }
}

/**
 * Adds an entry; a file that is not there is begun.
 * @throws {ForeproofError} `refused` where the name is taken or the file full; as `readKeysFile` and the writer.
 */
export function addKey(path: string, entry: KeyEntry): void {
  change(path, (keys) => {
    if (keys.some(({ name }) => name === entry.name)) {
      throw new ForeproofError('refused', `${path}: there is a key named ${entry.name}`, {
        file: path,
        help: 'Choose another name, and revoke the former key when no one uses it any more.',
      })
    }
    if (keys.length >= MOST_KEYS) {
      throw new ForeproofError('refused', `${path}: holds ${MOST_KEYS} keys, which is the most`, {
        file: path,
        help: 'Revoke what is not used.',
      })
    }
    return [...keys, entry]
  })
}

/** Removes the entry of a name. @throws {ForeproofError} `refused` where there is none; as `addKey`. */
export function revokeKey(path: string, name: string): void {
  change(path, (keys) => {
    const left = keys.filter((key) => key.name !== name)
    if (left.length < keys.length) return left
    const close = nearest(
      name,
      keys.map((key) => key.name),
    )
    throw new ForeproofError('refused', `${path}: there is no key named ${JSON.stringify(name)}`, {
      file: path,
      help:
        close === undefined ? '`foreproof keys list` names them all.' : `Did you mean ${close}?`,
    })
  })
}

/** One writer at a time; a reader sees the old file or the new one, with the same owner and rights. */
function change(path: string, of: (keys: KeyEntry[]) => KeyEntry[]): void {
  // A link stays one: what it leads to is replaced.
  const file = existsSync(path) ? realpathSync(path) : path
  withLock(file, () => {
    const isNew = !existsSync(file)
    const keys = of(isNew ? [] : readKeysFile(file))
    const text = `${JSON.stringify({ schema_version: 1, keys }, null, 2)}\n`
    writeFileAtomic(file, text, isNew ? NEW_FILE : statSync(file))
  })
}
