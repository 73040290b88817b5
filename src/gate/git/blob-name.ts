import { createHash } from 'node:crypto'

/** The name git gives to a file of these bytes. */
export function blobName(bytes: Uint8Array, hash: 'sha1' | 'sha256'): string {
  return createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
