import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { inProcess } from '../support/in-process.js'
import { serveHttp } from '../support/servers.js'
import { entryOf, frozenFolder, put } from '../time/stamped-folder.js'
import { OpensslAuthority } from './openssl-authority.js'

function openssl(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

it('a sceptic verifies with openssl alone what stamp wrote', async () => {
  const folder = frozenFolder(2)
  const now = () => Date.now() * 1000
  const authority = await createAuthority({ name: 'alpha', now })
  const anchor = join(folder, 'anchors', 'alpha.pem')
  put(anchor, authority.anchorPem)
  const url = await serveHttp(async (request, response) => {
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' })
    response.end(await authority.reply(await buffer(request)))
  })
  const ran = await inProcess(['stamp', '--dir', folder, '--tsa', url, '--format', 'json'])
  const { entry, stamps } = JSON.parse(ran.stdout)
  const verify = (digest: string) =>
    openssl('ts', '-verify', '-digest', digest, '-in', stamps[0].file, '-CAfile', anchor)
  expect(verify(entry.entry_sha256)).toMatchObject({
    status: 0,
    said: expect.stringContaining('Verification: OK'),
  })
  expect(verify(entryOf(folder, 1).entry_sha256).status).not.toBe(0)
  // The fingerprint that a registration pins is the one that openssl prints.
  const { said } = openssl('x509', '-in', anchor, '-noout', '-fingerprint', '-sha256')
  expect(said.trim().split('=')[1]?.replaceAll(':', '').toLowerCase()).toBe(stamps[0].anchor_sha256)
})

it('an authority of openssl stamps what it is asked, with a certificate in between', async () => {
  const folder = frozenFolder(1)
  const authority = new OpensslAuthority({
    folder: join(folder, 'authority'),
    key: 'RSA-3072',
    depth: 1,
  })
  put(join(folder, 'anchors', 'openssl.pem'), readFileSync(authority.root))
  const url = await serveHttp(async (request, response) => {
    put(join(folder, 'authority', 'query.tsq'), await buffer(request))
    const answer = authority.reply('query.tsq', 'accuracy=secs:2\ness_cert_id_alg=sha256')
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
  })
  const ran = await inProcess(['stamp', '--dir', folder, '--tsa', url])
  expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
  expect((await inProcess(['verify', folder])).stdout).toMatch(
    /stamped by 1 of 1 \(openssl [0-9a-f]{32}…\), \S+ ± 2 s; anchors chosen by the writer/,
  )
})

it('openssl reads the request that is written without network, nonce and all', async () => {
  const folder = frozenFolder(1)
  const query = join(folder, 'q.tsq')
  expect((await inProcess(['stamp', '--dir', folder, '--query', query])).code).toBe(0)
  const { said } = openssl('ts', '-query', '-in', query, '-text')
  const { entry_sha256 } = entryOf(folder, 1)
  const hex = [...said.matchAll(/^ +[0-9a-f]{4} - ([0-9a-f -]+?) {3}/gm)]
  expect(hex.map(([, bytes]) => bytes?.replace(/[ -]/g, '')).join('')).toBe(entry_sha256)
  expect(said).toMatch(/Hash Algorithm: sha256/)
  expect(said).toMatch(/Nonce: 0x[0-9A-F]{10,16}\n/)
  expect(said).toMatch(/Certificate required: yes/)
})
