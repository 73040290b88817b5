import type { AddressInfo } from 'node:net'
import { ForeproofError } from '../contract/error.js'
import { requireStore } from '../history/store/open.js'
import { type Assembled, assembleService } from './assemble.js'
import { checkKeys, checkOptions, type ServiceOptions } from './config/options.js'
import { ServiceServer } from './http/server.js'
import { plainKey } from './keys/keys.js'
import type { Logger } from './log.js'

/** An open connection may still bring a request that is on its way. */
const IDLE_MS = 500
/** Answers that a peer does not take by then are given up. */
const FINISH_MS = 10_000

const SILENT: Logger = { log() {} }

/** A service that takes requests. */
export interface RunningService {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly address: AddressInfo
  /**
   * Opens the audit log anew, for a program that has moved or cut the file, and reads the file of digests
   * (`keysFile`) at once, which is looked at all the time anyway. Requests go on.
   * @param keys - where given, these and no others are accepted from now on.
   * @throws {ForeproofError} `usage` for no key, for one that no header can carry, and where keys come from
   * `keysFile`; nothing has changed then.
   */
  reload(keys?: readonly string[]): void
  /**
   * Stops: readiness fails first while requests are still taken, then nothing new is accepted, what is
   * in flight is finished, and the audit log is written out.
   * @returns false where the audit log's file system does not answer: a thread still waits for it, and the
   * process does not end by itself.
   */
  close(): Promise<boolean>
}

/**
 * Starts the read-only forecast API on a history and listens. A history or health report that cannot be
 * read yet is no reason not to start: requests get the status that says so.
 * @throws {ForeproofError} `usage` that names an option whose value is bad; `unavailable` when the
 * address cannot be listened on, or SQLite is not installed.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const checked = checkOptions(options)
  await requireStore(checked.settings.historyPath)
  const assembled = assembleService(checked, options.logger ?? SILENT)
  const server = new ServiceServer(assembled.service, assembled.failed)
  const { host, port, drainSeconds } = checked.settings
  // Before anybody asks: what is counted alone is not counted by the others.
  await assembled.sharedLimiter?.start()
  try {
    await listen(server, host, port)
  } catch (cause) {
    assembled.sharedLimiter?.close()
    await assembled.audit.close()
    await assembled.reader.close()
    throw new ForeproofError('unavailable', `cannot listen on ${host}:${port}: ${codeOf(cause)}`, {
      help: 'Choose another --host or --port, or stop what listens there.',
      cause,
    })
  }
  assembled.keysWatch?.start()
  // The first look at a history reads every origin: better now than while somebody waits.
  const looked = assembled.reader.latest().catch(() => undefined)
  const address = server.http.address() as AddressInfo
  let stopped: Promise<boolean> | undefined
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    address,
    reload(given) {
      if (given !== undefined) {
        const keys = checkKeys(given, checked.settings.keysFile)
        assembled.redactor.add(keys)
        assembled.acceptKeys(keys.map(plainKey))
      }
      assembled.keysWatch?.look(true)
      assembled.audit.reopen()
    },
    close() {
      assembled.keysWatch?.stop()
      stopped ??= stop(server, assembled, drainSeconds * 1000).then(async (closed) => {
        assembled.sharedLimiter?.close()
        await Promise.all([looked, assembled.rows.stop()])
        await assembled.reader.close()
        return closed
      })
      return stopped
    },
  }
}

async function stop(
  server: ServiceServer,
  { probes, audit }: Assembled,
  drainMs: number,
): Promise<boolean> {
  probes.stopping = true
  await new Promise((resolve) => setTimeout(resolve, drainMs))
  const closed = server.stopListening()
  const sweeping = setInterval(() => server.closeIdle(), IDLE_MS)
  const giveUp = setTimeout(() => server.http.closeAllConnections(), FINISH_MS)
  await closed
  clearInterval(sweeping)
  clearTimeout(giveUp)
  return await audit.close()
}

function listen({ http }: ServiceServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })
}

function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? String(cause)
}
