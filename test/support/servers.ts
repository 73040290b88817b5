import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.js'

/** A web server on this machine until the last test of the file. @returns its address, without a slash at the end. */
export async function serveHttp(answer: RequestListener): Promise<string> {
  // A connection that rests is not closed: the next request may be on its way by then.
  const server = createServer({ keepAliveTimeout: 0 }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
