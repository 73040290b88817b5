import { fileURLToPath } from 'node:url'
import { sha256Hex } from '../document/digest.js'
import { readCodeVersion } from '../evaluation/code-version.js'
import { readRegular } from '../files/regular.js'

const LARGEST = 16 * 1_048_576

/** The verify.html of this foreproof. @throws {ForeproofError} as `readRegular`. */
export function verifyPage(): Buffer {
  return readRegular(fileURLToPath(new URL('../../dist/verify.html', import.meta.url)), LARGEST)
}

/** The release and digest of the verify.html of this foreproof. */
export function describeVerifier() {
  const { name, version } = readCodeVersion()
  return { release: `${name} ${version}`, sha256: sha256Hex(verifyPage()) }
}

/** Digests of the files of this foreproof. */
export const releaseDigests = (): (readonly [name: string, sha256: string])[] => [
  ['code', readCodeVersion().sha256],
  ['verify.html', describeVerifier().sha256],
]
