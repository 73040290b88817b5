import type { ListenOptions, Server } from 'node:net'
import { ForeproofError } from '../../contract/error.js'

/**
 * Waits until a server listens.
 * @param option - that chooses the address, such as `--port`.
 * @throws {ForeproofError} `unavailable` if it cannot listen.
 */
export function listen(server: Server, at: ListenOptions, option: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => {
      const message = `cannot listen on ${at.host}:${at.port}: ${cause.code ?? cause}`
      const help = `Choose another ${option}, or stop what listens there.`
      reject(new ForeproofError('unavailable', message, { help, cause }))
    }
    server.once('error', failed)
    server.listen(at, () => {
      server.off('error', failed)
      resolve()
    })
  })
}
