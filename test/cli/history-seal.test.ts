import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importResources } from '../../src/history/import/import.js'
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
