import { createReadStream } from 'node:fs'
import { ForeproofError } from '../contract/error.js'
import { isPem } from '../contract/secrets.js'
import { stoppable } from '../files/input.js'
import { STDIN, STDIN_NAME } from '../files/stdin.js'
import { CLOSE_OBJECT, lastByte, NEWLINE, OPEN_ARRAY, OPEN_OBJECT } from './split.js'

const CHUNK_BYTES = 1024 * 1024
/** Bytes at the beginning that are enough to detect the kind of an input. */
const START_BYTES = 64 * 1024

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

export interface InputOptions {
  /** What is read for `-`. */
  readonly stdin?: NodeJS.ReadableStream | undefined
  /** Aborts reading, even while waiting for input. */
  readonly signal?: AbortSignal | undefined
}

/** An input whose beginning was read. */
export interface TableInput {
  /** As findings name it. */
  readonly name: string
  /** As it was given. */
  readonly file: string
  readonly kind: 'csv' | 'json' | 'parquet'
  /** Whether it begins with a byte order mark. */
  readonly isMarked: boolean
  /** Its first bytes, without a byte order mark; all of them if `isWhole`. */
  readonly start: Buffer
  readonly isWhole: boolean
  /** All of its bytes, once. Read to the end, or call `return`. */
  readonly chunks: AsyncGenerator<Buffer>
}

/**
 * Opens an input and detects its kind by its beginning.
 * @throws {ForeproofError} when it cannot be read; `interrupted`.
 */
export async function openInput(file: string, options: InputOptions): Promise<TableInput> {
  const { stdin, signal } = options
  const stream = file === STDIN ? stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  if (stream === undefined) throw new ForeproofError('usage', 'standard input is not available')
  const name = file === STDIN ? STDIN_NAME : file
  const rest = stoppable(stream, name, signal)
  const seen: Buffer[] = []
  let start: Buffer = Buffer.alloc(0)
  let isWhole = false
  while (!isWhole && !isEnough(start)) {
    const { done, value } = await rest.next()
    if (done) isWhole = true
    else {
      seen.push(value)
      start = Buffer.concat(seen)
    }
  }
  async function* chunks() {
    try {
      yield* seen
      yield* rest
    } finally {
      // A reader that stops early may not have reached `rest`, whose file would stay open.
      await rest.return(undefined)
    }
  }
  const text = stripMark(start)
  if (isPem(text.toString('latin1', 0, START_BYTES))) {
    const help = 'Name the table or document itself. Nothing of a key is shown.'
    throw new ForeproofError('invalid-input', `${name}: is a key or certificate in PEM`, {
      file,
      help,
    })
  }
  const isMarked = text.length < start.length
  return { name, file, kind: detectKind(start), isMarked, start: text, isWhole, chunks: chunks() }
}

/** Bytes without the byte order mark that they may begin with. */
export function stripMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes
}

/** Whether the bytes are enough to detect the kind: they contain a complete row. */
function isEnough(start: Buffer): boolean {
  if (start.length >= START_BYTES) return true
  const text = stripMark(start)
  const line = text.subarray(0, Math.max(0, text.indexOf(NEWLINE)))
  const last = lastByte(line)
  if (last === undefined) return false
  return detectKind(start) !== 'json' || (text[0] === OPEN_OBJECT && last === CLOSE_OBJECT)
}

function detectKind(start: Buffer): TableInput['kind'] {
  if (start.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet'
  const first = stripMark(start).find((byte) => byte > 0x20 && byte < 0xfe)
  return first === OPEN_ARRAY || first === OPEN_OBJECT ? 'json' : 'csv'
}
