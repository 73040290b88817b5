import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAnchors } from '../../src/time/rfc3161/anchors.js'
import { readReaderAnchors } from '../../src/time/target.js'
import { temporaryFolder } from '../support/folder.js'
import { makeStamp } from './made.js'
import { keyFor, makeCrl, pem } from './made-certificates.js'

const { anchor, certificates } = makeStamp()
const CERTIFICATE = pem('CERTIFICATE', anchor.certificate.der)
const CRL = makeCrl({ key: keyFor('root', 'P-256') })

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

test('where there is no folder, there are no anchors', () => {
  expect(readAnchors(join(tmpdir(), 'no-such-folder-of-anchors'))).toEqual([])
  expect(readAnchors(folderWith({}))).toEqual([])
})

test('anchors come in the order of their names, with the lists beside them', () => {
  const folder = folderWith({
    'b.pem': `subject=CN = Root\n${CERTIFICATE}`,
    'a.pem': CERTIFICATE.replaceAll('\n', '\r\n'),
    'of-der.crl': CRL,
    'of-pem.crl': pem('X509 CRL', CRL),
    'README.md': 'not read',
    '.hidden.pem': 'not read',
  })
  const anchors = readAnchors(folder)
  expect(anchors.map(({ name }) => name)).toEqual(['a', 'b'])
  for (const each of anchors) {
    expect(each.sha256).toBe(anchor.sha256)
    expect(Buffer.compare(each.certificate.der, anchor.certificate.der)).toBe(0)
    expect(each.crls.map(({ der }) => Buffer.from(der).toString('hex'))).toEqual(
      [CRL, CRL].map((der) => Buffer.from(der).toString('hex')),
    )
  }
})

test.each([
  ['text', 'a.pem', 'hello'],
  ['a key', 'a.pem', CERTIFICATE.replaceAll('CERTIFICATE', 'PRIVATE KEY')],
  ['two certificates', 'a.pem', CERTIFICATE + CERTIFICATE],
  ['a certificate in DER', 'a.pem', anchor.certificate.der],
  ['a broken certificate', 'a.pem', pem('CERTIFICATE', anchor.certificate.der.subarray(0, -3))],
  ['the certificate of a signer', 'a.pem', pem('CERTIFICATE', certificates[0]!)],
  ['a file without end', 'a.pem', 'x'.repeat(70_000)],
  ['a page of a web server', 'a.crl', '<!doctype html>'],
  ['a certificate, not a list', 'a.crl', anchor.certificate.der],
  ['an empty sequence', 'a.crl', Uint8Array.of(0x30, 0)],
  ['a name with a space', 'Free TSA.pem', CERTIFICATE],
  ['a name that begins with a mark', '-a.pem', CERTIFICATE],
  ['a name of 65 letters', `${'a'.repeat(65)}.pem`, CERTIFICATE],
  ['a list that breaks off', 'a.crl', CRL.subarray(0, -1)],
])('a file that is none is named: %s', (_, name, content) => {
  const folder = folderWith({ [name]: content })
  expect(() => readAnchors(folder)).toThrow(
    expect.objectContaining({ code: 'invalid-input', file: join(folder, name) }),
  )
  // One of a reader's own is no fault of what is checked.
  expect(() => readReaderAnchors(folder)).toThrow(
    expect.objectContaining({ code: 'usage', file: join(folder, name) }),
  )
})

test('a folder in the place of an anchor is named', () => {
  const folder = folderWith({})
  mkdirSync(join(folder, 'a.pem'))
  expect(() => readAnchors(folder)).toThrow(/a\.pem/)
})
