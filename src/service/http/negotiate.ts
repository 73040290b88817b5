import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { MEDIA_TYPE } from '../../contract/limits.js'
import type { ServiceResponse } from './http.js'

/** The weight of RFC 9110: at most three decimals. Java's own client leaves the zero before them out. */
const WEIGHT = /^q=(0?\.\d{1,3}|0\.?|1(?:\.0{0,3})?)$/i
/** Our media type has no parameters, but it is UTF-8, so this parameter matches. */
const UTF_8 = /^charset=(?:utf-8|"utf-8")$/i

const [TYPE] = MEDIA_TYPE.split('/')
/** How specific a range is; the most specific one decides. */
const SPECIFICITY: ReadonlyMap<string, number> = new Map([
  ['*/*', 1],
  [`${TYPE}/*`, 2],
  [MEDIA_TYPE, 3],
])

/**
 * Whether an Accept header (RFC 9110, section 12.5.1) allows the v1 media type. A missing or empty header allows
 * everything. A malformed element allows nothing. Runs in linear time, because any client can send a header.
 */
export function acceptsMediaType(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPE) return true
  if (/^[\s,]*$/.test(accept)) return true
  let narrowest = 0
  let weight = 0
  for (const element of splitOutsideQuotes(accept, ',')) {
    const range = parseRange(element)
    if (range === undefined || range.specificity < narrowest) continue
    // For a repeated range the larger weight counts, because the client accepts either.
    weight = range.specificity === narrowest ? Math.max(weight, range.weight) : range.weight
    narrowest = range.specificity
  }
  return weight > 0
}

/** Undefined for a malformed range, or one that does not match our media type. */
function parseRange(element: string): { specificity: number; weight: number } | undefined {
  const [type = '', ...parameters] = splitOutsideQuotes(element, ';')
  const specificity = SPECIFICITY.get(type.trim().toLowerCase())
  if (specificity === undefined) return undefined
  let weight = 1
  for (const parameter of parameters) {
    const text = parameter.trim()
    if (text === '' || UTF_8.test(text)) continue
    // A range with any other parameter does not match.
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

/** Smaller answers fit into two packets. So the latest forecast and errors are not compressed. */
const MIN_BYTES = 2048
/** The fastest level compresses a page of forecasts to a tenth; slower levels gain little. */
const OPTIONS = { level: constants.Z_BEST_SPEED }
/**
 * Each compression takes a quarter of a megabyte and one of libuv's four threads, which the audit log needs too.
 */
const MAX_CONCURRENT = 2
const CODING_WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

const compress = promisify(gzip)

/** The encoding of an answer. */
export type Encoding = 'gzip' | 'identity'

/**
 * Parses an Accept-Encoding header (RFC 9110, section 12.5.3). Without a header nothing is compressed; malformed
 * elements are ignored. Small answers are sent uncompressed even if a client refuses that.
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

/** Compresses answers on the threads of libuv, without blocking requests. */
export class Compressor {
  /** Under load, many requests share the same bytes, which are compressed once. */
  readonly #made = new WeakMap<Buffer, Promise<Buffer>>()
  #working = 0
  readonly #waiting: (() => void)[] = []

  /** Encodes the answer for its client. Answers worth compressing have a Vary header. */
  async encode(response: ServiceResponse, encoding: Encoding): Promise<ServiceResponse> {
    const { body, headers } = response
    if (body.length < MIN_BYTES) return response
    const vary = ['Vary', 'Accept-Encoding']
    if (encoding === 'identity') return { ...response, headers: [...headers, ...vary] }
    const zipped = await this.#zip(body)
    const length = String(zipped.length)
    const kept = headers.map((text, at) => (headers[at - 1] === 'Content-Length' ? length : text))
    return { ...response, body: zipped, headers: [...kept, 'Content-Encoding', 'gzip', ...vary] }
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
