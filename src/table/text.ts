export type EncodingFault = 'zip' | 'gzip' | 'utf-16' | 'binary' | 'not-utf-8'

/** Thrown by decodeText when the bytes are no text that can be read. */
export class EncodingError extends Error {
  constructor(readonly fault: EncodingFault) {
    super(fault)
  }
}

const MAGIC: readonly (readonly [bytes: readonly number[], fault: EncodingFault])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'zip'],
  [[0x1f, 0x8b], 'gzip'],
  [[0xff, 0xfe, 0x00, 0x00], 'binary'],
  [[0xff, 0xfe], 'utf-16'],
  [[0xfe, 0xff], 'utf-16'],
]

/**
 * The text of a byte stream, chunk by chunk, without a byte order mark.
 * @throws {EncodingError} when the bytes are an archive or are not UTF-8.
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  for await (const piece of source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (first && bytes.length > 0) {
      const fault = magicOf(bytes)
      if (fault !== undefined) throw new EncodingError(fault)
      first = false
    }
    const text = decode(() => decoder.decode(bytes, { stream: true }))
    if (text.includes('\u0000')) throw new EncodingError('binary')
    if (text !== '') yield text
  }
  decode(() => decoder.decode())
}

/** What bytes are that begin like an archive, like UTF-16, with its mark or without, or like no text. */
export function magicOf(bytes: Uint8Array): EncodingFault | undefined {
  const known = MAGIC.find(([magic]) => magic.every((byte, index) => bytes[index] === byte))?.[1]
  if (known !== undefined || !bytes.includes(0)) return known
  // In UTF-16 one byte of two is zero, in a letter of ASCII.
  const pairs = (zero: 0 | 1) =>
    [0, 2, 4].every((at) => bytes[at + zero] === 0 && bytes[at + 1 - zero] !== 0)
  return pairs(0) || pairs(1) ? 'utf-16' : 'binary'
}

function decode(read: () => string): string {
  try {
    return read()
  } catch {
    throw new EncodingError('not-utf-8')
  }
}
