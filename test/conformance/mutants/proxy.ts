import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Service } from '../../../src/service/http/service.js'
import { startHttp } from '../../support/servers.js'

/** An answer on its way back, to be changed. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

/** A request with the answer that the real service gave. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly reply: Reply
  /** Lives as long as the proxy. */
  readonly state: Record<string, unknown>
  /** The real service's answer to another question, with the same headers unless others are given. */
  ask(path: string, headers?: Record<string, string | undefined>): Promise<Reply>
  /** Set by a change: the connection is cut instead of an answer. */
  cut?: boolean
}

/** What one mutant does to each answer. */
export type Change = (exchange: Exchange) => void | Promise<void>

export interface Proxy {
  readonly url: string
  close(): void
}

/** A service that changes its answers in one way. It is asked in this process: through HTTP it would take twice the time. */
export async function behind(service: Service, change: Change): Promise<Proxy> {
  const state: Record<string, unknown> = {}
  return await startHttp(async (incoming, outgoing) => {
    incoming.resume()
    const { method = 'GET', headers } = incoming
    // Not resolved against it: `//v1` would be another host.
    const url = new URL(`http://service${incoming.url ?? '/'}`)
    const get = async (target: string, asked: string, other: IncomingHttpHeaders = {}) =>
      await answerOf(service, target, asked, { ...headers, ...other })
    const reply = await get(url.pathname + url.search, method)
    const ask: Exchange['ask'] = (path, other) => get(path, 'GET', other)
    const exchange: Exchange = { method, url, headers, reply, state, ask }
    await change(exchange)
    if (exchange.cut) outgoing.destroy()
    else send(outgoing, method, reply)
  })
}

async function answerOf(
  service: Service,
  target: string,
  method: string,
  given: IncomingHttpHeaders,
): Promise<Reply> {
  // Changes are made in text.
  const { 'accept-encoding': _coding, ...headers } = given
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers
  const asked = { method, target, headers, hasBody, hostRequired: true }
  const { response, requestId } = await service.handle(asked, '127.0.0.1')
  const pairs = Array.from({ length: response.headers.length / 2 }, (_, at) =>
    response.headers.slice(2 * at, 2 * at + 2),
  ).map(([name = '', value = '']) => [name.toLowerCase(), value])
  const { 'content-length': _length, ...rest } = Object.fromEntries(pairs)
  const own = { 'x-request-id': requestId, date: new Date().toUTCString() }
  return { status: response.status, headers: { ...rest, ...own }, body: String(response.body) }
}

function send(outgoing: ServerResponse, method: string, { status, headers, body }: Reply): void {
  outgoing.writeHead(status, headers)
  outgoing.end(method === 'HEAD' ? undefined : body)
}
