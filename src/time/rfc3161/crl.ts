import { ForeproofError } from '../../contract/error.js'
import { type Instant, instantOf } from '../../contract/instant.js'
import { type Algorithm, algorithmIn, extensionsIn, type ReadExtension, treeOf } from './asn1.js'
import { derFault, elementsOf, Malformed, octetsOf, TAG } from './der.js'

/** A list of revoked certificates (CertificateList of RFC 5280), element by element. */
export interface RevocationList {
  readonly file: string
  readonly der: Uint8Array
  /** The part that is signed, in DER. */
  readonly signed: Uint8Array
  readonly signature: Algorithm
  readonly signatureValue: Uint8Array
  readonly issuer: Uint8Array
  readonly nextUpdate: Instant | undefined
  /** A SEQUENCE of the revoked certificates in DER, which may be tens of thousands; see `revokedEntries`. */
  readonly revoked: Uint8Array | undefined
  readonly extensions: readonly ReadExtension[]
}

/**
 * Reads a list in DER. pkijs takes a third of a second for a thousand entries.
 * @throws {ForeproofError} `invalid-input` where the file holds something else.
 */
export function readList(file: string, der: Uint8Array): RevocationList {
  try {
    const fault = derFault(der)
    if (fault !== undefined) throw new Malformed(fault)
    const [signed, algorithm, signatureValue] = [...elementsOf(der)]
    if (!(signed && algorithm && signatureValue)) throw new Malformed('it ends too early')
    const parts = [...elementsOf(signed)]
    const next = (...tags: readonly number[]) =>
      tags.includes(parts[0]?.[0] ?? -1) ? parts.shift() : undefined
    next(TAG.integer)
    next(TAG.sequence)
    const issuer = next(TAG.sequence)
    const thisUpdate = next(TAG.utcTime, TAG.generalizedTime)
    const nextUpdate = next(TAG.utcTime, TAG.generalizedTime)
    const revoked = next(TAG.sequence)
    const extensions = next(0xa0)
    if (issuer === undefined || thisUpdate === undefined || parts.length > 0) {
      throw new Malformed('it has other parts than a list')
    }
    return {
      file,
      der,
      signed,
      signature: algorithmIn(treeOf(algorithm, 'the algorithm of a list')),
      // The first octet of a bit string counts unused bits.
      signatureValue: octetsOf(signatureValue).subarray(1),
      issuer,
      nextUpdate: nextUpdate && instantOfTime(nextUpdate),
      revoked,
      extensions: extensions ? extensionsIn(treeOf(octetsOf(extensions), 'extensions')) : [],
    }
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
    throw new ForeproofError('invalid-input', `${file}: is not a list of revoked certificates`, {
      file,
      help: 'Fetch it again. Look at it with: openssl crl -in FILE -noout -text',
      cause,
    })
  }
}

export interface RevokedEntry {
  readonly at: Instant
  readonly extensions: readonly ReadExtension[]
}

/** The entries of a serial number, usually none. @throws {Malformed} */
export function* revokedEntries(list: RevocationList, serial: Uint8Array): Generator<RevokedEntry> {
  if (list.revoked === undefined) return
  for (const entry of elementsOf(list.revoked)) {
    const [number, at, extensions] = elementsOf(entry)
    if (Buffer.compare(octetsOf(number!), serial) !== 0) continue
    const read = extensions ? extensionsIn(treeOf(extensions, 'extensions')) : []
    yield { at: instantOfTime(at!), extensions: read }
  }
}

/** A UTCTime, of 1950 to 2049, or a GeneralizedTime. @throws {Malformed} */
function instantOfTime(element: Uint8Array): Instant {
  const text = Buffer.from(octetsOf(element)).toString('latin1')
  const century = text < '50' ? '20' : '19'
  const digits = element[0] === TAG.utcTime ? century + text : text
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits)
  const [, year, month, day, hour, minute, second] = match ?? []
  const instant = instantOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (instant === undefined) throw new Malformed('a list of revoked certificates has a wrong time')
  return instant
}
