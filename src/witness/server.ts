import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ADD_CHECKPOINT } from '../log/add-checkpoint.js'
import { listen } from '../service/http/listen.js'
import { createAnswer, createRefusal, type Witness, type WitnessAnswer } from './witness.js'

const LARGEST_BODY = 131_072
const HEADERS_MS = 5000
const BODY_MS = 10_000
const MAX_HEADER_BYTES = 16_384
/** When the server closes, it drops answers that a peer has not read by then. */
const FINISH_MS = 2000

const NEWEST = /^\/([0-9a-f]{64})\/checkpoint$/

export interface RunningWitness {
  /** The address it listens on, such as `http://127.0.0.1:8090`. */
  readonly url: string
  /** Rejects new requests, and resolves when those under way are answered. */
  close(): Promise<void>
}

/**
 * Serves a witness over HTTP.
 * @param failed - called with the cause of each answer 500.
 * @throws {ForeproofError} `unavailable` if it cannot listen.
 */
export async function serveWitness(
  witness: Witness,
  { host, port }: { readonly host: string; readonly port: number },
  failed: (cause: unknown) => void,
): Promise<RunningWitness> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_MS,
      requestTimeout: HEADERS_MS + BODY_MS,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      void handleRequest(witness, request)
        .catch((cause: unknown) => {
          failed(cause)
          return createRefusal(500, 'something went wrong here')
        })
        .then((reply) => send(request, response, reply))
    },
  )
  await listen(server, { host, port }, '--listen')
  const { port: actual } = server.address() as AddressInfo
  const shown = host.includes(':') ? `[${host}]` : host
  return { url: `http://${shown}:${actual}`, close: () => closed(server) }
}

async function handleRequest(witness: Witness, request: IncomingMessage): Promise<WitnessAnswer> {
  const { method, url = '' } = request
  const isRead = method === 'GET' || method === 'HEAD'
  const [, digest] = NEWEST.exec(url) ?? []
  if (digest === undefined && url !== ADD_CHECKPOINT) return createRefusal(404, 'nothing is here')
  if (digest !== undefined) {
    const newest = isRead ? witness.newest(digest) : undefined
    if (newest !== undefined) return createAnswer(200, newest)
    return isRead
      ? createRefusal(404, 'no checkpoint of this log was cosigned')
      : createRefusal(405, 'GET only')
  }
  if (method !== 'POST') return createRefusal(405, 'POST only')
  const body = await readBody(request)
  return typeof body === 'string' ? witness.addCheckpoint(body) : body
}

/** The body as text, or the answer that refuses it. */
async function readBody(request: IncomingMessage): Promise<string | WitnessAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > LARGEST_BODY) return createRefusal(413, `a body has at most ${LARGEST_BODY} bytes`)
      chunks.push(chunk)
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    // Bodies that arrive too slowly were already dropped by the server (`requestTimeout`), so this cause is left.
    return createRefusal(400, 'the body is not UTF-8')
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, type }: WitnessAnswer,
): void {
  // The unread rest of a body would be parsed as the next request.
  if (!request.complete) response.shouldKeepAlive = false
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function closed(server: Server): Promise<void> {
  const giveUp = setTimeout(() => server.closeAllConnections(), FINISH_MS)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(giveUp)
      resolve()
    })
  })
}
