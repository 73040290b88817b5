import { Agent, type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { connect, type Socket } from 'node:net'

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string
  /** By TLS, whatever the certificate. */
  readonly tls?: boolean
  /** The address that it comes from. */
  readonly from?: string
}

export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into member by member
  readonly json: any
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** One request; headers are sent as given, and an empty one is left out. */
export function get(port: number, path: string, sent: Sent = {}): Promise<Got> {
  const headers = Object.fromEntries(
    Object.entries(sent.headers ?? {}).filter(([, value]) => value !== ''),
  )
  return new Promise((resolve, reject) => {
    const { method = 'GET', from: localAddress } = sent
    const options = { host: '127.0.0.1', port, path, method, headers, localAddress }
    const take = (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          text,
          json: text.startsWith('{') ? JSON.parse(text) : undefined,
        })
      })
      response.on('error', reject)
    }
    const asked = sent.tls
      ? secure({ ...options, rejectUnauthorized: false }, take)
      : plain({ ...options, agent }, take)
    asked.on('error', reject)
    asked.end(sent.body)
  })
}

/**
 * Sends bytes as they are and gives back everything that comes until the other side closes.
 * @param bytes several pieces are sent one by one, each in a packet of its own.
 * @param keepOpenMs how long it waits for that.
 * @param isWhole whether no more has to come, where the other side leaves the connection open.
 */
export function raw(
  port: number,
  bytes: string | Buffer | readonly string[],
  keepOpenMs = 30_000,
  isWhole: (answer: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    const timer = setTimeout(done, keepOpenMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks).toString('latin1'))) done()
    })
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') done()
      else reject(error)
    })
    const pieces = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : [...bytes]
    socket.setNoDelay(true)
    const send = () => {
      socket.write(pieces.shift() ?? '')
      if (pieces.length > 0) setTimeout(send, 10)
    }
    send()
  })
}

/** Reads the answers of one connection, one after another. */
export class Answers {
  private text = ''
  private wake: () => void = () => undefined
  private ended = false

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1')
      this.wake()
    })
    socket.on('close', () => {
      this.ended = true
      this.wake()
    })
    socket.on('error', () => undefined)
  }

  /** A whole answer; undefined where the connection ended before it was whole. */
  async next(headOnly = false): Promise<{ status: number; text: string } | undefined> {
    for (;;) {
      const end = this.text.indexOf('\r\n\r\n')
      if (end >= 0) {
        const length = headOnly
          ? 0
          : Number(/Content-Length: (\d+)/.exec(this.text.slice(0, end))?.[1])
        const whole = end + 4 + length
        if (this.text.length >= whole) {
          const text = this.text.slice(0, whole)
          this.text = this.text.slice(whole)
          return { status: Number(text.slice(9, 12)), text }
        }
      }
      if (this.ended) return undefined
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }
}
