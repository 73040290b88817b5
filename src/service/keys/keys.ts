import { createHmac, timingSafeEqual } from 'node:crypto'

/** Hex digits of a fingerprint: enough to tell keys apart, too few to search for a key. */
const FINGERPRINT_DIGITS = 16
const BEARER = /^bearer +([\x21-\x7e]+)$/i
/** The longest key that is accepted; comparisons always run over so many bytes. */
export const LONGEST_KEY = 512

interface KnownKey {
  /** The key, padded with zeros, which no key contains. */
  readonly padded: Buffer
  readonly caller: Caller
}

/** Who sent a request. A key that is not accepted has a fingerprint too, so that an audit can tell tries apart. */
export interface Caller {
  readonly accepted: boolean
  /** Undefined when no key was sent. */
  readonly fingerprint: string | undefined
}

export const NOBODY: Caller = { accepted: false, fingerprint: undefined }

/**
 * The accepted keys. A presented key is compared with every one of them in constant time, whether or
 * not one has matched already, so that the time tells nothing about any of them.
 */
export class KeyRing {
  private known: readonly KnownKey[] = []
  private readonly presented = Buffer.alloc(LONGEST_KEY)

  /** @param secret what fingerprints (HMAC-SHA-256 of the key, shortened) are keyed with. */
  constructor(
    keys: readonly string[],
    private readonly secret: string | Buffer,
  ) {
    this.accept(keys)
  }

  /** Accepts these keys and no others from now on. A key has the same fingerprint as before. */
  accept(keys: readonly string[]): void {
    this.known = keys.map((key) => {
      const padded = Buffer.alloc(LONGEST_KEY)
      padded.write(key, 'latin1')
      return { padded, caller: { accepted: true, fingerprint: this.fingerprintOf(key) } }
    })
  }

  /** Reads an Authorization header; the scheme is matched without regard to case. */
  identify(authorization: string | undefined): Caller {
    const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
    if (key === undefined) return NOBODY
    this.presented.fill(0)
    this.presented.write(key, 'latin1')
    let match = -1
    for (let index = 0; index < this.known.length; index++) {
      const equal = Number(timingSafeEqual(this.presented, this.known[index]!.padded))
      match += equal * (index + 1)
    }
    const caller = key.length <= LONGEST_KEY ? this.known[match]?.caller : undefined
    return caller ?? { accepted: false, fingerprint: this.fingerprintOf(key) }
  }

  private fingerprintOf(key: string): string {
    const digest = createHmac('sha256', this.secret).update(key, 'latin1').digest('hex')
    return digest.slice(0, FINGERPRINT_DIGITS)
  }
}
