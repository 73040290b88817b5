import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { inProcess } from '../../support/in-process.js'
import { expectError, expectJson } from '../../support/service/expect.js'
import { get } from '../../support/service/http.js'
import { eventually, keysCommand, type Served, serve } from '../../support/service/serve.js'

let served: Served
let alice: string
const path = (name = 'keys.json') => join(served.folder, name)

const SECRET = { BTC_FORECAST_FINGERPRINT_SECRET: 'hush-hush' }

const keys = (folder: string, ...args: string[]) => keysCommand(folder, args, SECRET)

beforeAll(async () => {
  served = await serve({
    env: { ...SECRET, BTC_FORECAST_API_KEYS: '', BTC_FORECAST_API_AUTH_FAILURE_LIMIT: '20' },
    flags: ['--keys', 'keys.json', '--trusted-proxy', '127.0.0.0/8, 10.0.0.0/8,::1'],
    prepare: (folder) => {
      alice = keys(folder, 'new', 'alice', '--limit', '100000')
    },
  })
})

let addresses = 0
/** Asks with a key from an address that was not asked from before. */
const ask = (key: string, headers: Record<string, string> = {}, where = '/v1/health') => {
  const from = { 'X-Forwarded-For': `198.51.100.${addresses++ % 250}` }
  return get(served.port, where, {
    headers: { Authorization: `Bearer ${key}`, ...from, ...headers },
  })
}
const statusOf = async (key: string) => (await ask(key)).status

describe('a keys file', () => {
  it('opens to its keys, each with its own limit, and says nothing of them', async () => {
    const got = await ask(alice)
    expectJson(got, 200)
    expect(got.headers['ratelimit-policy']).toBe('"default";q=100000;w=60')
    expectError(await ask(`${alice}x`), 401, 'invalid_request')
    expect(readFileSync(path(), 'utf8')).not.toContain(alice)
    expect(await served.figure('key_requests_total{key="alice"}')).toBe(1)
  })

  it('gives its names to the audit, beside the fingerprints that `keys list` shows', async () => {
    const end = { expires_at: '2020-01-01T00:00:00+00:00' }
    const file = JSON.parse(readFileSync(path(), 'utf8'))
    const eve = keys(served.folder, 'new', 'eve')
    await eventually(async () => (await statusOf(eve)) === 200)
    const [, entry] = JSON.parse(readFileSync(path(), 'utf8')).keys
    writeFileSync(path(), JSON.stringify({ ...file, keys: [...file.keys, { ...entry, ...end }] }))
    await eventually(async () => (await statusOf(eve)) === 401)
    await ask(alice, { 'X-Request-Id': 'audit-of-alice' })
    await ask(eve, { 'X-Request-Id': 'audit-of-eve' })
    await ask('wrong', { 'X-Request-Id': 'audit-of-none' })
    const line = (id: string) => served.audit().find(({ request_id }) => request_id === id)
    await eventually(() => line('audit-of-none') !== undefined)
    const remote_address = expect.stringMatching(/^198\.51\.100\.\d+$/)
    expect(line('audit-of-none')).toMatchObject({ key_name: null, remote_address })
    const listed = JSON.parse(keys(served.folder, 'list', '--format', 'json')).keys
    for (const [index, name] of ['alice', 'eve'].entries()) {
      const { key_fingerprint } = line(`audit-of-${name}`) as { key_fingerprint: string }
      expect(line(`audit-of-${name}`)).toMatchObject({ key_name: name })
      expect(key_fingerprint).toMatch(/^[0-9a-f]{16}$/)
      expect(listed[index]).toMatchObject({ name, fingerprint: key_fingerprint })
      expect(keys(served.folder, 'list')).toMatch(new RegExp(`^${name} +${key_fingerprint} `, 'm'))
    }
    // Of a service that makes a secret of its own, this cannot be known.
    const ran = await inProcess(['keys', 'list', '--keys', path()])
    expect(ran.stdout).toMatch(/^alice +- +100,000 /m)
    expect(ran.stderr).toContain('BTC_FORECAST_FINGERPRINT_SECRET')
    writeFileSync(path(), JSON.stringify(file))
    await eventually(async () => (await served.figure('keys')) === 1)
  })

  it('is followed: what is added opens, what is revoked or expired does not', async () => {
    const bob = keys(served.folder, 'new', 'bob')
    await eventually(async () => (await statusOf(bob)) === 200)
    expect((await ask(bob)).headers['ratelimit-policy']).toBe('"default";q=1000000;w=60')
    keys(served.folder, 'revoke', 'bob')
    await eventually(async () => (await statusOf(bob)) === 401)
    const hour = new Date(Date.now() + 3_600_000).toISOString()
    const carol = keys(served.folder, 'new', 'carol', '--expires', hour)
    await eventually(async () => (await statusOf(carol)) === 200)
    expect(await served.figure('keys')).toBe(2)
    // Only now, for a busy machine may take any time to get here.
    const end = new Date(Date.now() + 1500).toISOString()
    const file = JSON.parse(readFileSync(path(), 'utf8'))
    file.keys.at(-1).expires_at = end
    writeFileSync(path(), JSON.stringify(file))
    await eventually(async () => (await statusOf(carol)) === 401)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(end))
    expect(await served.figure('keys')).toBe(1)
    expect(await statusOf(alice)).toBe(200)
    expect(served.log).not.toMatch(/fpk_/)
  })

  it('that is broken leaves the keys in force, in the log and a figure; one that is mended is read', async () => {
    const whole = readFileSync(path())
    const broken = () => served.figure('keys_file_broken')
    const cut = () => writeFileSync(path(), whole.subarray(0, 90))
    for (const spoil of [cut, () => rmSync(path())]) {
      spoil()
      await eventually(async () => (await broken()) === 1)
      expect(await statusOf(alice)).toBe(200)
    }
    await eventually(() => served.events('keys-file-broken').at(-1)?.level === 'error')
    writeFileSync(path(), whole)
    chmodSync(path(), 0o644)
    await eventually(async () => (await broken()) === 0)
    await served.logged('keys-file-open')
    const opened = served.events('keys-file-open').at(-1)
    expect(opened?.message).toContain('every user of this machine may read')
    expect(served.child.signalCode).toBeNull()
  })

  it('is read at a hang-up, too', async () => {
    served.child.kill('SIGHUP')
    await served.logged('reloaded')
    expect(await statusOf(alice)).toBe(200)
  })

  it('keeps keys out of paths and request ids, also of one that was never used', async () => {
    const dora = keys(served.folder, 'new', 'dora')
    await eventually(async () => (await served.figure('keys')) === 2)
    await ask(alice, { 'X-Request-Id': dora }, `/v1/${dora}`)
    await ask(dora)
    await ask(alice, { 'X-Request-Id': dora.slice(10) }, `/v1/x${dora.slice(10)}`)
    await eventually(() => served.audit().filter(({ path }) => path === '[redacted]').length === 2)
    for (const key of [alice, dora])
      expect(served.auditText() + served.log).not.toContain(key.slice(10))
  })

  it('that is at fault, empty or not there is no file to start with', async () => {
    for (const text of ['{}', '{"schema_version":1,"keys":[]}', undefined]) {
      const file = path('other.json')
      rmSync(file, { force: true })
      if (text !== undefined) writeFileSync(file, text)
      const check = (env = {}) => inProcess(['serve', '--check', '--keys', file], env)
      const saying = (stderr: RegExp) => ({ code: 2, stderr: expect.stringMatching(stderr) })
      expect(await check()).toMatchObject(saying(/--keys|no API key/))
      const twice = await check({ BTC_FORECAST_API_KEYS: 'one-more-key' })
      expect(twice).toMatchObject(saying(/in two places/))
    }
  })
})

describe('failed authentications', () => {
  const from = (address: string, key: string) => ask(key, { 'X-Forwarded-For': address })

  it('are limited by address, which a key that is accepted is not', async () => {
    const before = await served.figure('authentication_failures_total')
    const began = performance.now()
    let taken = 0
    let refused = await from('2001:db8:7:7:ffff::', 'wrong')
    for (; refused.status === 401; taken++) {
      expectError(refused, 401, 'invalid_request')
      refused = await from(`2001:db8:7:7::${taken + 1}`, 'wrong')
    }
    expectError(refused, 429, 'rate_limited')
    // One in every three seconds is free again.
    expect(taken).toBeGreaterThanOrEqual(20)
    expect(taken).toBeLessThanOrEqual(20 + (performance.now() - began) / 3000)
    expect(refused.headers['retry-after']).toMatch(/^[1-3]$/)
    expect(refused.headers.ratelimit).toBeUndefined()
    expectJson(await from('2001:db8:7:7::1', alice), 200)
    expectError(await from('2001:db8:7:8::1', 'wrong'), 401, 'invalid_request')
    expect(await served.figure('authentication_failures_total')).toBe(before + taken + 2)
  })
})
