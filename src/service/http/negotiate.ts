import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { MEDIA_TYPE } from '../../contract/limits.js'
import type { ServiceResponse } from './http.js'

/** The weight of RFC 9110: at most three decimals. Java's own client leaves the zero before them out. */
const WEIGHT = /^q=(0?\.\d{1,3}|0\.?|1(?:\.0{0,3})?)$/i
/** Our media type has no parameters, but it is UTF-8: who asks for that asks for nothing else. */
const UTF_8 = /^charset=(?:utf-8|"utf-8")$/i

const [TYPE] = MEDIA_TYPE.split('/')
/** How narrowly a range names our media type; the narrowest one decides. */
const SPECIFICITY: ReadonlyMap<string, number> = new Map([
  ['*/*', 1],
  [`${TYPE}/*`, 2],
  [MEDIA_TYPE, 3],
])

/**
 * Whether an Accept header (RFC 9110, section 12.5.1) allows the v1 media type. No header, or one
 * without an element, allows everything. An element that is not well-formed allows nothing. Takes time in
 * proportion to the header's length, for any client can send one.
 */
export function acceptsMediaType(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPE) return true
  if (/^[\s,]*$/.test(accept)) return true
  let narrowest = 0
  let weight = 0
  for (const element of splitOutsideQuotes(accept, ',')) {
    const range = parseRange(element)
    if (range === undefined || range.specificity < narrowest) continue
    // The same range twice: the larger weight, as a client that lists both would take either.
    weight = range.specificity === narrowest ? Math.max(weight, range.weight) : range.weight
    narrowest = range.specificity
  }
  return weight > 0
}

/** Undefined for a range that does not match our media type, or is none. */
function parseRange(element: string): { specificity: number; weight: number } | undefined {
  const [type = '', ...parameters] = splitOutsideQuotes(element, ';')
  const specificity = SPECIFICITY.get(type.trim().toLowerCase())
  if (specificity === undefined) return undefined
  let weight = 1
  for (const parameter of parameters) {
    const text = parameter.trim()
    if (text === '' || UTF_8.test(text)) continue
    // A range that asks for any other parameter does not match.
    const given = WEIGHT.exec(text)?.[1]
    if (given === undefined) return undefined
    weight = Number(given)
  }
  return { specificity, weight }
}

/** Splits at a separator that is not part of a quoted string. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (character === '\\' && quoted) at++
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** Below this an answer takes two packets at most: the latest forecast and errors are sent as they are. */
const MIN_BYTES = 2048
/** Of a page of forecasts the fastest level leaves a tenth; the slower ones take far longer for little more. */
const OPTIONS = { level: constants.Z_BEST_SPEED }
/** Each takes a quarter of a megabyte while it works, and one of libuv's four threads, which the audit log needs too. */
const MAX_CONCURRENT = 2
const CODING_WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

const compress = promisify(gzip)

/** How a client takes its answer. */
export type Encoding = 'gzip' | 'identity'

/**
 * Reads an Accept-Encoding header (RFC 9110, section 12.5.3). No header asks for nothing, and an element
 * that is not well-formed says nothing. A client that refuses an answer as it is gets it so where it is small.
 */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = new Map<string, number>()
  for (const element of splitOutsideQuotes(acceptEncoding, ',')) {
    const [name = '', weight, ...more] = element.split(';').map((part) => part.trim().toLowerCase())
    const given = weight === undefined ? '1' : CODING_WEIGHT.exec(weight)?.[1]
    if (given === undefined || more.length > 0) continue
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(given))
  }
  const zipped = weights.get('gzip') ?? weights.get('*') ?? 0
  return zipped === 0 || zipped < (weights.get('identity') ?? 0) ? 'identity' : 'gzip'
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
    if (body.length < MIN_BYTES) return response
    const vary = ['Vary', 'Accept-Encoding']
    if (encoding === 'identity') return { ...response, headers: [...headers, ...vary] }
    const zipped = await this.#zip(body)
    const length = String(zipped.length)
    const own = headers.map((text, at) => (headers[at - 1] === 'Content-Length' ? length : text))
    return { ...response, body: zipped, headers: [...own, 'Content-Encoding', 'gzip', ...vary] }
  }

  #zip(body: string | Buffer): Promise<Buffer> {
    if (typeof body === 'string') return this.#inTurn(Buffer.from(body, 'latin1'))
    const made = this.#made.get(body) ?? this.#inTurn(body)
    this.#made.set(body, made)
    return made
  }

  async #inTurn(body: Buffer): Promise<Buffer> {
    while (this.#working >= MAX_CONCURRENT) {
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
