import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../../src/contract/instant.js'
import { Metrics } from '../../../src/service/health/metrics.js'
import {
  addKey,
  makeKey,
  openToOthers,
  readKeysFile,
  revokeKey,
} from '../../../src/service/keys/key-store.js'
import { type KeysParts, KeysWatch } from '../../../src/service/keys/keys-watch.js'
import { temporaryFolder } from '../../support/folder.js'

const NOW = checkedInstant('2026-01-02T03:04:05Z')
const DIGEST = 'a'.repeat(64)
const SECRET = 'fpk_a-key-that-was-put-into-the-file'

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder, 'keys.json')
})

const made = (name: string) => makeKey({ name, now: NOW })
/** A keys file with an entry a line. */
const holding = (...keys: object[]) => {
  const entries = keys.map((key) => JSON.stringify({ sha256: DIGEST, ...key }))
  return `{"schema_version":1,"keys":[${entries.join(',\n')}]}`
}
const written = (keys: unknown) => writeFileSync(file, JSON.stringify({ schema_version: 1, keys }))

describe('a new key', () => {
  it('has 256 random bits, and an entry with its digest alone', () => {
    const expires = checkedInstant('2030-01-01T00:00:00Z')
    const { key, entry } = makeKey({ name: 'alice', rateLimit: 600, expires, now: NOW })
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
    expect(() => makeKey({ name: 'a', expires: NOW, now: NOW })).toThrow(/expires/)
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
      return openToOthers(file)
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
    faults: { met: (_, event) => reported.push(event), over: (_, event) => reported.push(event) },
    metrics: new Metrics(),
  }
  const news = () => reported.splice(0)

  it('reports every change once, of a broken file at every look, and of its rights', () => {
    addKey(file, made('alice').entry)
    const watch = new KeysWatch(file, readKeysFile(file), parts)
    const look = () => {
      watch.look()
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
