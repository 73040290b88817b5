import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { ForeproofError } from '../contract/error.js'
import { withoutSecrets } from '../contract/secrets.js'

const TIMEOUT_MS = 60_000
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Limits of an answer, for a caller that expects less than a page of forecasts. */
export interface RequestLimits {
  /** Until the whole answer has arrived, in milliseconds; a minute by default. */
  readonly timeoutMs?: number | undefined
  /** Maximum size of the body, both as sent and as decoded, in bytes; 64 MiB by default. */
  readonly largestBody?: number | undefined
}

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** The Accept-Encoding of every request: the encodings that `decodeBody` supports. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

export interface RequestOptions extends RequestLimits {
  readonly method: string
  readonly headers: Headers
  readonly body?: Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer with its body as it was sent, not yet decoded. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** The body of an answer was cut off. */
export class TruncatedBody extends Error {}

/**
 * Sends one request, which always ends in an answer or an error. The body is decoded only after all of it has arrived,
 * because `fetch` hangs on some bodies that do not decode.
 * @throws {ForeproofError} `io` for a body that is too large. `TruncatedBody`. The system's error if the other side
 * cannot be reached or stops.
 */
export async function request(url: string, options: RequestOptions): Promise<Received> {
  const sent = start(url, options)
  // This timer also keeps the process alive: without one, Node may exit silently while it waits.
  const { timeoutMs = TIMEOUT_MS, largestBody = MAX_BODY_BYTES } = options
  let late: Error | undefined
  const timer = setTimeout(() => {
    late = new Error(`no whole answer within ${timeoutMs / 1000} s`)
    sent.destroy(late)
  }, timeoutMs)
  try {
    const response = await waitForResponse(sent, options.body)
    const bytes = await readBounded(response, url, largestBody)
    return { status: response.statusCode ?? 0, headers: receivedHeaders(response), bytes }
  } catch (cause) {
    // If the timeout destroyed the request, its own error says less than ours.
    throw late ?? cause
  } finally {
    clearTimeout(timer)
  }
}

function start(url: string, { method, headers, signal }: RequestOptions): ClientRequest {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  return request(url, { method, headers: Object.fromEntries(headers), ...(signal && { signal }) })
}

function waitForResponse(
  sent: ClientRequest,
  body: Uint8Array | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.on('close', () => reject(new Error('the connection was closed without an answer')))
    sent.end(body)
  })
}

function receivedHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  return headers
}

async function readBounded(
  response: IncomingMessage,
  url: string,
  largest: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > largest) throw tooLargeError(url, largest)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof ForeproofError) throw cause
    const length = response.headers['content-length']
    const of = length === undefined ? '' : ` of ${length}`
    throw new TruncatedBody(`the answer was cut short after ${size}${of} bytes`, { cause })
  }
  return Buffer.concat(chunks)
}

/**
 * Decodes the body of an answer by its Content-Encoding.
 * @throws {ForeproofError} `io` if it does not decode, or is too large decoded; a retry would not help.
 */
export async function decodeBody(
  { bytes, headers }: Received,
  url: string,
  largest = MAX_BODY_BYTES,
): Promise<Uint8Array> {
  const name = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  // An answer without a body may still name an encoding.
  if (name === 'identity' || name === '' || bytes.length === 0) return bytes
  if (!Object.hasOwn(DECODERS, name)) {
    const message = `${withoutSecrets(url)}: the answer has a Content-Encoding that was not asked for`
    const help = `Answers are read as they are, or in one of: ${ACCEPT_ENCODING}.`
    throw new ForeproofError('io', message, { help })
  }
  try {
    return await DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: largest })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLargeError(url, largest)
    const message = `${withoutSecrets(url)}: the answer does not decompress as ${name}`
    const help = 'Its Content-Encoding and its bytes disagree: write to those who run the server.'
    throw new ForeproofError('io', message, { help, cause })
  }
}

function tooLargeError(url: string, largest: number): ForeproofError {
  return new ForeproofError(
    'io',
    `${withoutSecrets(url)}: the answer is larger than ${largest} bytes`,
  )
}
