import { closeSync, fstatSync } from 'node:fs'
import { Gunzip, Gzip } from 'fflate'
import { ForeproofError, fileError } from '../contract/error.js'
import { openRegular, readInto } from './regular.js'

/** A packed piece may expand a thousandfold. */
const PIECE = 16_384
/** Size of a gzip of nothing: header, an empty block, and eight bytes at the end. */
const SHORTEST = 18

/**
 * Compresses text in pieces. Equal pieces give equal bytes on every machine, unlike with Node's deflate.
 * @param onBytes - called before the function returns.
 * @returns a function that takes the next piece, or ends the stream if called without one.
 */
export function gzipWriter(
  onBytes: (bytes: Uint8Array) => void,
): (text?: string | Uint8Array) => void {
  const gzip = new Gzip({ level: 6, mtime: 0 }, (bytes) => {
    if (bytes.length > 0) onBytes(bytes)
  })
  return (text) => {
    gzip.push(typeof text === 'object' ? text : Buffer.from(text ?? ''), text === undefined)
  }
}

/**
 * Decompresses a gzip file, with one piece in memory at a time.
 * @param limit - maximum number of bytes, and the help for a larger file.
 * @throws {ForeproofError} `invalid-input` if it is damaged, truncated or larger; as `openRegular`.
 */
export function* readGzip(
  path: string,
  { max, help }: { readonly max: number; readonly help: string },
): Generator<Uint8Array, undefined> {
  const fault = (message: string, how: string) =>
    new ForeproofError('invalid-input', `${path}: ${message}`, { file: path, help: how })
  const descriptor = openRegular(path, { links: 'refuse' })
  try {
    const pieces: Uint8Array[] = []
    const gunzip = new Gunzip((piece) => pieces.push(piece))
    const { size: packed } = fstatSync(descriptor)
    let [left, size, last] = [packed, 0, Buffer.alloc(0)]
    do {
      const piece = Buffer.alloc(Math.min(PIECE, left))
      const read = readInto(descriptor, piece)
      left = read < piece.length ? 0 : left - read
      last = Buffer.concat([last, piece.subarray(0, read)]).subarray(-4)
      try {
        gunzip.push(piece.subarray(0, read), left === 0)
      } catch (cause) {
        throw Object.assign(fault('is a damaged or cut gzip', TAKE_AGAIN), { cause })
      }
      for (const each of pieces.splice(0)) {
        size += each.length
        if (size > max) throw fault(`unpacks to more than ${max} bytes`, help)
        if (each.length > 0) yield each
      }
    } while (left > 0)
    // The last four bytes are the unpacked size, modulo 2^32 (RFC 1952).
    const statedSize = () => new DataView(last.buffer, last.byteOffset).getUint32(0, true)
    const isWhole = packed >= SHORTEST && statedSize() === size % 2 ** 32
    if (!isWhole) throw fault('is a damaged or cut gzip', TAKE_AGAIN)
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    closeSync(descriptor)
  }
}

const TAKE_AGAIN = 'Take the file as foreproof wrote it.'
