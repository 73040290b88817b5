import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyToken } from '../../src/time/rfc3161/verify-token.js'
import { temporaryFolder } from '../support/folder.js'
import { BROKEN, GOOD } from '../time/cases.js'
import { GEN_TIME, type MadeOptions, makeStamp } from '../time/made.js'
import { makeCrl, pem } from '../time/made-certificates.js'
import { opensslVerifies } from './openssl-authority.js'

// The made stamps of test/time, right ones and those with one check broken, before `openssl ts -verify`.

const folder = temporaryFolder()

/** What openssl takes and we do not, by why. */
const STRICTER: readonly string[] = [
  // SHA-1 and short keys: openssl leaves them to its security level.
  ...['an imprint by SHA-1', 'an imprint by SHA-224', 'SHA-1', 'RSA of 1024 bits'],
  ...['a signer certified by SHA-1', 'a link certified by SHA-1'],
  ...['a link of 1024 bits', 'a root of 1024 bits', 'P-521'],
  // What is stated: it reads the time and its accuracy for show alone, and no extension.
  ...['a critical extension of the stamp', 'a time without its zone', 'a day that there is not'],
  ...['a fraction with a zero at its end', 'an accuracy of 1000 thousandths'],
  ...['an accuracy below zero', 'an accuracy that is no small number'],
  // The form of signed attributes: it looks at the first digest, and at no content type.
  ...['no content type', 'another content type', 'a message digest twice'],
  'a message digest of two values',
  // A signer that may be an authority as well, and a purpose above it.
  ...['an authority', 'a link for other purposes'],
]

const revoked = BROKEN.filter(({ check }) => check === '5, revocation')
const others = BROKEN.filter((each) => !revoked.includes(each))

async function verdicts(options: MadeOptions) {
  const { token, data, anchor } = makeStamp(options)
  const root = join(folder, 'root.pem')
  const lists = anchor.crls.map(({ der }) => pem('X509 CRL', der))
  writeFileSync(root, [pem('CERTIFICATE', anchor.certificate.der), ...lists].join(''))
  const { ok } = await verifyToken(token, data, [anchor], { file: 'made.tsr' })
  const time = GEN_TIME.replace(/(....)(..)(..)(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z')
  const more = lists.length > 0 ? ['-crl_check'] : []
  const seconds = Date.parse(time) / 1000
  return { ok, openssl: opensslVerifies(folder, token, data, root, seconds, more) }
}

test.each(GOOD.filter(([, { scheme }]) => scheme !== 'pss'))(
  'openssl takes it, too: %s',
  async (_, options) => {
    expect(await verdicts(options)).toEqual({ ok: true, openssl: true })
  },
)

test.each(others)('a broken stamp: $what', async ({ what, options }) => {
  expect(await verdicts(options)).toEqual({ ok: false, openssl: STRICTER.includes(what) })
})

// Openssl looks at the signer alone, and at the first list alone.
const ofSigner = revoked.filter(({ what }) => !/between|two lists/.test(what))

test.each(ofSigner)('openssl, too, finds the signer revoked $what', async ({ options }) => {
  expect(await verdicts(options)).toEqual({ ok: false, openssl: false })
})

test('a list that names no certificate is good for openssl, too', async () => {
  const crls: MadeOptions['crls'] = ({ rootKey }) => [makeCrl({ key: rootKey })]
  expect(await verdicts({ crls })).toEqual({ ok: true, openssl: true })
})
