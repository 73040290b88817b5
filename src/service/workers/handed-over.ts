import type { ChildProcess } from 'node:child_process'

/** A connection as node's cluster hands it over; -1 when this process has closed its side. */
interface Handle {
  readonly fd: number
  close(): void
}

/**
 * Closes, when a worker dies, the connection that it was being handed. Node's cluster keeps a connection until the
 * worker says that it has taken it (one at a time), and forgets the one whose worker never says so: its client would
 * wait for as long as the primary lives, and the primary would lose a descriptor with every such death.
 */
export function closeWithWorker(worker: ChildProcess): void {
  let last: Handle | undefined
  const send = worker.send.bind(worker) as (...sent: unknown[]) => boolean
  const watched = (...sent: unknown[]): boolean => {
    const [message, handle] = sent
    if (isHandedOver(message, handle)) last = handle
    return send(...sent)
  }
  worker.send = watched
  // It may have been read there: no other worker could answer it.
  worker.once('exit', () => {
    if (last !== undefined && last.fd >= 0) last.close()
  })
}

function isHandedOver(message: unknown, handle: unknown): handle is Handle {
  const isConnection = (message as { act?: unknown } | null)?.act === 'newconn'
  return isConnection && typeof (handle as Partial<Handle> | undefined)?.close === 'function'
}
