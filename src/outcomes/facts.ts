import { createHash } from 'node:crypto'

/** What is known of a file once all of its bytes went by. */
export interface ReadFacts {
  bytes: number
  sha256: string
  /** False when the last line has no line break: the file may be cut off. */
  endsWithLineBreak: boolean
  /** What an API's answer says besides its bars. */
  around?: string
}

const LINE_BREAKS = [0x0a, 0x0d]

/** The same bytes; what is known of them is put into `facts` when they end. */
export async function* withFacts(
  source: AsyncIterable<Uint8Array | string>,
  facts: ReadFacts,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let last: number | undefined
  for await (const piece of source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    hash.update(bytes)
    facts.bytes += bytes.length
    last = bytes.at(-1) ?? last
    yield bytes
  }
  facts.sha256 = hash.digest('hex')
  facts.endsWithLineBreak = last !== undefined && LINE_BREAKS.includes(last)
}
