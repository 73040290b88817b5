import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { checkKeysFile } from '../../contract/generated/check-keys-file.js'
import { formatStored, type Instant, parseInstant } from '../../contract/instant.js'
import { nearest } from '../../contract/nearest.js'
import type { KeysFile } from '../../contract/types.js'
import { sha256Hex } from '../../document/digest.js'
import { readDocument } from '../../document/read.js'
import { type Access, writeFileAtomic } from '../../files/atomic.js'
import { withLock } from '../../files/lock.js'
import { readRegular } from '../../files/regular.js'
import { type AcceptedKey, KEY_MARK } from './keys.js'

/** Too many random bytes for a search through all values. */
const SECRET_BYTES = 32
const MAX_KEYS = 1000
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** A new file is readable by its owner and group. */
const NEW_FILE: Access = { mode: 0o640 }

/**
 * Makes a key and its entry. Only the caller gets the key: it cannot be recovered from the entry.
 * @throws {ForeproofError} `usage` for a name that a keys file does not accept, or an end in the past.
 */
export function createKey(of: {
  readonly name: string
  readonly rateLimit?: number | undefined
  readonly expires?: Instant | undefined
  readonly now: Instant
}) {
  const { name, rateLimit, expires, now } = of
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
 * Adds an entry; creates a missing file.
 * @throws {ForeproofError} `refused` if the name exists or the file is full; as `readKeysFile` and the writer.
 */
export function addKey(path: string, entry: KeyEntry): void {
  updateKeysFile(path, (keys) => {
    if (keys.some(({ name }) => name === entry.name)) {
      throw new ForeproofError('refused', `${path}: there is a key named ${entry.name}`, {
        file: path,
        help: 'Choose another name, and revoke the former key when no one uses it any more.',
      })
    }
    if (keys.length >= MAX_KEYS) {
      throw new ForeproofError('refused', `${path}: holds ${MAX_KEYS} keys, which is the most`, {
        file: path,
        help: 'Revoke what is not used.',
      })
    }
    return [...keys, entry]
  })
}

/** Removes the entry of a name. @throws {ForeproofError} `refused` if it does not exist; as `addKey`. */
export function revokeKey(path: string, name: string): void {
  updateKeysFile(path, (keys) => {
    const left = keys.filter((key) => key.name !== name)
    if (left.length < keys.length) return left
    const names = keys.map((key) => key.name)
    const close = nearest(name, names)
    const help = close ? `Did you mean ${close}?` : '`foreproof keys list` names them all.'
    const message = `${path}: there is no key named ${JSON.stringify(name)}`
    throw new ForeproofError('refused', message, { file: path, help })
  })
}

/** One writer at a time. A reader sees the old file or the new one, with the same owner and permissions. */
function updateKeysFile(path: string, of: (keys: KeyEntry[]) => KeyEntry[]): void {
  // A link stays a link: its target is replaced.
  const file = existsSync(path) ? realpathSync(path) : path
  withLock(file, () => {
    const isNew = !existsSync(file)
    const keys = of(isNew ? [] : readKeysFile(file))
    const text = `${JSON.stringify({ schema_version: 1, keys }, null, 2)}\n`
    writeFileAtomic(file, text, isNew ? NEW_FILE : statSync(file))
  })
}

/** A thousand keys take a quarter of this. */
const MAX_BYTES = 1_048_576
const OTHERS = 0o007
/** Pointers to known members; any other pointer may contain untrusted text. */
const KNOWN =
  /^\/(?:schema_version|keys(?:\/\d+(?:\/(?:name|sha256|created_at|expires_at|rate_limit))?)?)$/

export type KeyEntry = KeysFile['keys'][number]

/**
 * Reads a keys file. Errors quote nothing of its content, because it may contain a plain key by mistake.
 * @throws {ForeproofError} `invalid-input` with the line if it is not a keys file; `not-found`, `io` or `unavailable`
 * if it cannot be read.
 */
export function readKeysFile(path: string): KeyEntry[] {
  const document = readDocument(readRegular(path, MAX_BYTES), path)
  const [fault] = document.ok ? checkKeysFile(document.value) : document.findings
  if (!document.ok || fault !== undefined) {
    const { code, pointer = '', position } = fault ?? {}
    const where = KNOWN.test(pointer) ? ` at ${pointer}` : ''
    const at = document.ok ? document.positionAt(pointer) : position
    throw fileFault(path, at?.line ?? 1, `${code}${where}`)
  }
  const { keys } = document.value as KeysFile
  for (const member of ['name', 'sha256'] as const) {
    const seen = new Set<string>()
    for (const [index, key] of keys.entries()) {
      const pointer = `/keys/${index}/${member}`
      const { line } = document.positionAt(pointer)
      if (seen.has(key[member])) throw fileFault(path, line, `another key has the same ${member}`)
      seen.add(key[member])
    }
  }
  return keys
}

/** Converts an entry to the form of the service. */
export function toAcceptedKey({ name, sha256, rate_limit, expires_at }: KeyEntry): AcceptedKey {
  const expires = parseInstant(expires_at)
  return {
    name,
    sha256,
    ...(rate_limit !== undefined && { rateLimit: rate_limit }),
    ...(expires !== undefined && { expiresAt: expires / 1000 }),
  }
}

/** The permissions of users who are neither owner nor in the group, as `ls` shows them; undefined for none. */
export function rightsOfOthers(path: string): string | undefined {
  const rights = statSync(path).mode & OTHERS
  if (rights === 0 || process.platform === 'win32') return undefined
  return [rights & 4 && 'read', rights & 2 && 'write', rights & 1 && 'run']
    .filter(Boolean)
    .join(' and ')
}

function fileFault(path: string, line: number, what: string): ForeproofError {
  return new ForeproofError('invalid-input', `${path}:${line}: is no keys file: ${what}`, {
    file: path,
    help: '`foreproof schema keys` prints its form; `foreproof keys new` writes it.',
  })
}
