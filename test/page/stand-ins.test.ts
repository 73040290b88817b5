import * as node from 'node:crypto'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isUtf8, Buffer as PageBuffer } from '../../src/page/stand-ins/buffer.js'
import * as page from '../../src/page/stand-ins/crypto.js'
import { exp, log, log10 } from '../../src/page/stand-ins/math.js'
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

describe('logarithm and exponential of the page', () => {
  function* inputs() {
    let state = 1
    for (let count = 0; count < 100_000; count++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      yield state / 0x7fffffff
    }
  }
  // By Math of Node 20.20; that of later engines differs in last bits.
  it.each<[string, (x: number) => number, string]>([
    [
      'exp',
      (x) => exp((x - 0.5) * 60),
      '2a4c8d429e53b0c6aa33efbf7a0e60e6317e4e2874ef07315b915c5d0ea5de71',
    ],
    [
      'exp near 0',
      (x) => exp((x - 0.5) / 50),
      'ea4d8f832d49c17392cdf50e0cb643f744287a0be327c201b52f2b9820cc3300',
    ],
    [
      'log',
      (x) => log(x * 100_000),
      'ea001d642b43995f3f0cd6f0bfb08dbf11bd65d517e570282c991a6fac6c5cd2',
    ],
    [
      'log near 1',
      (x) => log(1 + (x - 0.5) / 50),
      '2f385fed257b20e8e589122f5086c895d0056b7267bf47ba59f48845ed14e314',
    ],
    [
      'log10',
      (x) => log10(x * 100_000),
      'f493f6db0e29e9bbbc98721d53d90a302ce0b71f64c1500c45fd38c388ad526d',
    ],
  ])('are those of the Node that scores, bit for bit: %s', (_, of, expected) => {
    const values = Float64Array.from(inputs(), of)
    expect(node.createHash('sha256').update(values).digest('hex')).toBe(expected)
  })

  it('know the ends', () => {
    expect([0, -1, Infinity, 1].map(log)).toEqual([-Infinity, Number.NaN, Infinity, 0])
    const powers = [1, Math.E, Infinity, 0, Number.NaN]
    expect([0, 1, 710, -746, Number.NaN].map(exp)).toEqual(powers)
    expect([0, 1, 1000].map(log10)).toEqual([-Infinity, 0, 3])
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
