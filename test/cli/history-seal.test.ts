import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { verifierKey } from '../../src/log/verifier-key.js'
import { sample } from '../history/samples.js'
import { historyOf } from '../history/support.js'
import { LOG, seal, tokenOver } from '../log/sealed.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

test('history seal --key prints the verifier key of C2SP signed notes', async () => {
  const [history, key] = [await historyOf([sample()]), join(folder, 'key.pem')]
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const args = ['history', 'seal', '--history', history, '--log', LOG, '--key', key]
  const { stdout } = await inProcess([...args, '--format', 'json'])
  const { text } = verifierKey(LOG, publicKey)
  expect(JSON.parse(stdout).verifier_key).toBe(text)
  expect((await inProcess(args)).stdout).toContain(`verifier key: ${text}`)
})

test('history check-proof says whose anchor it was, and that another forecast is possible', async () => {
  const [history, anchors] = [await historyOf([sample()]), temporaryFolder()]
  const one = await createAuthority({
    name: 'one',
    now: () => checkedInstant('2026-01-01T06:00:00Z'),
  })
  await seal(history, [async (body) => ({ authority: 'one', token: await tokenOver(one, body) })])
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
