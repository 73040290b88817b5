import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../../src/contract/instant.js'
import { Metrics } from '../../../src/service/health/metrics.js'
import {
  addKey,
  createKey,
  readKeysFile,
  revokeKey,
  rightsOfOthers,
} from '../../../src/service/keys/key-store.js'
import { hashKey, KeyRing, Redactor } from '../../../src/service/keys/keys.js'
import { type KeysParts, KeysWatch } from '../../../src/service/keys/keys-watch.js'
import { temporaryFolder } from '../../support/folder.js'

const NOW = checkedInstant('2026-01-02T03:04:05Z')
/** In milliseconds, as clocks say it. */
const MS = NOW / 1000
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')

describe('keys', () => {
  it('differ by length, case and every character', () => {
    const ring = new KeyRing(['alpha', 'alphabet', 'x'.repeat(512)].map(hashKey), 'secret')
    const accepted = (key: string) => ring.identify(`Bearer ${key}`, MS).accepted
    expect(['alpha', 'alphabet', 'x'.repeat(512)].map(accepted)).toEqual([true, true, true])
    const wrong = ['alph', 'alphab', 'Alpha', 'alphabets', 'x'.repeat(511), 'x'.repeat(513)]
    expect([...wrong, sha256('alpha')].map(accepted)).toEqual([...wrong, ''].map(() => false))
  })

  const forms = (key: string) => new KeyRing([hashKey('alpha')], 's').identify(key, MS).accepted
  it.each(['Bearer alpha', 'bearer alpha', 'BEARER   alpha'])('open with %j', (header) => {
    expect(forms(header)).toBe(true)
  })
  it.each([
    ...['', 'Bearer', 'Basic alpha', 'alpha', 'Beareralpha', 'Bearer alpha x', 'Token alpha'],
    ...['Bearer alpha,beta', 'Bearer "alpha"', `Bearer ${'x'.repeat(5000)}`],
  ])('do not open with %j', (header) => {
    expect(forms(header)).toBe(false)
  })

  it('have one fingerprint, accepted, expired or unknown: that of their digest', () => {
    const fingerprint = (ring: KeyRing) => ring.identify('Bearer alpha', MS).fingerprint
    const key = { name: 'a', sha256: sha256('alpha') }
    const rings = [[key], [{ ...key, expiresAt: MS }], []].map((keys) => new KeyRing(keys, 'salt'))
    // printf %s "$(printf alpha | sha256sum | cut -c1-64)" | openssl dgst -sha256 -hmac salt
    expect(new Set(rings.map(fingerprint))).toEqual(new Set(['edaef42a8b011b5f']))
  })

  it('are refused from the instant at which they expire', () => {
    const ring = new KeyRing([{ name: 'a', sha256: sha256('alpha'), expiresAt: MS }], 'secret')
    const accepted = (at: number) => ring.identify('Bearer alpha', at).accepted
    expect([MS - 1, MS, MS + 1].map(accepted)).toEqual([true, false, false])
    expect([MS - 1, MS].map((at) => ring.accepted(at).length)).toEqual([1, 0])
  })

  it('are reported once, when they are sent, and wrong ones never', () => {
    const met: string[] = []
    const ring = new KeyRing([hashKey('alpha')], 'secret', (key) => met.push(key))
    for (const key of ['wrong', 'alpha', 'alpha']) ring.identify(`Bearer ${key}`, MS)
    expect(met).toEqual(['alpha'])
  })
})

it('blots out a path that holds any eight characters of a key, encoded or not', () => {
  const redactor = new Redactor(['S3cret-Key-Alpha'])
  expect(redactor.path('/x/s3cret-k')).toBe('[redacted]')
  expect(redactor.path('/x/%53%33cret-Ke/y')).toBe('[redacted]')
  expect(redactor.path('/x/s3cret-')).toBe('/x/s3cret-')
  expect(redactor.path(`/${'y'.repeat(300)}`)).toBe(`/${'y'.repeat(255)}...`)
})

const DIGEST = 'a'.repeat(64)
const SECRET = 'fpk_a-key-that-was-put-into-the-file'

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'keys.json')
})

const made = (name: string) => createKey({ name, now: NOW })
/** A keys file with an entry a line. */
const holding = (...keys: object[]) => {
  const entries = keys.map((key) => JSON.stringify({ sha256: DIGEST, ...key }))
  return `{"schema_version":1,"keys":[${entries.join(',\n')}]}`
}
const written = (keys: unknown) => writeFileSync(file, JSON.stringify({ schema_version: 1, keys }))

describe('a new key', () => {
  it('has 256 random bits, and an entry with its digest alone', () => {
    const expires = checkedInstant('2030-01-01T00:00:00Z')
    const { key, entry } = createKey({ name: 'alice', rateLimit: 600, expires, now: NOW })
    expect(key).toMatch(/^fpk_[\w-]{43}$/)
    expect(entry).toEqual({
      name: 'alice',
      sha256: createHash('sha256').update(key).digest('hex'),
      created_at: '2026-01-02T03:04:05+00:00',
      expires_at: '2030-01-01T00:00:00+00:00',
      rate_limit: 600,
    })
    expect(made('bob').key).not.toBe(made('bob').key)
  })

  it.each(['', 'with space', '-dash', 'a'.repeat(65), 'ü', 'a"b'])('is not called %j', (name) => {
    expect(() => made(name)).toThrow(/no name for a key/)
  })

  it('does not begin expired', () => {
    expect(() => createKey({ name: 'a', expires: NOW, now: NOW })).toThrow(/expires/)
  })
})

describe('the keys file', () => {
  it('is begun for its owner and group, and keeps its rights, its link and its other keys', () => {
    addKey(file, made('alice').entry)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    chmodSync(file, 0o600)
    const link = join(folder, 'link.json')
    symlinkSync(file, link)
    addKey(link, made('bob').entry)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readKeysFile(file).map(({ name }) => name)).toEqual(['alice', 'bob'])
    revokeKey(file, 'alice')
    expect(readKeysFile(link).map(({ name }) => name)).toEqual(['bob'])
  })

  it('refuses a name that is taken, one that is not there, and more than a thousand keys', () => {
    addKey(file, made('alice').entry)
    const before = readFileSync(file, 'utf8')
    expect(() => addKey(file, made('alice').entry)).toThrow(/there is a key named alice/)
    expect(() => revokeKey(file, 'alise')).toThrow(
      expect.objectContaining({ help: 'Did you mean alice?' }),
    )
    expect(readFileSync(file, 'utf8')).toBe(before)
    written(Array.from({ length: 1000 }, (_, index) => made(`key-${index}`).entry))
    expect(() => addKey(file, made('one-more').entry)).toThrow(/1000/)
  })

  it('says which rights others have', () => {
    written([])
    const rights = [0o640, 0o644, 0o646].map((mode) => {
      chmodSync(file, mode)
      return rightsOfOthers(file)
    })
    expect(rights).toEqual([undefined, 'read', 'read and write'])
  })

  it.each<[string, unknown, number]>([
    ['text', SECRET, 1],
    ['plain keys', `{"schema_version":1,\n"keys":["${SECRET}"]}`, 2],
    ['a key for a digest', `{"schema_version":1,"keys":[\n{"name":"a","sha256":"${SECRET}"}]}`, 2],
    ['a key for a member', `{"schema_version":1,"keys":[],\n"${SECRET}":1}`, 2],
    ['a key for a name twice', `{"${SECRET}":1,\n"${SECRET}":1}`, 2],
    ['half a document', `{"schema_version":1,"keys":[{"name":"${SECRET}`, 1],
    ['another version', '{"schema_version":2,"keys":[]}', 1],
    ['nothing', '', 1],
    ['a name twice', holding({ name: 'a' }, { name: 'a', sha256: 'b'.repeat(64) }), 2],
    ['a digest twice', holding({ name: 'a' }, { name: 'b' }), 2],
    ['no end', holding({ name: 'a', expires_at: '2030' }), 1],
    ['no limit', holding({ name: 'a', rate_limit: 0 }), 1],
  ])('is refused with its line and none of its text: %s', (name, text, line) => {
    writeFileSync(file, String(text))
    let said = ''
    try {
      readKeysFile(file)
    } catch (error) {
      const { code, message, help } = error as { code: string; message: string; help: string }
      expect(code).toBe('invalid-input')
      said = `${message} ${help}`
    }
    expect(said).toContain(`keys.json:${line}: `)
    expect(said).not.toContain(SECRET.slice(0, 8))
    if (name === 'a key for a digest') expect(said).toContain('malformed-text at /keys/0/sha256')
  })
})

describe('the watch', () => {
  const reported: string[] = []
  const parts: KeysParts = {
    acceptKeys: (keys) => reported.push(`accepted ${keys.map(({ name }) => name)}`),
    logger: { log: (_, event) => reported.push(event) },
    faults: {
      report: (_, event) => reported.push(event),
      over: (_, event) => reported.push(event),
    },
    metrics: new Metrics(),
  }
  const news = () => reported.splice(0)

  it('reports every change once, of a broken file at every look, and of its rights', () => {
    addKey(file, made('alice').entry)
    const watch = new KeysWatch(file, readKeysFile(file), parts)
    const look = () => {
      watch.check()
      return news()
    }
    expect(look()).toEqual([])
    addKey(file, made('bob').entry)
    expect([look(), look()]).toEqual([['accepted alice,bob', 'keys-read', 'keys-file-mended'], []])
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, 50))
    expect([look(), look()]).toEqual([['keys-file-broken'], ['keys-file-broken']])
    writeFileSync(file, whole)
    chmodSync(file, 0o644)
    expect([look(), look()]).toEqual([['keys-file-mended', 'keys-file-open'], []])
    rmSync(file)
    expect(look()).toEqual(['keys-file-broken'])
    written([])
    chmodSync(file, 0o600)
    expect([look(), look()]).toEqual([
      ['accepted ', 'keys-read', 'no-keys', 'keys-file-mended'],
      [],
    ])
  })
})
