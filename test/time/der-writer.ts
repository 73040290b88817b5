import { encodeDer, encodeInteger, encodeOid } from '../../src/time/rfc3161/der.js'

// Writes DER for made certificates and stamps; openssl reads them in test/outside.
export type Bytes = Uint8Array

export const seq = (...parts: Bytes[]): Bytes => encodeDer(0x30, ...parts)
export const set = (...parts: Bytes[]): Bytes => encodeDer(0x31, ...parts)
export const octets = (value: Bytes): Bytes => encodeDer(0x04, value)
export const bits = (value: Bytes, unused = 0): Bytes =>
  encodeDer(0x03, Uint8Array.of(unused), value)
export const nothing = (): Bytes => encodeDer(0x05)
export const yes = (): Bytes => encodeDer(0x01, Uint8Array.of(0xff))
export const text = (value: string): Bytes => encodeDer(0x0c, Buffer.from(value))
/** `[number]` around whole elements. */
export const explicit = (number: number, ...parts: Bytes[]): Bytes =>
  encodeDer(0xa0 + number, ...parts)
/** `[number]` in place of the tag of a primitive value. */
export const implicit = (number: number, value: Bytes): Bytes => encodeDer(0x80 + number, value)

export const oid = encodeOid

/** A whole number that is not negative. */
export function int(value: number | Bytes): Bytes {
  if (typeof value !== 'number') return encodeInteger(value)
  const hex = value.toString(16)
  return encodeInteger(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'))
}

/** `20261122100003Z` as the later of the two forms of time, and as the form of certificates. */
export const generalized = (value: string): Bytes => encodeDer(0x18, Buffer.from(value))
export const time = (value: string): Bytes =>
  value < '2050' ? encodeDer(0x17, Buffer.from(value.slice(2))) : generalized(value)

export const name = (commonName: string): Bytes => seq(set(seq(oid('2.5.4.3'), text(commonName))))
