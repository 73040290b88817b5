import { createHash } from 'node:crypto'
import { der, derInteger, TAG } from './der.js'

const ONE = Uint8Array.of(1)
const TRUE = Uint8Array.of(0xff)
/** id-sha256, 2.16.840.1.101.3.4.2.1, as an OBJECT IDENTIFIER holds it. */
const SHA_256 = Uint8Array.of(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01)

/**
 * The request for a stamp over `data`, as `openssl ts -query -sha256 -cert` writes it (RFC 3161,
 * TimeStampReq in DER): the SHA-256 of the data, a nonce, and the wish for the signer's certificate.
 * @param nonce - bytes that nobody could foresee, 8 to 32 of them; the answer has to repeat them.
 */
export function timeStampQuery(data: Uint8Array, nonce: Uint8Array): Uint8Array {
  const algorithm = der(TAG.sequence, der(TAG.objectIdentifier, SHA_256), der(TAG.null))
  const digest = der(TAG.octetString, createHash('sha256').update(data).digest())
  return der(
    TAG.sequence,
    der(TAG.integer, ONE),
    der(TAG.sequence, algorithm, digest),
    derInteger(nonce),
    der(TAG.boolean, TRUE),
  )
}
