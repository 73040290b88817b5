import { createHash } from 'node:crypto'

/** The name git gives to an object of a type (blob, tree, commit, tag) and these bytes. */
export function objectName(type: string, bytes: Uint8Array, hash: 'sha1' | 'sha256'): string {
  return createHash(hash).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}
