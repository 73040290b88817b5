import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const servers: Server[] = []

/** A server on this machine. @returns its address, without a slash at the end. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Ends every server, also those that still keep somebody waiting. */
export function closeServers(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}
