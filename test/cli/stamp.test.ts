import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthority, type DemoAuthority } from '../../src/cli/demo/authority.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { encodeQuery } from '../../src/time/rfc3161/structures.js'
import { stampedBytes, tokenFile } from '../../src/time/token-file.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { serveHttp } from '../support/servers.js'
import { put } from '../support/text-file.js'
import { entryOf, filesIn, frozenFolder, trustedAuthority } from '../time/stamped-folder.js'

const TYPE = { 'content-type': 'application/timestamp-reply' }
const clock = { now: checkedInstant('2026-11-22T10:00:00Z') }

let folder: string
let alpha: DemoAuthority
let url: string

beforeAll(async () => {
  folder = frozenFolder(3)
  alpha = await trustedAuthority(folder, 'alpha', clock)
  url = await serveHttp(async (request, response) => {
    const query = await buffer(request)
    if (request.url === '/moved') return void response.writeHead(308, { location: url }).end()
    if (request.url === '/gone') return void response.writeHead(404).end()
    response.writeHead(200, TYPE).end(await alpha.reply(query))
  })
})

const stamp = (...args: string[]) => inProcess(['stamp', '--dir', folder, ...args])
const fileOf = (seq: number, name = 'alpha') => tokenFile(folder, entryOf(folder, seq), name)

// What an authority may answer is tried in ask.test.ts and checks.test.ts of test/time.
describe('stamp with an authority that does not give a stamp', () => {
  it.each<[string, RegExp, (query: Uint8Array) => Promise<Uint8Array>]>([
    [
      'leads to no anchor',
      /was issued under none of the anchors: alpha/,
      async (query) =>
        (await createAuthority({ name: 'alpha', now: () => clock.now })).reply(query),
    ],
    [
      'is an old one over the same entry',
      /does not repeat the nonce/,
      () => alpha.reply(encodeQuery(stampedBytes(entryOf(folder, 3)), Buffer.alloc(8, 9))),
    ],
  ])('says so when its stamp %s, shows no key, and writes nothing', async (_, says, reply) => {
    const other = await serveHttp(async (request, response) => {
      response.writeHead(200, TYPE).end(await reply(await buffer(request)))
    })
    const before = filesIn(folder)
    const ran = await stamp('--tsa', `${other}/tsr?key=hidden`)
    expect(ran.code).toBe(3)
    expect(ran.stdout).toMatch(says)
    expect(ran.stdout + ran.stderr).not.toContain('hidden')
    expect(filesIn(folder)).toEqual(before)
  })

  it('keeps what others gave', async () => {
    const ran = await inProcess(
      `stamp --dir ${folder} --entry 1 --tsa ${url}/gone --tsa ${url} --format json`,
    )
    expect(ran.code).toBe(3)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: false,
      entry: { seq: 1 },
      stamps: [{ authority: 'alpha', outcome: 'written', accuracy_seconds: 1 }],
      findings: [{ code: 'stamp-failed' }],
    })
  })
})

describe('stamp', () => {
  it('stamps the last entry, and keeps the earlier stamp when it is run again', async () => {
    const first = await stamp('--tsa', `${url}/moved`)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain('alpha  2026-11-22T10:00:00Z ± 1 s, written to')
    const token = readFileSync(fileOf(3))
    clock.now += 1_000_000
    const second = await stamp('--tsa', url)
    expect(second.stdout).toContain('alpha  2026-11-22T10:00:00Z ± 1 s, was there already')
    expect(second.code).toBe(0)
    expect(readFileSync(fileOf(3))).toEqual(token)
  })

  it('puts a stamp in the place of one that does not verify', async () => {
    writeFileSync(fileOf(3), 'not a stamp')
    const ran = await stamp('--tsa', url)
    expect(ran.stdout).toContain('10:00:01Z ± 1 s, in the place of one that did not verify')
    expect(ran.code).toBe(0)
  })

  it('goes by files where there is no network', async () => {
    const [query, reply] = [join(folder, 'q.tsq'), join(folder, 'r.tsr')]
    const asked = await stamp('--entry', '2', '--query', query)
    expect(asked.stdout).toContain(
      `foreproof stamp --dir ${folder} --entry 2 --query ${query} --reply`,
    )
    put(reply, await alpha.reply(readFileSync(query)))
    const wrong = await stamp('--reply', reply)
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing was written') })
    const again = await stamp('--entry', '2', '--query', query)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
    const taken = await stamp('--entry', '2', '--query', query, '--reply', reply)
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('written to') })
    expect(readFileSync(fileOf(2))).toEqual(readFileSync(reply))
    // An answer to an earlier request does not pass for one to this.
    rmSync(query)
    await stamp('--entry', '2', '--query', query)
    const stale = await stamp('--entry', '2', '--query', query, '--reply', reply)
    expect(stale).toMatchObject({ code: 1, stdout: expect.stringContaining('nonce') })
    expect((await stamp('--entry', '2', '--reply', reply)).stdout).toContain('was there already')
  })

  it('warns of a stamp that is older than the time in its entry, there and with verify', async () => {
    const own = frozenFolder(2)
    // The entries say 09:00: half an hour before is within what clocks differ.
    const past = { now: checkedInstant('2026-11-22T08:30:00Z') }
    const authority = await trustedAuthority(own, 'past', past)
    const by = await serveHttp(async (request, response) => {
      response.writeHead(200, TYPE).end(await authority.reply(await buffer(request)))
    })
    const stampAt = (entry: string) =>
      inProcess(['stamp', '--dir', own, '--entry', entry, '--tsa', by])
    expect(await stampAt('1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no problems found'),
    })
    past.now = checkedInstant('2026-11-20T09:00:00Z')
    const says =
      'past stamped entry 2 at 2026-11-20T09:00:00Z, more than an hour before 2026-11-22T09:00:00Z'
    expect(await stampAt('2')).toMatchObject({ code: 0, stdout: expect.stringContaining(says) })
    const verified = await inProcess(['verify', own, '--format', 'json'])
    expect(JSON.parse(verified.stdout).findings).toMatchObject([
      { code: 'entry-stamp-far', severity: 'warning', message: expect.stringContaining(says) },
    ])
  })

  it('shows with verify what is stamped, and what does not verify', async () => {
    const sound = await inProcess(['verify', folder])
    expect(sound.stdout).toMatch(
      /ledger\.jsonl, entry 1 {2}stamped by 1 of 1 \(alpha [0-9a-f]{32}…\), 2026-11-22T10:00:00Z ± 1 s; anchors chosen by the writer\n/,
    )
    expect(sound.code).toBe(0)
    const own = temporaryFolder()
    expect(await inProcess(['verify', folder, '--anchors', own])).toMatchObject({ code: 2 })
    put(join(own, 'mine.pem'), readFileSync(join(folder, 'anchors/alpha.pem')))
    const mine = await inProcess(['verify', folder, '--anchors', own])
    expect(mine.stdout).toMatch(/entry 1 {2}stamped by 1 of 1 \(alpha .* ± 1 s; your anchors\n/)
    const other = await createAuthority({ name: 'other', now: () => clock.now })
    put(join(own, 'mine.pem'), other.anchorPem)
    const others = await inProcess(['verify', folder, '--anchors', own, '--format', 'json'])
    expect(JSON.parse(others.stdout)).toMatchObject({
      ...{ ok: false, anchors_chosen_by: 'reader', findings: [{ code: 'trusted-unused' }] },
      ledgers: [{ levels: [{ from: 1, to: 3, level: 'self_declared' }] }],
    })
    const none = join(folder, 'anchors', 'none.pem')
    writeFileSync(none, 'no certificate')
    const unread = await inProcess(['verify', folder, '--format', 'json'])
    rmSync(none)
    expect(unread.code).toBe(1)
    expect(JSON.parse(unread.stdout)).toMatchObject({
      ledgers: [{ entries: 3, levels: null }],
      findings: [{ code: 'invalid-input', file: none }],
    })
  })

  it.each([
    [['--entry', '9', '--tsa', 'http://x'], 2, 'the ledger has no entry 9'],
    [['--entry', '0', '--tsa', 'http://x'], 2, 'not the place of an entry'],
    [['--tsa', 'https://user:secret@x/'], 2, 'not the address of an authority'],
    [[], 2, '--tsa URL is missing'],
    [['--tsa', 'http://x', '--reply', 'r.tsr'], 2, '--tsa cannot be used with --query or'],
  ])('refuses %j', async (args, code, says) => {
    const ran = await stamp(...args)
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(says), stdout: '' })
    expect(ran.stderr).not.toContain('secret')
  })

  it('says how to pin an anchor where there is none, before it asks an authority', async () => {
    const bare = frozenFolder(1)
    const ran = await inProcess(['stamp', '--dir', bare, '--tsa', 'http://127.0.0.1:1'])
    expect(ran.code).toBe(3)
    expect(ran.stderr).toMatch(/no anchor .*\n.*openssl x509 .*-fingerprint/)
  })
})
