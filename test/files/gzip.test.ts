import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { gzipWriter, readGzip } from '../../src/files/gzip.js'
import { temporaryFolder } from '../support/folder.js'

const folder = temporaryFolder()
const file = join(folder, 'lines.gz')
const LINES = Array.from({ length: 20_000 }, (_, at) => `{"line":${at},"text":"ü"}\n`)
const TEXT = LINES.join('')
const LIMIT = { max: 10_000_000, help: 'Use another.' }

function packed(pieces: readonly string[]): Buffer {
  const parts: Uint8Array[] = []
  const write = gzipWriter((bytes) => parts.push(bytes))
  for (const piece of pieces) write(piece)
  write()
  return Buffer.concat(parts)
}

function read(bytes: Uint8Array, limit = LIMIT): string {
  writeFileSync(file, bytes)
  return Buffer.concat([...readGzip(file, limit)]).toString('utf8')
}

it('a gzip is one that zlib reads, and one of zlib is read', () => {
  const bytes = packed(LINES)
  expect(gunzipSync(bytes).toString('utf8')).toBe(TEXT)
  expect(bytes.length).toBeLessThan(TEXT.length / 4)
  // Neither a name nor a time.
  expect(bytes.subarray(0, 8).toString('hex')).toBe('1f8b080000000000')
  expect(read(bytes)).toBe(TEXT)
  expect(read(gzipSync(TEXT, { level: 1 }))).toBe(TEXT)
  expect(read(packed([]))).toBe('')
})

it('a gzip that was cut anywhere, or is none, is refused', () => {
  const bytes = gzipSync('a line\n'.repeat(3))
  for (let length = 0; length < bytes.length; length++) {
    expect(() => read(bytes.subarray(0, length)), String(length)).toThrow(/damaged or cut gzip/)
  }
  for (const wrong of ['a line\n', gzipSync(''), bytes]) {
    const more = Buffer.concat([bytes, Buffer.from(wrong)])
    expect(() => read(more), String(wrong)).toThrow(/damaged or cut gzip/)
  }
})

it('a gzip that unpacks to more than may be is refused', () => {
  const bomb = gzipSync(Buffer.alloc(100_000_000))
  expect(bomb.length).toBeLessThan(100_000)
  expect(() => read(bomb)).toThrow(/unpacks to more than 10000000 bytes/)
})
