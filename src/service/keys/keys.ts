import { createHmac, randomBytes } from 'node:crypto'
import { sha256Hex } from '../../document/digest.js'

/** Hex digits of a fingerprint: enough to distinguish keys, too few to search for a key. */
const FINGERPRINT_DIGITS = 16
const BEARER = /^bearer +([\x21-\x7e]+)$/i
/** The longest key that can be configured. */
export const MAX_KEY_CHARACTERS = 512

/** An accepted key, without the key itself. */
export interface AcceptedKey {
  /** SHA-256 of its characters, in hex. */
  readonly sha256: string
  /** Its owner; keys of a plain list have no names. */
  readonly name?: string
  /** Requests per window, if it has its own limit. */
  readonly rateLimit?: number
  /** When it expires, in milliseconds of Unix time. */
  readonly expiresAt?: number
}

/** Who sent a request. A rejected key has a fingerprint too, so that an audit can distinguish attempts. */
export interface Caller {
  readonly accepted: boolean
  /** Undefined if no key was sent. */
  readonly fingerprint: string | undefined
  /** The entry of the key, accepted or expired. */
  readonly key?: AcceptedKey
}

export const NO_CALLER: Caller = { accepted: false, fingerprint: undefined }

interface Known {
  readonly caller: Caller & { readonly key: AcceptedKey }
  /** Whether it was sent before. */
  isUsed: boolean
}

/**
 * Replaces a key in the audit log and in a shared limiter: HMAC-SHA-256 of the key's digest, shortened. It uses the
 * digest, so that it can be computed from a keys file too.
 */
export function computeFingerprint(sha256: string, secret: string | Buffer): string {
  return createHmac('sha256', secret).update(sha256).digest('hex').slice(0, FINGERPRINT_DIGITS)
}

/** The form in which a plain key is stored. */
export function hashKey(key: string): AcceptedKey {
  return { sha256: sha256Hex(key) }
}

/**
 * The accepted keys, as digests. One fast hash is enough: a key is random, so its values cannot all be tried, and a
 * slow hash would only make each wrong key expensive for the service. The look-up uses a second digest, with a secret
 * of this process: no client can choose its bytes, so the time of a look-up reveals nothing about any key.
 */
export class KeyRing {
  readonly #salt = randomBytes(32).toString('hex')
  #callers: ReadonlyMap<string, Known> = new Map()

  /**
   * @param secret the key of the fingerprints.
   * @param onFirstUse called with each accepted key when it is sent for the first time.
   */
  constructor(
    keys: readonly AcceptedKey[],
    private readonly secret: string | Buffer,
    private readonly onFirstUse: (key: string) => void = () => {},
  ) {
    this.accept(keys)
  }

  /** Accepts only these keys from now on. A key keeps its fingerprint. */
  accept(keys: readonly AcceptedKey[]): void {
    this.#callers = new Map(
      keys.map((key) => {
        const fingerprint = computeFingerprint(key.sha256, this.secret)
        const caller = { accepted: true, fingerprint, key }
        return [this.#blinded(key.sha256), { caller, isUsed: false }]
      }),
    )
  }

  /** The keys that have not expired. */
  accepted(nowMs: number): AcceptedKey[] {
    const keys = [...this.#callers.values()].map(({ caller }) => caller.key)
    return keys.filter((key) => isValid(key, nowMs))
  }

  /**
   * Parses an Authorization header; the scheme is case-insensitive.
   * @param nowMs Unix time.
   */
  identify(authorization: string | undefined, nowMs: number): Caller {
    const sent = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
    if (sent === undefined) return NO_CALLER
    const sha256 = sha256Hex(sent)
    const entry = this.#callers.get(this.#blinded(sha256))
    if (entry === undefined) {
      return { accepted: false, fingerprint: computeFingerprint(sha256, this.secret) }
    }
    if (!entry.isUsed) this.onFirstUse(sent)
    entry.isUsed = true
    return isValid(entry.caller.key, nowMs) ? entry.caller : { ...entry.caller, accepted: false }
  }

  #blinded(sha256: string): string {
    return sha256Hex(this.#salt + sha256)
  }
}

const isValid = ({ expiresAt = Number.POSITIVE_INFINITY }: AcceptedKey, nowMs: number) =>
  nowMs < expiresAt

/** The prefix of every key that foreproof makes, so that a key is recognised even if it is unknown. */
export const KEY_MARK = 'fpk_'

/** A piece of a key of this length, or a whole shorter key, must not appear in any output. */
const PIECE_LENGTH = 8
const MAX_PATH_CHARACTERS = 256

/**
 * Keeps keys out of logs, also if a client puts one in a path or a request id by mistake. The pieces stay in memory
 * only.
 */
export class Redactor {
  private readonly pieces = new Set<string>()
  private readonly lengths = new Set<number>()

  constructor(keys: readonly string[]) {
    this.add(keys)
  }

  /** Also redacts these; a key that is no longer accepted may still be a secret. */
  add(keys: readonly string[]): void {
    for (const key of keys) {
      const length = Math.min(PIECE_LENGTH, key.length)
      this.lengths.add(length)
      for (let at = 0; at + length <= key.length; at++) {
        this.pieces.add(key.slice(at, at + length).toLowerCase())
      }
    }
  }

  holdsKey(text: string): boolean {
    const lower = text.toLowerCase()
    if (lower.includes(KEY_MARK)) return true
    for (const length of this.lengths) {
      for (let at = 0; at + length <= lower.length; at++) {
        if (this.pieces.has(lower.slice(at, at + length))) return true
      }
    }
    return false
  }

  /** A path for logs: shortened, and replaced completely if it contains a part of a key. */
  path(path: string): string {
    const shown = path.slice(0, MAX_PATH_CHARACTERS)
    if (this.holdsKey(shown) || this.holdsKey(decoded(shown))) return '[redacted]'
    return shown.length < path.length ? `${shown}...` : shown
  }
}

function decoded(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
