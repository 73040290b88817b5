import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkpointBody, readCheckpoint } from '../../src/log/checkpoint.js'
import { isSignedBy, readNote, type SignedNote, signNote } from '../../src/log/note.js'
import { isKeyName, verifierKey } from '../../src/log/verifier-key.js'

// Keys and notes of golang.org/x/mod/sumdb/note, where the format comes from.
const TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`
const PETER_SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)
const PETER_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const PETER =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'
const ENOCH =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n'
const SIGNED = `${TEXT}\n${PETER}`

// PKCS#8 of an Ed25519 key (RFC 8410) is this, and its seed.
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const pkcs8 = { key: Buffer.concat([PKCS8, PETER_SEED]), format: 'der', type: 'pkcs8' } as const
const peter = createPrivateKey(pkcs8)
const peterPublic = createPublicKey(peter)
const note = (text: string) => readNote(text) as SignedNote

describe('a signed note', () => {
  it('is that of the Go implementation, byte for byte', () => {
    expect(signNote(TEXT, 'PeterNeumann', peter)).toBe(SIGNED)
    expect(verifierKey('PeterNeumann', peterPublic).text).toBe(PETER_KEY)
  })

  it('is verified, alone and beside signatures of others', () => {
    for (const text of [SIGNED, `${TEXT}\n${PETER}${ENOCH}`, `${TEXT}\n${ENOCH}${PETER}`]) {
      expect(note(text).body).toBe(TEXT)
      expect(isSignedBy(note(text), 'PeterNeumann', peterPublic)).toBe(true)
    }
  })

  it.each([
    ['by another', `${TEXT}\n${ENOCH}`],
    ['under another name', SIGNED.replace('PeterNeumann', 'PeterNewmann')],
    ['with another key id', SIGNED.replace('x08g', 'x18g')],
    ['of another text', SIGNED.replace('your', 'our')],
    ['with a signature that is wrong', SIGNED.replace('/ZJk', '/ZJl')],
    ['with a wrong signature beside the right one', SIGNED + PETER.replace('/ZJk', '/ZJl')],
    ['without any signature', TEXT],
  ])('is not by a key: %s', (_what, text) => {
    expect(isSignedBy(note(text), 'PeterNeumann', peterPublic)).toBe(false)
  })

  it.each([
    ['without a signature after the blank line', `${TEXT}\n`],
    ['cut', SIGNED.slice(0, -1)],
    ['with a control character', `\u0001${SIGNED}`],
    ['with a carriage return', SIGNED.replace('\n', '\r\n')],
    ['that is no UTF-8', Buffer.concat([Buffer.of(0xff), Buffer.from(SIGNED)])],
    ['with a space in a name', SIGNED.replace('PeterNeumann', 'Peter Neumann')],
    ['with a plus in a name', SIGNED.replace('PeterNeumann', 'Peter+Neumann')],
    ['with a line that is no signature', `${SIGNED}Unexpected line.\n`],
    ['with base64 that is none', SIGNED.replace('x08g', 'x08!')],
    ['with a signature of no bytes', `${TEXT}\n— PeterNeumann x08goA==\n`],
    ['with too many signatures', `${TEXT}\n${PETER.repeat(101)}`],
    ['that is too long', `${'x'.repeat(131_072)}\n`],
  ])('is refused: %s', (_what, text) => {
    expect(readNote(text)).toBeUndefined()
  })

  it('asks for a key of Ed25519 and for a name', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(() => signNote(TEXT, 'a', rsa.privateKey)).toThrow(/Ed25519/)
    expect(() => signNote(TEXT, 'a', peterPublic)).toThrow(/Ed25519/)
    expect(() => isSignedBy(note(SIGNED), 'a', rsa.publicKey)).toThrow(/Ed25519/)
    expect(() => isSignedBy(note(SIGNED), 'a', peter)).toThrow(/Ed25519/)
    expect(() => signNote(TEXT, 'a b', peter)).toThrow(/"a b"/)
    expect(['', 'a+b', 'a\tb', 'a\u00a0b', 'x'.repeat(201)].filter(isKeyName)).toEqual([])
    expect(['example.org/forecasts', 'ö'].filter(isKeyName)).toHaveLength(2)
  })
})

// The example of C2SP tlog-checkpoint.
const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='
const BODY = `example.com/behind-the-sofa\n20852163\n${ROOT}\n`
const EXAMPLE = `${BODY}
— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`

describe('a checkpoint', () => {
  it('is read and written as C2SP tlog-checkpoint says', () => {
    const read = readCheckpoint(EXAMPLE)
    const origin = 'example.com/behind-the-sofa'
    expect(read).toMatchObject({ origin, size: 20_852_163, body: BODY })
    expect(read?.signatures).toHaveLength(1)
    expect(read && checkpointBody(read)).toBe(BODY)
  })

  it('need not be signed, and may have further lines, which belong to what is signed', () => {
    expect(readCheckpoint(BODY)).toMatchObject({ size: 20_852_163, signatures: [] })
    expect(readCheckpoint(`${BODY}more\n`)?.body).toBe(`${BODY}more\n`)
    expect(readCheckpoint(BODY.replace('20852163', '0'))?.size).toBe(0)
  })

  it.each([
    ['no origin', BODY.replace('example.com/behind-the-sofa', '')],
    ['a size with a zero before it', BODY.replace('20852163', '020852163')],
    ['a size that is none', BODY.replace('20852163', '2e7')],
    ['a negative size', BODY.replace('20852163', '-1')],
    ['a size beyond all numbers', BODY.replace('20852163', '9007199254740992')],
    ['a root that is too short', BODY.replace(ROOT, ROOT.slice(4))],
    ['a root in another alphabet', BODY.replace('CsUY', '_sUY')],
    ['a root spelt in another way', BODY.replace('q2I=', 'q2J=')],
    ['two lines', BODY.slice(0, BODY.indexOf(ROOT))],
    ['an empty line in it', `${BODY}\nmore\n\n${EXAMPLE.split('\n\n')[1]}`],
    ['nothing', ''],
    ['a page of HTML', '<!doctype html>\n<title>404</title>\n'],
  ])('is none with %s', (_what, text) => {
    expect(readCheckpoint(text)).toBeUndefined()
  })
})
