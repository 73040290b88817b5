import { statSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import type { Finding } from '../../contract/findings/finding.js'
import { checkKeysFile } from '../../contract/generated/check-keys-file.js'
import { instantOf } from '../../contract/instant.js'
import type { KeysFile } from '../../contract/types.js'
import { readDocument } from '../../document/read.js'
import { readRegular } from '../../files/regular.js'
import type { AcceptedKey } from './keys.js'

/** A thousand keys are a quarter of this. */
const MAX_BYTES = 1_048_576
const OTHERS = 0o007
/** A pointer that leads to a member of the form: any other may be made of foreign text. */
const KNOWN =
  /^\/(?:schema_version|keys(?:\/\d+(?:\/(?:name|sha256|created_at|expires_at|rate_limit))?)?)$/

export type KeyEntry = KeysFile['keys'][number]

/**
 * Reads a keys file. Nothing of its content is quoted in an error: a key may have been put there.
 * @throws {ForeproofError} `invalid-input` with the line for what is no keys file; `not-found`, `io` or
 * `unavailable` where it cannot be read.
 */
export function readKeysFile(path: string): KeyEntry[] {
  const document = readDocument(readRegular(path, MAX_BYTES), path)
  if (!document.ok) throw faulty(path, document.findings[0])
  const [fault] = checkKeysFile(document.value)
  if (fault !== undefined) {
    throw faulty(path, { ...fault, position: document.positionOf(fault.pointer ?? '') })
  }
  const { keys } = document.value as KeysFile
  for (const member of ['name', 'sha256'] as const) {
    const seen = new Set<string>()
    for (const [index, key] of keys.entries()) {
      const pointer = `/keys/${index}/${member}`
      if (seen.has(key[member])) {
        throw fileFault(
          path,
          document.positionOf(pointer).line,
          `another key has the same ${member}`,
        )
      }
      seen.add(key[member])
    }
  }
  return keys
}

/** An entry as the service keeps it. */
export function acceptedKey({ name, sha256, rate_limit, expires_at }: KeyEntry): AcceptedKey {
  const expires = instantOf(expires_at)
  return {
    name,
    sha256,
    ...(rate_limit !== undefined && { rateLimit: rate_limit }),
    ...(expires !== undefined && { expiresAt: expires / 1000 }),
  }
}

/** The rights that users have who are neither owner nor of its group, as `ls` shows them; undefined for none. */
export function openToOthers(path: string): string | undefined {
  const rights = statSync(path).mode & OTHERS
  if (rights === 0 || process.platform === 'win32') return undefined
  return [rights & 4 && 'read', rights & 2 && 'write', rights & 1 && 'run']
    .filter(Boolean)
    .join(' and ')
}

function faulty(path: string, found: Partial<Finding> | undefined): ForeproofError {
  const { code, pointer = '', position } = found ?? {}
  const where = KNOWN.test(pointer) ? ` at ${pointer}` : ''
  return fileFault(path, position?.line ?? 1, `${code}${where}`)
}

function fileFault(path: string, line: number, what: string): ForeproofError {
  return new ForeproofError('invalid-input', `${path}:${line}: is no keys file: ${what}`, {
    file: path,
    help: '`foreproof schema keys` prints its form; `foreproof keys new` writes it.',
  })
}
