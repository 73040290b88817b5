import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.js'

/** A web server on this machine: its address, without a slash at the end, and its end. */
export async function startHttp(answer: RequestListener) {
  // A connection that rests is not closed: the next request may be on its way by then.
  const server = createServer({ keepAliveTimeout: 0 }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The address of one that runs until the last test of the file. */
export async function serveHttp(answer: RequestListener): Promise<string> {
  const { url, close } = await startHttp(answer)
  atEnd(close)
  return url
}
