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
/** A closing listener waits until no connection has come for this long, */
const QUIET_MS = 20
/** but at most this long. */
const HOLD_MS = 300
/**
 * A silent peer is disconnected after this time, also between requests. Longer than the usual minute of a reverse
 * proxy, so that the proxy closes first.
 */
const SILENCE_MS = 90_000

/** The node:http side of the service: sockets and bytes, without decisions. */
export class ServiceServer {
  readonly http: Server
  private stopping = false
  /** Open connections, each with its current request or answer. */
  private readonly sockets = new Map<Socket, ServerResponse | undefined>()
  private readonly bodies = new BodyWatch()
  /** When the last connection came, by a monotonic clock. */
  private cameAt = 0
  /** Number of answers in progress, and a callback for when it reaches 0. */
  private answering = 0
  private answered: (() => void) | undefined
  /** Requests that wait until the listener is closed. */
  private held: (() => void)[] | undefined

  /** @param failed called if a request got no answer, which is a bug. */
  constructor(
    private readonly service: RequestHandler,
    private readonly failed: (cause: unknown) => void,
  ) {
    this.http = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        // One timeout for all states, because a separate keep-alive timeout would reset timers twice per request.
        keepAliveTimeout: 0,
        connectionsCheckingInterval: 2000,
        // Two keys are joined and so match no key.
        joinDuplicateHeaders: true,
        // Checked by the service, which answers in the envelope.
        requireHostHeader: false,
      },
      (request, response) => this.serve(request, response),
    )
    this.http.setTimeout(SILENCE_MS)
    // A client that has closed its sending side still waits for answers.
    Object.assign(this.http, { httpAllowHalfOpen: true })
    this.http.on('connection', (socket) => {
      this.sockets.set(socket, undefined)
      this.cameAt = performance.now()
      socket.once('close', () => this.sockets.delete(socket))
    })
    // A client that sent "Expect: 100-continue" learns at once that no body is wanted.
    const expecting = (request: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false
      this.serve(request, response)
    }
    this.http.on('checkContinue', expecting)
    this.http.on('checkExpectation', expecting)
    this.http.on('clientError', (error, socket) => this.rejectSocket(error, socket as Socket))
    this.http.on('connect', (_request, socket) => this.rejectSocket(undefined, socket as Socket))
  }

  /**
   * Accepts no new connections; open ones get one more answer each. Resolves when all are closed and no answer is in
   * progress. Unlike `http.close`, it keeps idle connections, because their next request may be on its way.
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
   * The system accepts connections before we see them, and drops unseen ones with the listener. Clients that
   * reconnect after every answer would leave no quiet moment, so answers are held back meanwhile. Resolves right
   * after polling the system for new connections.
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

  /**
   * Closes idle connections, and those that never sent anything, which node:http does not close.
   */
  closeIdle(): void {
    this.http.closeIdleConnections()
    for (const socket of this.sockets.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    this.sockets.set(request.socket, response)
    // The parser drops bytes that came with an upgrade request, so they would never be answered.
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

  /** Answers malformed input; the connection cannot be used afterwards. */
  private rejectSocket(error: NodeJS.ErrnoException | undefined, socket: Socket): void {
    if (error?.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const earlier = this.sockets.get(socket)
    this.bodies.giveUp(earlier?.req)
    if (earlier !== undefined && !earlier.writableFinished && !socket.destroyed) {
      // Answers are in the order of requests, and earlier ones are still in progress.
      earlier.once('close', () => this.rejectSocket(error, socket))
      return
    }
    if (!socket.writable || earlier?.req.complete === false) {
      // The malformed bytes are the rest of a request that was already answered.
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
 * Whether a request has a body. A length header says so in advance. A chunked body is known only after its first chunk,
 * because some clients send none, which is an empty body; so we wait for it. A client that waits for "100 Continue"
 * sends nothing, and is answered at once.
 */
class BodyWatch {
  /** Requests whose first chunk has not come yet, with a callback in case it never does. */
  readonly #waiting = new Map<IncomingMessage, () => void>()

  hasBody(request: IncomingMessage): boolean | Promise<boolean> {
    const { headers } = request
    const length = headers['content-length']
    if (length !== undefined && length !== '0') return true
    if (headers['transfer-encoding'] === undefined) return false
    return headers.expect !== undefined || this.#firstChunk(request)
  }

  /** For a request whose body is malformed, late or cut off: it counts as a body unless it is empty. */
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
