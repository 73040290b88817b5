import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { assembleService } from './assemble.js'
import { checkOptions, checkPlainKeys, type ServiceOptions } from './config/config.js'
import { ProbeService } from './health/probes.js'
import { listen } from './http/listen.js'
import { ServiceServer } from './http/server.js'
import { hashKey } from './keys/keys.js'
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
 * address cannot be listened on.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const checked = checkOptions(options)
  const assembled = assembleService(checked, options.logger ?? SILENT)
  const server = new ServiceServer(assembled.service, assembled.unanswered)
  const probes = new ServiceServer(new ProbeService(assembled.probes), assembled.unanswered)
  const { host, port, probePort, drainSeconds } = checked.settings
  // Before the first request: what is counted alone is not counted by the others.
  await assembled.sharedLimiter?.start()
  try {
    if (probePort !== 0) await listen(probes.http, { host, port: probePort }, '--probe-port')
    await listen(server.http, { host, port }, '--host or --port')
  } catch (cause) {
    probes.http.close()
    assembled.sharedLimiter?.close()
    await assembled.audit.close()
    await assembled.reader.close()
    throw cause
  }
  assembled.keysWatch?.start()
  // The first look at a history reads every origin: better now than while a request waits.
  const looked = assembled.reader.latest().catch(() => undefined)
  const address = server.http.address() as AddressInfo
  let stopped: Promise<boolean> | undefined
  const stop = async () => {
    assembled.probes.stopping = true
    assembled.keysWatch?.stop()
    await pause(drainSeconds * 1000)
    await finish(server, server.stopListening())
    assembled.sharedLimiter?.close()
    const written = await assembled.audit.close()
    await looked
    probes.http.close()
    probes.http.closeAllConnections()
    await assembled.reader.close()
    assembled.faults.close()
    return written
  }
  return {
    url: toUrl(address),
    address,
    reload(given) {
      if (given !== undefined) {
        const keys = checkPlainKeys(given, 'keys', checked.settings.keysFile)
        assembled.redactor.add(keys)
        assembled.acceptKeys(keys.map(hashKey))
      }
      assembled.keysWatch?.look(true)
      assembled.audit.reopen()
    },
    close() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Waits for the last answers of a server that takes no new connections. @param closed when that is done. */
async function finish(server: ServiceServer, closed: Promise<void>): Promise<void> {
  // What came before the time was up is read first, however late this process gets its turn.
  const sweeping = setInterval(() => setImmediate(() => server.closeIdle()), IDLE_MS)
  const giveUp = setTimeout(() => server.http.closeAllConnections(), FINISH_MS)
  await closed
  clearInterval(sweeping)
  clearTimeout(giveUp)
}

/** Where a service is to be found that listens there. */
export function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
