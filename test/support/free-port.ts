import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The first of `count` ports in a row that are not in use. They lie below those that systems
 * give out by themselves (from 32768 on): none is taken by chance before its server listens, nor while that
 * is stopped.
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 32_000)
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)))
    if (free.every(Boolean)) return first
  }
}

/** At no address of this machine. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
