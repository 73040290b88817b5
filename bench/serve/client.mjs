// One connection, one request at a time, as little work as possible: what is timed is the service.
import { connect } from 'node:net'
import { KEY } from './processes.mjs'

export class Client {
  #socket
  #chunks = []
  #have = 0
  #needs = -1
  #resolve
  #reject

  constructor(port) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true)
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#reject?.(error))
  }

  /** The answer's last bytes as text, enough for what follows the forecasts. */
  get(path) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      const head = `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${KEY}\r\n\r\n`
      this.#socket.write(head, 'latin1')
    })
  }

  close() {
    this.#socket.destroy()
  }

  #take(chunk) {
    this.#chunks.push(chunk)
    this.#have += chunk.length
    if (this.#needs < 0) {
      const first = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
      const end = first.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = first.latin1Slice(0, end)
      if (!head.startsWith('HTTP/1.1 200')) {
        this.#reject(new Error(head))
        return
      }
      this.#needs = end + 4 + Number(/Content-Length: (\d+)/i.exec(head)[1])
    }
    if (this.#have < this.#needs) return
    const tail = Buffer.concat(this.#chunks.slice(-2))
    this.#chunks = []
    this.#have = 0
    this.#needs = -1
    this.#resolve(tail.latin1Slice(Math.max(0, tail.length - 600)))
  }
}

export function nextCursor(tail) {
  return /"next_cursor":(?:"([^"]+)"|null)/.exec(tail)[1]
}
