import { execFileSync } from 'node:child_process'
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { scoreInto } from '../evaluation/score-into.js'
import { makeWorld, type World } from '../evaluation/world.js'
import { guide } from './snippets.js'

let world: World

beforeAll(async () => {
  world = await makeWorld({ replicates: 100 })
  await scoreInto(world, 'evidence')
}, 60_000)

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: world.folder })

it('is signed as docs/evidence.md says, and the envelope is one of DSSE', () => {
  openssl('genpkey', '-algorithm', 'ed25519', '-out', 'key.pem')
  const found = guide('evidence.md').snippets.filter(({ text }) => text.includes('DSSEv1'))
  expect(found).toHaveLength(1)
  execFileSync('sh', ['-e', '-c', found[0]?.text ?? ''], { cwd: world.folder })
  const envelope = JSON.parse(readFileSync(join(world.folder, 'evidence.intoto.jsonl'), 'utf8'))
  expect(Object.keys(envelope).sort()).toEqual(['payload', 'payloadType', 'signatures'])
  const payload = Buffer.from(envelope.payload, 'base64')
  expect(payload).toEqual(readFileSync(join(world.folder, 'evidence/statement.intoto.json')))
  // The pre-authentication encoding of DSSE, with lengths in bytes.
  const type = 'application/vnd.in-toto+json'
  expect(envelope.payloadType).toBe(type)
  const begin = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `
  const signed = Buffer.concat([Buffer.from(begin), payload])
  const signature = Buffer.from(envelope.signatures[0].sig, 'base64')
  const key = openssl('pkey', '-in', 'key.pem', '-pubout').toString()
  expect(verify(null, signed, key, signature)).toBe(true)
})
