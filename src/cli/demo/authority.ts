import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatUtc, type Instant } from '../../contract/instant.js'
import { encodeDer, encodeInteger, encodeOid, explicitTag, TAG } from '../../time/rfc3161/der.js'
import { parseRequest, type StampRequest } from '../../time/rfc3161/structures.js'

const COMMON_NAME = '2.5.4.3'
const BASIC_CONSTRAINTS = '2.5.29.19'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const ECDSA_WITH_SHA_256 = '1.2.840.10045.4.3.2'
/** RFC 3161 requires a policy; this one belongs to no authority. */
const POLICY = '1.2.3.4.1'
const GRANTED = 0
/** Wide enough for the simulated clocks of tests. */
const VALIDITY = sequence(utcTime('000101000000Z'), utcTime('491231235959Z'))

interface AuthorityOptions {
  /** Part of its certificates. */
  readonly name: string
  /** The clock for its stamps. */
  readonly now: () => Instant
}

export interface DemoAuthority {
  /** The certificate that its users pin, in PEM. */
  readonly anchorPem: string
  /**
   * Answers a request (RFC 3161, DER) with a stamp accurate to a second. @throws {Malformed} if it is not a request.
   */
  reply(query: Uint8Array): Promise<Uint8Array>
}

/**
 * Creates a time-stamping authority at run time whose keys are never stored: for the demo, and for tests without
 * openssl. Its operator chooses the time, so its stamps prove nothing to others.
 */
export async function createAuthority({ name, now }: AuthorityOptions): Promise<DemoAuthority> {
  const [anchorKey, signerKey] = [createKey(), createKey()]
  const issuer = toName(`${name} Root`)
  const anchor = certificate(issuer, anchorKey, { issuer, key: anchorKey }, [
    BASIC_CONSTRAINTS,
    sequence(TRUE),
  ])
  const serial = positiveNumber()
  const signer = certificate(toName(`${name} TSA`), signerKey, { issuer, key: anchorKey, serial }, [
    EXTENDED_KEY_USAGE,
    sequence(encodeOid(TIME_STAMPING)),
  ])
  const by: Signer = { certificate: signer, key: signerKey, named: sequence(issuer, serial) }
  return {
    anchorPem: new X509Certificate(anchor).toString(),
    reply: async (query) => answer(query, now(), by),
  }
}

const createKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** A certificate (RFC 5280, version 3) with one critical extension. */
function certificate(
  subject: Uint8Array,
  subjectKey: KeyObject,
  by: { issuer: Uint8Array; key: KeyObject; serial?: Uint8Array },
  [extension, value]: readonly [string, Uint8Array],
): Uint8Array {
  const algorithm = sequence(encodeOid(ECDSA_WITH_SHA_256))
  const body = sequence(
    encodeDer(explicitTag(0), encodeInteger(Uint8Array.of(2))),
    by.serial ?? positiveNumber(),
    algorithm,
    by.issuer,
    VALIDITY,
    subject,
    createPublicKey(subjectKey).export({ type: 'spki', format: 'der' }),
    encodeDer(explicitTag(3), sequence(sequence(encodeOid(extension), TRUE, octets(value)))),
  )
  const signature = encodeDer(TAG.bitString, Uint8Array.of(0), sign('SHA-256', body, by.key))
  return sequence(body, algorithm, signature)
}

interface Signer {
  readonly certificate: Uint8Array
  readonly key: KeyObject
  /** Its issuer and serial number. */
  readonly named: Uint8Array
}

function answer(query: Uint8Array, at: Instant, signer: Signer): Uint8Array {
  const status = sequence(encodeInteger(Uint8Array.of(GRANTED)))
  return sequence(status, signedData(statement(parseRequest(query), at), signer))
}

/** TSTInfo. */
function statement({ imprint, nonce }: StampRequest, at: Instant): Uint8Array {
  const { algorithm, digest } = imprint
  const parameters = algorithm.parameters?.raw ?? NOTHING
  return sequence(
    encodeInteger(Uint8Array.of(1)),
    encodeOid(POLICY),
    sequence(sequence(encodeOid(algorithm.oid), parameters), octets(digest)),
    positiveNumber(),
    encodeDer(TAG.generalizedTime, Buffer.from(generalizedTime(at))),
    // Accurate to a second.
    sequence(encodeInteger(Uint8Array.of(1))),
    nonce === undefined ? NOTHING : encodeDer(TAG.integer, nonce),
  )
}

function generalizedTime(at: Instant): string {
  return formatUtc(at)
    .replace(/[-:T]/g, '')
    .replace(/0+Z$/, (end) => (formatUtc(at).includes('.') ? 'Z' : end))
}

function signedData(content: Uint8Array, signer: Signer): Uint8Array {
  const sha256 = sequence(encodeOid(SHA_256))
  const attributes = signedAttributes(content, signer.certificate)
  // The signature covers the tag of a SET OF; the message contains another tag.
  const signature = sign('SHA-256', encodeDer(TAG.set, ...attributes), signer.key)
  const signerInfo = sequence(
    encodeInteger(Uint8Array.of(1)),
    signer.named,
    sha256,
    encodeDer(explicitTag(0), ...attributes),
    sequence(encodeOid(ECDSA_WITH_SHA_256)),
    octets(signature),
  )
  const signed = sequence(
    encodeInteger(Uint8Array.of(3)),
    encodeDer(TAG.set, sha256),
    sequence(encodeOid(TST_INFO), encodeDer(explicitTag(0), octets(content))),
    encodeDer(explicitTag(0), signer.certificate),
    encodeDer(TAG.set, signerInfo),
  )
  return sequence(encodeOid(SIGNED_DATA), encodeDer(explicitTag(0), signed))
}

/** In the order that DER requires for a set: shorter ones first. */
function signedAttributes(content: Uint8Array, certificate: Uint8Array): Uint8Array[] {
  const digest = (bytes: Uint8Array) => octets(createHash('sha256').update(bytes).digest())
  const attribute = (type: string, value: Uint8Array) =>
    sequence(encodeOid(type), encodeDer(TAG.set, value))
  return [
    attribute(CONTENT_TYPE, encodeOid(TST_INFO)),
    attribute(MESSAGE_DIGEST, digest(content)),
    attribute(SIGNING_CERTIFICATE_V2, sequence(sequence(sequence(digest(certificate))))),
  ]
}

const NOTHING = new Uint8Array()
const TRUE = encodeDer(TAG.boolean, Uint8Array.of(0xff))

function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return encodeDer(TAG.sequence, ...parts)
}

function utcTime(text: string): Uint8Array {
  return encodeDer(TAG.utcTime, Buffer.from(text))
}

const octets = (value: Uint8Array) => encodeDer(TAG.octetString, value)

/** A random serial number, unique across authorities. */
const positiveNumber = () => encodeInteger(Uint8Array.of(1, ...randomBytes(8)))

const toName = (commonName: string) =>
  sequence(
    encodeDer(
      TAG.set,
      sequence(encodeOid(COMMON_NAME), encodeDer(TAG.utf8String, Buffer.from(commonName))),
    ),
  )

/** An authority that answers on the loopback address until it is closed. */
export interface ServedAuthority {
  readonly url: string
  close(): void
}

const REPLY_TYPE = 'application/timestamp-reply'
/** Largest size of a request, which is a digest and some numbers. */
const LARGEST_QUERY = 10_000

/** Answers requests of RFC 3161 over HTTP, on a free port of 127.0.0.1. */
export async function serveAuthority(authority: DemoAuthority): Promise<ServedAuthority> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > LARGEST_QUERY) request.destroy()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      authority.reply(Buffer.concat(chunks)).then(
        (stamp) => response.writeHead(200, { 'content-type': REPLY_TYPE }).end(stamp),
        () => response.writeHead(400).end(),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
