import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DemoAuthority } from './authority.js'

/** An authority that can be asked on the loopback address, until it is closed. */
export interface ServedAuthority {
  readonly url: string
  close(): void
}

/** Larger requests are nobody's: a request is a digest and some numbers. */
const LARGEST_QUERY = 10_000

/** Answers requests of RFC 3161 over HTTP, on a free port of 127.0.0.1. */
export async function serveAuthority(authority: DemoAuthority): Promise<ServedAuthority> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > LARGEST_QUERY) request.destroy()
      else chunks.push(chunk)
    })
    request.on('end', async () => {
      const answer = await authority.reply(Buffer.concat(chunks))
      response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
