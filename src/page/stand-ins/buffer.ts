/// <reference lib="dom" />
// The parts of Node's Buffer that the program uses, for browsers.

type Encoding = 'utf8' | 'latin1' | 'hex' | 'base64' | 'base64url'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Maximum number of arguments per call. */
const MANY = 8192

/** Without the static side of Uint8Array, whose `from` has other parameters. */
const Bytes = Uint8Array as unknown as new (
  of: number | ArrayBufferLike,
  offset?: number,
  length?: number,
) => Uint8Array

/** Bytes with Node's encodings. */
export class Buffer extends Bytes {
  static alloc(size: number): Buffer {
    return new Buffer(size)
  }

  static of(...octets: number[]): Buffer {
    return Buffer.from(octets)
  }

  /** Shares the memory of an ArrayBuffer; copies everything else. */
  static from(
    of: string | ArrayBuffer | ArrayLike<number>,
    how?: Encoding | number,
    length?: number,
  ): Buffer {
    if (of instanceof ArrayBuffer) return new Buffer(of, Number(how ?? 0), length)
    const bytes = typeof of === 'string' ? encoded(of, (how ?? 'utf8') as Encoding) : of
    const copy = new Buffer(bytes.length)
    copy.set(bytes)
    return copy
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const joined = new Buffer(parts.reduce((sum, part) => sum + part.length, 0))
    let at = 0
    for (const part of parts) {
      joined.set(part, at)
      at += part.length
    }
    return joined
  }

  static compare(one: Uint8Array, other: Uint8Array): number {
    const most = Math.min(one.length, other.length)
    for (let at = 0; at < most; at++) {
      if (one[at] !== other[at]) return (one[at] as number) < (other[at] as number) ? -1 : 1
    }
    return Math.sign(one.length - other.length)
  }

  static byteLength(text: string): number {
    return encoder.encode(text).length
  }

  equals(other: Uint8Array): boolean {
    return Buffer.compare(this, other) === 0
  }

  override toString(encoding: Encoding = 'utf8', start = 0, end = this.length): string {
    const part = this.subarray(start, end)
    if (encoding === 'utf8') return decoder.decode(part)
    if (encoding === 'hex') {
      return Array.from(part, (octet) => octet.toString(16).padStart(2, '0')).join('')
    }
    let text = ''
    for (let at = 0; at < part.length; at += MANY) {
      text += String.fromCharCode.apply(null, part.subarray(at, at + MANY) as unknown as number[])
    }
    if (encoding === 'latin1') return text
    const base64 = btoa(text)
    if (encoding === 'base64') return base64
    return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }

  readBigUInt64BE(): bigint {
    return new DataView(this.buffer, this.byteOffset).getBigUint64(0)
  }
}

function encoded(text: string, encoding: Encoding): ArrayLike<number> {
  if (encoding === 'utf8') return encoder.encode(text)
  if (encoding === 'latin1') {
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
    return bytes
  }
  if (encoding === 'hex') {
    const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)?.[0].match(/../g) ?? []
    return pairs.map((pair) => Number.parseInt(pair, 16))
  }
  const plain = text.replace(/=.*/s, '').replaceAll('-', '+').replaceAll('_', '/')
  const sound = plain.replaceAll(/[^A-Za-z0-9+/]/g, '')
  return encoded(atob(sound.length % 4 === 1 ? sound.slice(0, -1) : sound), 'latin1')
}

/** Whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
