import { type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
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

/** A proxy before a service that changes what comes back, in one way. */
export async function behind(origin: string, change: Change): Promise<Proxy> {
  const state: Record<string, unknown> = {}
  return await startHttp(async (incoming, outgoing) => {
    incoming.resume()
    const { method = 'GET', headers } = incoming
    // Changes are made in text.
    const { host: _h, connection: _c, 'accept-encoding': _coding, ...passed } = headers
    // Not resolved against it: `//v1` would be another host.
    const url = new URL(origin + (incoming.url ?? '/'))
    const ask = (path: string, other: Record<string, string | undefined> = {}) =>
      relay(origin + path, 'GET', { ...passed, ...other })
    const reply = await relay(url.href, method, passed)
    const exchange: Exchange = { method, url, headers, reply, state, ask }
    await change(exchange)
    if (exchange.cut) outgoing.destroy()
    else send(outgoing, method, reply)
  })
}

function relay(url: string, method: string, headers: IncomingHttpHeaders): Promise<Reply> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return new Promise((resolve, reject) => {
    const onward = request(url, { method, headers: Object.fromEntries(given) }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = answer.headers
        resolve({
          status: answer.statusCode ?? 0,
          headers: rest as Record<string, string>,
          body: Buffer.concat(chunks).toString(),
        })
      })
    })
    onward.on('error', reject)
    onward.end()
  })
}

function send(outgoing: ServerResponse, method: string, { status, headers, body }: Reply): void {
  outgoing.writeHead(status, headers)
  outgoing.end(method === 'HEAD' ? undefined : body)
}
