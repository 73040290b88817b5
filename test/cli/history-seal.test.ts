import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { importResources } from '../../src/history/import/import.js'
import { sealHistory } from '../../src/history/seal.js'
import { timeStampQuery } from '../../src/time/rfc3161/structures.js'
import { sample } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

test('history seal --key prints the verifier key of C2SP signed notes', async () => {
  const [history, key] = [join(folder, 'history.sqlite'), join(folder, 'key.pem')]
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  await importResources(history, [sample()], { now: 0 })
  const args = ['history', 'seal', '--history', history, '--log', 'example.org/log', '--key', key]
  const { stdout } = await inProcess([...args, '--format', 'json'])
  // Base64 may have a plus itself.
  const [name, id, ...rest] = JSON.parse(stdout).verifier_key.split('+')
  const encoded = rest.join('+')
  expect(name).toBe('example.org/log')
  expect(id).toMatch(/^[0-9a-f]{8}$/)
  // The octet of the algorithm, then the 32 of RFC 8032, which end a key in DER.
  const der = publicKey.export({ format: 'der', type: 'spki' })
  const expected = `01${der.subarray(-32).toString('hex')}`
  expect(Buffer.from(encoded, 'base64').toString('hex')).toBe(expected)
  expect((await inProcess(args)).stdout).toContain(`verifier key: ${name}+${id}+${encoded}`)
})

test('history check-proof says whose anchor it was, and that another forecast is possible', async () => {
  const [history, anchors] = [join(folder, 'stamped.sqlite'), join(folder, 'anchors')]
  const one = await createAuthority({
    name: 'one',
    now: () => checkedInstant('2026-01-01T06:00:00Z'),
  })
  await importResources(history, [sample()], { now: 0 })
  const stamp = async (authority: string, body: Uint8Array) => {
    const query = timeStampQuery(body, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
    return { authority, token: await one.reply(query) }
  }
  await sealHistory(history, { log: 'example.org/log', authorities: ['one'], stamp })
  mkdirSync(anchors)
  writeFileSync(join(anchors, 'one.pem'), one.anchorPem)
  const proof = join(folder, 'proof.json')
  const key = sample().forecast_id
  const asked = ['history', 'prove', key, '--history', history, '--anchors', anchors]
  writeFileSync(proof, (await inProcess(asked)).stdout)
  const check = ['history', 'check-proof', proof]
  const theirs = await inProcess(check)
  expect(theirs.stdout).toMatch(/says one [0-9a-f]{64} \(chosen by the writer\)\n/)
  expect(theirs.stdout).toContain('another forecast under this key is possible')
  const own = await inProcess([...check, '--anchors', anchors])
  expect(own.stdout).toMatch(/says one [0-9a-f]{64} \(your anchor\)\n/)
  const { stdout } = await inProcess([...check, '--anchors', anchors, '--format', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ ok: true, another_possible: true },
    stamps: [{ pinned: true, anchor_chosen_by: 'reader' }],
  })
})
