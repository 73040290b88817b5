import type { IncomingMessage } from 'node:http'

/**
 * Tells whether a request has a body. A length tells so beforehand. Of chunks nobody knows before the first:
 * some clients send none, which is an empty body, so that one is waited for. A client that waits for
 * a go-ahead sends nothing, and has its answer at once.
 */
export class BodyWatch {
  /** Requests whose first chunk is waited for, each with what tells that it will not come. */
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
