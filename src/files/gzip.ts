import { closeSync, fstatSync } from 'node:fs'
import { Gunzip, Gzip } from 'fflate'
import { ForeproofError, fileError } from '../contract/error.js'
import { openRegular, readInto } from './regular.js'

/** A thousand times as much may be packed in a piece. */
const PIECE = 16_384
/** Of a gzip of nothing: header, an empty block, and eight bytes at the end. */
const SHORTEST = 18

/**
 * Compresses text that comes in pieces: the same pieces give the same bytes on every machine, which the deflate of Node
 * does not.
 * @param onBytes - called before the function returns.
 * @returns a function of the next piece; without one, the end.
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
 * What a gzip file holds, piece by piece; never more than one is in memory.
 * @param limit - bytes that may be in it, and what to do with a file that has more.
 * @throws {ForeproofError} `invalid-input` where it is damaged, cut, or has more; as `openRegular`.
 */
export function* readGzip(
  path: string,
  { most, help }: { readonly most: number; readonly help: string },
): Generator<Uint8Array, undefined> {
  const fault = (says: string, how: string) =>
    new ForeproofError('invalid-input', `${path}: ${says}`, { file: path, help: how })
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
        if (size > most) throw fault(`unpacks to more than ${most} bytes`, help)
        if (each.length > 0) yield each
      }
    } while (left > 0)
    // The last four bytes say how many were packed, modulo 2^32 (RFC 1952).
    const said = () => new DataView(last.buffer, last.byteOffset).getUint32(0, true)
    const isWhole = packed >= SHORTEST && said() === size % 2 ** 32
    if (!isWhole) throw fault('is a damaged or cut gzip', TAKE_AGAIN)
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    closeSync(descriptor)
  }
}

const TAKE_AGAIN = 'Take the file as foreproof wrote it.'
