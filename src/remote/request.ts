import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { ForeproofError } from '../contract/error.js'

const TIMEOUT_MS = 60_000
/** Largest body that is taken in, as it is sent and as it is decoded, in bytes. */
export const LARGEST_BODY = 64 * 1024 * 1024

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** What every request says of the encodings that can be read here. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

export interface RequestOptions {
  readonly method: string
  readonly headers: Headers
  readonly signal?: AbortSignal | undefined
}

/** An answer, its body as it was sent. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/**
 * Asks once. Ends in an answer or an error, whatever the other side does. The body is decoded only
 * once it is whole: `fetch` never comes back from some bodies that do not decode.
 * @throws {ForeproofError} `io` for a body that is too large. Whatever the system says when the other
 * side cannot be reached or stops.
 */
export async function request(url: string, options: RequestOptions): Promise<Received> {
  const sent = start(url, options)
  // This timer keeps the process alive: waiting without one may end it early, without a word.
  const seconds = TIMEOUT_MS / 1000
  const late = () => sent.destroy(new Error(`no whole answer within ${seconds} s`))
  const timer = setTimeout(late, TIMEOUT_MS)
  try {
    const response = await responseOf(sent)
    const bytes = await bounded(response, url)
    return { status: response.statusCode ?? 0, headers: receivedHeaders(response), bytes }
  } finally {
    clearTimeout(timer)
  }
}

function start(url: string, { method, headers, signal }: RequestOptions): ClientRequest {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  return request(url, { method, headers: Object.fromEntries(headers), ...(signal && { signal }) })
}

function responseOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.on('close', () => reject(new Error('the connection was closed without an answer')))
    sent.end()
  })
}

function receivedHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  return headers
}

async function bounded(response: IncomingMessage, url: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) throw tooLarge(url)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The body of an answer without its Content-Encoding.
 * @throws {ForeproofError} `io` when it does not decode, or is too large then; asking again would not help.
 */
export async function decodedBody({ bytes, headers }: Received, url: string): Promise<Uint8Array> {
  const name = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  // An answer without a body may still name the encoding that a body would have.
  if (name === 'identity' || name === '' || bytes.length === 0) return bytes
  if (!Object.hasOwn(DECODERS, name)) {
    throw new ForeproofError(
      'io',
      `${url}: the answer has a Content-Encoding that was not asked for`,
      {
        help: `Answers are read as they are, or in one of: ${ACCEPT_ENCODING}.`,
      },
    )
  }
  try {
    return await DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: LARGEST_BODY })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(url)
    throw new ForeproofError('io', `${url}: the answer does not decompress as ${name}`, {
      help: 'Its Content-Encoding and its bytes disagree: tell whoever runs the server.',
      cause,
    })
  }
}

function tooLarge(url: string): ForeproofError {
  return new ForeproofError('io', `${url}: the answer is larger than ${LARGEST_BODY} bytes`)
}
