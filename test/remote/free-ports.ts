import { createServer } from 'node:net'

/**
 * The first of so many ports in a row that nobody listens on: below those that the system gives to
 * clients and to whoever asks for any.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)))
    if (free.every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
