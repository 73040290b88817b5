import { createHmac, randomBytes } from 'node:crypto'
import { sha256Hex } from '../../document/digest.js'

/** Hex digits of a fingerprint: enough to tell keys apart, too few to search for a key. */
const FINGERPRINT_DIGITS = 16
const BEARER = /^bearer +([\x21-\x7e]+)$/i
/** The longest key that can be configured. */
export const LONGEST_KEY = 512

/** A key that is accepted, without the key. */
export interface AcceptedKey {
  /** SHA-256 of its characters, in hex. */
  readonly sha256: string
  /** Whose it is; keys of a plain list have no names. */
  readonly name?: string
  /** Requests per window, where it has a limit of its own. */
  readonly rateLimit?: number
  /** From when on it is refused, in milliseconds of Unix time. */
  readonly expiresAt?: number
}

/** Who sent a request. A key that is not accepted has a fingerprint too, so that an audit can tell tries apart. */
export interface Caller {
  readonly accepted: boolean
  /** Undefined when no key was sent. */
  readonly fingerprint: string | undefined
  /** What is known of an accepted key. */
  readonly key?: AcceptedKey
}

export const NOBODY: Caller = { accepted: false, fingerprint: undefined }

interface Known {
  readonly key: AcceptedKey
  /** Made when the key is sent for the first time. */
  caller?: Caller
}

/** How a plain key is kept. */
export function plainKey(key: string): AcceptedKey {
  return { sha256: sha256Hex(key) }
}

/**
 * The accepted keys, as digests. One fast hash is enough: a key is random, so that nobody can go through all
 * that it might be, and a slow hash would let every wrong key cost the service what it should cost a thief.
 * What is looked up is the digest once more, with a secret of this process: nobody can choose its bytes,
 * so that the time of a look-up tells nothing of any key.
 */
export class KeyRing {
  readonly #salt = randomBytes(32).toString('hex')
  #known: ReadonlyMap<string, Known> = new Map()

  /**
   * @param secret what fingerprints (HMAC-SHA-256 of the key, shortened) are keyed with.
   * @param met told of each accepted key when it is sent for the first time.
   */
  constructor(
    keys: readonly AcceptedKey[],
    private readonly secret: string | Buffer,
    private readonly met: (key: string) => void = () => {},
  ) {
    this.accept(keys)
  }

  /** Accepts these keys and no others from now on. A key has the same fingerprint as before. */
  accept(keys: readonly AcceptedKey[]): void {
    this.#known = new Map(keys.map((key) => [this.#blinded(key.sha256), { key }]))
  }

  /** The keys that have not expired. */
  accepted(nowMs: number): AcceptedKey[] {
    return [...this.#known.values()].map(({ key }) => key).filter((key) => isValid(key, nowMs))
  }

  /**
   * Reads an Authorization header; the scheme is matched without regard to case.
   * @param nowMs Unix time.
   */
  identify(authorization: string | undefined, nowMs: number): Caller {
    const sent = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
    if (sent === undefined) return NOBODY
    const known = this.#known.get(this.#blinded(sha256Hex(sent)))
    if (known === undefined) return { accepted: false, fingerprint: this.#fingerprintOf(sent) }
    known.caller ??= this.#meet(sent, known.key)
    if (isValid(known.key, nowMs)) return known.caller
    return { accepted: false, fingerprint: known.caller.fingerprint }
  }

  #meet(sent: string, key: AcceptedKey): Caller {
    this.met(sent)
    return { accepted: true, fingerprint: this.#fingerprintOf(sent), key }
  }

  #blinded(sha256: string): string {
    return sha256Hex(this.#salt + sha256)
  }

  #fingerprintOf(key: string): string {
    const digest = createHmac('sha256', this.secret).update(key, 'latin1').digest('hex')
    return digest.slice(0, FINGERPRINT_DIGITS)
  }
}

function isValid({ expiresAt }: AcceptedKey, nowMs: number): boolean {
  return expiresAt === undefined || nowMs < expiresAt
}
