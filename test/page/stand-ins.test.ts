import * as node from 'node:crypto'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isUtf8, Buffer as PageBuffer } from '../../src/page/stand-ins/buffer.js'
import * as page from '../../src/page/stand-ins/crypto.js'
import * as path from '../../src/page/stand-ins/path.js'
import { numbers } from '../support/random.js'

/** Bytes of many lengths, the same in every run. */
function* samples(): Generator<Buffer> {
  const next = numbers(7)
  for (let length = 0; length < 300; length += 7) {
    yield Buffer.from(Array.from({ length }, () => Math.floor(next() * 256)))
  }
}

describe('digests of the page', () => {
  it.each(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])('are those of Node: %s', (name) => {
    for (const bytes of samples()) {
      const expected = node.createHash(name).update(bytes).update('é').digest('hex')
      expect(page.createHash(name).update(bytes).update('é').digest('hex')).toBe(expected)
      expect(page.hash(name, bytes)).toBe(node.createHash(name).update(bytes).digest('hex'))
    }
  })
})

describe('signatures of the page', () => {
  // RFC 8032, 7.1, test 2.
  const x = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex')
  const signature = Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  )
  it('hold for Ed25519 as RFC 8032 says, and for no other text', () => {
    const key = page.createPublicKey({ key: { x: x.toString('base64url') } })
    expect(page.verify(null, Uint8Array.of(0x72), key, signature)).toBe(true)
    expect(page.verify(null, Uint8Array.of(0x73), key, signature)).toBe(false)
    expect(key.export().x).toBe(x.toString('base64url'))
  })
})

describe('bytes of the page', () => {
  const texts = ['', 'plain', 'é, 日本 and 😀', '\ufeffmark', 'lone \ud800']
  it('are encoded and decoded as Node does it', () => {
    for (const bytes of samples()) {
      const own = PageBuffer.from(bytes)
      for (const encoding of ['utf8', 'latin1', 'hex', 'base64', 'base64url'] as const) {
        const text = bytes.toString(encoding)
        expect(own.toString(encoding)).toBe(text)
        expect(own.toString(encoding, 3, 20)).toBe(bytes.toString(encoding, 3, 20))
        expect([...PageBuffer.from(text, encoding)]).toEqual([...Buffer.from(text, encoding)])
      }
      expect(own.equals(bytes)).toBe(true)
    }
    for (const text of texts) {
      expect([...PageBuffer.from(text)]).toEqual([...Buffer.from(text)])
      expect(PageBuffer.byteLength(text)).toBe(Buffer.byteLength(text))
      expect(PageBuffer.from(text).toString()).toBe(Buffer.from(text).toString())
    }
    for (const odd of ['abc', 'zz', '0g', 'ab=cd', 'a-_b', 'a b+/']) {
      for (const encoding of ['hex', 'base64'] as const) {
        expect([...PageBuffer.from(odd, encoding)]).toEqual([...Buffer.from(odd, encoding)])
      }
    }
  })

  it('are compared and joined as Node does it', () => {
    const all = [...samples()]
    for (const [at, one] of all.entries()) {
      const other = all[(at * 5) % all.length] as Buffer
      expect(PageBuffer.compare(one, other)).toBe(Buffer.compare(one, other))
    }
    expect([...PageBuffer.concat(all)]).toEqual([...Buffer.concat(all)])
    const eight = Buffer.from('0123456789abcdef', 'hex')
    expect(PageBuffer.from(eight).readBigUInt64BE()).toBe(eight.readBigUInt64BE())
    expect([isUtf8(Buffer.from('é')), isUtf8(Uint8Array.of(0xff))]).toEqual([true, false])
  })
})

describe('paths of the page', () => {
  const paths = ['/a/b/c', '/a', '/', 'a/b', '../x', '/a/../../b', '/a/./b//c/', 'x.json', '..']
  it('are taken apart and joined as Node does it', () => {
    for (const one of paths) {
      expect(path.dirname(one)).toBe(posix.dirname(one))
      expect(path.basename(one)).toBe(posix.basename(one))
      expect(path.isAbsolute(one)).toBe(posix.isAbsolute(one))
      for (const other of paths) {
        const expected = posix.join(one, other).replace(/(.)\/$/, '$1')
        expect(path.join(one, other)).toBe(expected)
      }
    }
    expect(path.relative('/a/b', '/a/c/d')).toBe('../c/d')
  })
})
