import { createHash } from 'node:crypto'

export type EncodingFault = 'zip' | 'gzip' | 'utf-16' | 'binary' | 'not-utf-8'

/** What is known of a file once all of its bytes went by. */
export interface ReadFacts {
  bytes: number
  sha256: string
  /** False when the last line has no line break: the file may be cut off. */
  endsWithLineBreak: boolean
  /** What an API's answer says besides its bars. */
  around?: string
}

/** Thrown by textOf when the bytes are no text that can be read; caught by the importer. */
export class EncodingError extends Error {
  constructor(readonly fault: EncodingFault) {
    super(fault)
  }
}

const MAGIC: readonly (readonly [bytes: readonly number[], fault: EncodingFault])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'zip'],
  [[0x1f, 0x8b], 'gzip'],
  [[0xff, 0xfe], 'utf-16'],
  [[0xfe, 0xff], 'utf-16'],
]

/**
 * The text of a byte stream, chunk by chunk, with line breaks as \n and without a byte order mark;
 * digest and size, of all bytes, are put into `facts` when the stream ends.
 * @throws {EncodingError} when the bytes are an archive or are not UTF-8.
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array | string>,
  facts: ReadFacts,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let held = ''
  let first = true
  let last = ''
  for await (const piece of source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (first && bytes.length > 0) {
      refuseMagic(bytes)
      first = false
    }
    hash.update(bytes)
    facts.bytes += bytes.length
    const text = held + decode(() => decoder.decode(bytes, { stream: true }))
    if (text.includes('\u0000')) throw new EncodingError('binary')
    // A carriage return at the end of a chunk waits for what follows it.
    held = text.endsWith('\r') ? '\r' : ''
    const whole = text.slice(0, text.length - held.length).replaceAll('\r\n', '\n')
    if (whole === '') continue
    last = whole
    yield whole
  }
  decode(() => decoder.decode())
  if (held !== '') yield held
  facts.sha256 = hash.digest('hex')
  facts.endsWithLineBreak = held !== '' || last.endsWith('\n')
}

function decode(read: () => string): string {
  try {
    return read()
  } catch {
    throw new EncodingError('not-utf-8')
  }
}

function refuseMagic(bytes: Uint8Array): void {
  for (const [magic, fault] of MAGIC) {
    if (magic.every((byte, index) => bytes[index] === byte)) throw new EncodingError(fault)
  }
}
