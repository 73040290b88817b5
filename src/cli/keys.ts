import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'
import { readRegular } from '../files/regular.js'
import { SETTINGS } from '../service/config/settings.js'
import type { Terminal } from './command.js'
import { readAs, text, usage } from './options.js'

const { variable } = SETTINGS.keysFile

/** The file of digests that `serve` reads. */
export const KEYS = {
  ...text(`Keys file [${variable}]`),
  read: (given: string | undefined, name: string, { env }: Terminal): string => {
    const path = given ?? (env[variable] || undefined)
    if (path !== undefined) return path
    throw usage(`--${name} is missing`, `Give --keys FILE, or set ${variable}.`)
  },
}

const LARGEST_KEY = 16_384

/**
 * Reads the private key that signs checkpoints from its PEM file; no message contains any part of it.
 * @throws {ForeproofError} `usage` if it is not an Ed25519 private key without a password; `io` and `not-found`.
 */
export function signingKey(file: string): KeyObject {
  return keyFrom(file, 'private', createPrivateKey)
}

/** The option that names such a file. */
export const SIGNING_KEY = readAs(text('Ed25519 private key (PEM) to sign with'), signingKey)

/** The option for the public key of a checkpoint. */
export const PUBLIC_KEY = readAs(
  text('Ed25519 public key (PEM) that must have signed the checkpoint'),
  (file: string) => keyFrom(file, 'public', createPublicKey),
)

function keyFrom(file: string, kind: string, read: (pem: Buffer) => KeyObject): KeyObject {
  const pem = readRegular(file, LARGEST_KEY)
  let key: KeyObject | undefined
  try {
    key = read(pem)
  } catch {
    // An OpenSSL message about a broken key may contain a part of it.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new ForeproofError('usage', `${file}: no ${kind} key of Ed25519 in PEM`, {
    file,
    help: 'To make a key: openssl genpkey -algorithm ed25519 -out key.pem; its public half: openssl pkey -in key.pem -pubout',
  })
}
