import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Reply, RequestHandler } from './http.js'

const MAX_HEADER_BYTES = 16_384
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 20_000
/** A closing listener waits until no connection has come for so long, */
const QUIET_MS = 20
/** but no longer than this. */
const HOLD_MS = 300
/**
 * A peer that neither sends nor takes anything for so long is cut off, also between two requests: longer
 * than the usual minute of a reverse proxy, so that it is the proxy that closes.
 */
const SILENCE_MS = 90_000

/** The node:http side of the service: sockets in, bytes out, nothing decided here. */
export class ServiceServer {
  readonly http: Server
  private stopping = false
  /** Open connections, each with an answer that may be on its way, or to a request that may go on. */
  private readonly sockets = new Map<Socket, ServerResponse | undefined>()
  private readonly bodies = new BodyWatch()
  /** When a connection came last, by a clock that never goes back. */
  private cameAt = 0
  /** How many answers are being made, and what is called when none is. */
  private answering = 0
  private answered: (() => void) | undefined
  /** Requests that wait until the listener is closed. */
  private held: (() => void)[] | undefined

  /** @param failed called with why a request got no answer: it is a bug. */
  constructor(
    private readonly service: RequestHandler,
    private readonly failed: (cause: unknown) => void,
  ) {
    this.http = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        // With a time of their own for waiting between requests, sockets would change clocks twice a request.
        keepAliveTimeout: 0,
        connectionsCheckingInterval: 2000,
        // Two keys are no key: joined, they match nothing.
        joinDuplicateHeaders: true,
        // Checked by the service, which answers in the envelope.
        requireHostHeader: false,
      },
      (request, response) => this.serve(request, response),
    )
    this.http.setTimeout(SILENCE_MS)
    // A client that has sent all it will send still waits for its answers.
    Object.assign(this.http, { httpAllowHalfOpen: true })
    this.http.on('connection', (socket) => {
      this.sockets.set(socket, undefined)
      this.cameAt = performance.now()
      socket.once('close', () => this.sockets.delete(socket))
    })
    // A client that waits for a go-ahead to send a body hears at once that none is wanted.
    const expecting = (request: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false
      this.serve(request, response)
    }
    this.http.on('checkContinue', expecting)
    this.http.on('checkExpectation', expecting)
    this.http.on('clientError', (error, socket) => this.refuse(error, socket as Socket))
    this.http.on('connect', (_request, socket) => this.refuse(undefined, socket as Socket))
  }

  /**
   * Takes no new connection; those that are open get one more answer each. Resolves when all are
   * closed and no answer is being made any more. Unlike `http.close`, it leaves idle ones open: their next request may be on its way.
   */
  async stopListening(): Promise<void> {
    this.stopping = true
    await this.quietMoment()
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this.http, () => resolve())
    })
    const { held = [] } = this
    this.held = undefined
    for (const serve of held) serve()
    await closed
    while (this.answering > 0) await new Promise<void>((resolve) => (this.answered = resolve))
  }

  /**
   * The system takes connections before we hear of them, and drops with the listener those we have
   * not heard of yet. Clients that come again with every answer would leave no moment without any: while
   * answers are held back, they do not come. Resolves right after the system was asked for new ones.
   */
  private async quietMoment(): Promise<void> {
    this.held = []
    const began = performance.now()
    this.cameAt = began
    for (let now = began; now - this.cameAt < QUIET_MS && now - began < HOLD_MS; ) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      await new Promise((resolve) => setImmediate(resolve))
      now = performance.now()
    }
  }

  /** Closes what waits between two requests, or never sent anything: node:http knows only the former. */
  closeIdle(): void {
    this.http.closeIdleConnections()
    for (const socket of this.sockets.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    this.sockets.set(request.socket, response)
    // The parser drops what came along with a wish for another protocol: no answer to that would ever come.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    if (this.held === undefined) void this.answer(request, response)
    else this.held.push(() => void this.answer(request, response))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers, httpVersionMinor, socket } = request
    this.answering++
    try {
      const hasBody = await this.bodies.hasBody(request)
      const asked = { method, target, headers, hasBody, hostRequired: httpVersionMinor > 0 }
      this.send(response, await this.service.handle(asked, socket.remoteAddress ?? ''))
    } catch (cause) {
      response.destroy()
      this.failed(cause)
    } finally {
      this.answering--
      if (this.answering === 0) this.answered?.()
    }
  }

  private send(response: ServerResponse, { response: made, requestId }: Reply): void {
    if (this.stopping) response.shouldKeepAlive = false
    response.writeHead(made.status, [...made.headers, 'X-Request-Id', requestId])
    response.end(made.body, 'latin1')
  }

  /** Answers what never became a request; the connection cannot be used any further. */
  private refuse(error: NodeJS.ErrnoException | undefined, socket: Socket): void {
    if (error?.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const earlier = this.sockets.get(socket)
    this.bodies.giveUp(earlier?.req)
    if (earlier !== undefined && !earlier.writableFinished && !socket.destroyed) {
      // Answers come in the order of their requests, and those before this one are still on their way.
      earlier.once('close', () => this.refuse(error, socket))
      return
    }
    if (!socket.writable || earlier?.req.complete === false) {
      // What is broken is the rest of a request that has its answer.
      socket.destroySoon()
      return
    }
    const { response, requestId } = this.service.malformed(socket.remoteAddress ?? '')
    const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`]
    const headers = [...response.headers, 'X-Request-Id', requestId]
    headers.push('Date', new Date().toUTCString(), 'Connection', 'close')
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
    socket.end(`${lines.join('\r\n')}\r\n\r\n${response.body}`, 'latin1', () => socket.destroy())
  }
}

/**
 * Whether a request has a body. A length says so beforehand. Of chunks it is not known before the first:
 * some clients send none, which is an empty body, so that one is waited for. A client that waits for
 * a go-ahead sends nothing, and has its answer at once.
 */
class BodyWatch {
  /** Requests whose first chunk is waited for, each with what is called when it will not come. */
  readonly #waiting = new Map<IncomingMessage, () => void>()

  hasBody(request: IncomingMessage): boolean | Promise<boolean> {
    const { headers } = request
    const length = headers['content-length']
    if (length !== undefined && length !== '0') return true
    if (headers['transfer-encoding'] === undefined) return false
    return headers.expect !== undefined || this.#firstChunk(request)
  }

  /** For a request whose body is broken, late or cut off: what is not empty is a body. */
  giveUp(request: IncomingMessage | undefined): void {
    if (request !== undefined) this.#waiting.get(request)?.()
  }

  #firstChunk(request: IncomingMessage): Promise<boolean> {
    return new Promise<boolean>((resolve) => {
      const settle = (hasBody: boolean) => () => {
        this.#waiting.delete(request)
        resolve(hasBody)
      }
      this.#waiting.set(request, settle(true))
      request.once('data', settle(true)).once('end', settle(false)).once('close', settle(true))
    })
  }
}
