import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { splitOutsideQuotes } from './accept.js'
import type { ServiceResponse } from './http.js'

/** Below this an answer takes two packets at most: the latest forecast and errors are sent as they are. */
const SMALLEST_BYTES = 2048
/** Of a page of forecasts the fastest level leaves a tenth; the slower ones take far longer for little more. */
const OPTIONS = { level: constants.Z_BEST_SPEED }
/** Each takes a quarter of a megabyte while it works, and one of libuv's four threads, which the audit log needs too. */
const MOST_AT_ONCE = 2
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

const compress = promisify(gzip)

/** How a client wants its answer: compressed, as it is, or compressed and in no other way. */
export type Encoding = 'gzip' | 'identity' | 'only-gzip'

/**
 * Reads an Accept-Encoding header (RFC 9110, section 12.5.3). No header asks for nothing, and an element
 * that is not well-formed says nothing. A client that refuses every form is answered as if it had not.
 */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = new Map<string, number>()
  for (const element of splitOutsideQuotes(acceptEncoding, ',')) {
    const [name = '', weight, ...more] = element.split(';').map((part) => part.trim().toLowerCase())
    const given = weight === undefined ? '1' : WEIGHT.exec(weight)?.[1]
    if (given === undefined || more.length > 0) continue
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(given))
  }
  const other = weights.get('*')
  const zipped = weights.get('gzip') ?? other ?? 0
  const plain = weights.get('identity') ?? other
  if (zipped === 0 || zipped < (weights.get('identity') ?? 0)) return 'identity'
  return plain === 0 ? 'only-gzip' : 'gzip'
}

/** Compresses answers, on the threads of libuv: requests go on meanwhile. */
export class Compressor {
  /** Under load, many requests for one thing are given the same bytes, which are compressed once. */
  readonly #made = new WeakMap<Buffer, Promise<Buffer>>()
  #working = 0
  readonly #waiting: (() => void)[] = []

  /** The answer as its client wants it. One that is worth compressing says that it may come in another form. */
  async encode(response: ServiceResponse, encoding: Encoding): Promise<ServiceResponse> {
    const { body, headers } = response
    const large = body.length >= SMALLEST_BYTES
    const vary = large ? ['Vary', 'Accept-Encoding'] : []
    if (encoding === 'identity' || !(large || encoding === 'only-gzip')) {
      return large ? { ...response, headers: [...headers, ...vary] } : response
    }
    const zipped = await this.#zip(body)
    return {
      ...response,
      body: zipped,
      headers: [...withLength(headers, zipped.length), 'Content-Encoding', 'gzip', ...vary],
    }
  }

  #zip(body: string | Buffer): Promise<Buffer> {
    if (typeof body === 'string') return this.#inTurn(Buffer.from(body, 'latin1'))
    const made = this.#made.get(body) ?? this.#inTurn(body)
    this.#made.set(body, made)
    return made
  }

  async #inTurn(body: Buffer): Promise<Buffer> {
    while (this.#working >= MOST_AT_ONCE) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#working++
    try {
      return await compress(body, OPTIONS)
    } finally {
      this.#working--
      this.#waiting.shift()?.()
    }
  }
}

/** The same headers with another Content-Length. */
function withLength(headers: readonly string[], length: number): string[] {
  return headers.map((text, at) => (headers[at - 1] === 'Content-Length' ? String(length) : text))
}
