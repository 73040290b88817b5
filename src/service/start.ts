import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { assembleService } from './assemble.js'
import { checkPlainKeys, checkServiceOptions, type ServiceOptions } from './config/config.js'
import { ProbeService } from './health/probes.js'
import { listen } from './http/listen.js'
import { ServiceServer } from './http/server.js'
import { hashKey } from './keys/keys.js'
import type { Logger } from './log.js'

/** An open connection may still deliver a request. */
const IDLE_MS = 500
/** Answers that a client has not read by then are dropped. */
const FINISH_MS = 10_000

const SILENT: Logger = { log() {} }

/** A running service. */
export interface RunningService {
  /** Its address, such as `http://127.0.0.1:8080`. */
  readonly url: string
  readonly address: AddressInfo
  /**
   * Reopens the audit log, for a program that has moved or truncated the file. Also reads the file of digests
   * (`keysFile`) at once, although changes are noticed anyway. Requests continue.
   * @param keys - if given, only these are accepted from now on.
   * @throws {ForeproofError} `usage` for no key, for a key that a header cannot carry, and if keys come from
   * `keysFile`; then nothing has changed.
   */
  reload(keys?: readonly string[]): void
  /**
   * Stops in order: readiness fails while requests are still accepted, then new requests are rejected, running ones are
   * finished, and the audit log is written.
   * @returns false if the file system of the audit log does not respond: a thread still waits for it, and the process
   * does not end by itself.
   */
  close(): Promise<boolean>
}

/**
 * Starts the read-only forecast API on a history and listens. It also starts if a history or health report cannot be
 * read yet: requests get the matching status.
 * @throws {ForeproofError} `usage` that names an option whose value is bad; `unavailable` if the address cannot be
 * listened on.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const checked = checkServiceOptions(options)
  const assembled = assembleService(checked, options.logger ?? SILENT)
  const server = new ServiceServer(assembled.service, assembled.unanswered)
  const probes = new ServiceServer(new ProbeService(assembled.probes), assembled.unanswered)
  const { host, port, probePort, drainSeconds } = checked.settings
  // Before the first request, because requests that are counted alone are unknown to other processes.
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
  // The first read of a history reads every origin: do it now, before a request has to wait.
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
      assembled.keysWatch?.check(true)
      assembled.audit.reopen()
    },
    close() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Waits for the last answers of a server that accepts no new connections. @param closed resolves when all are done. */
async function finish(server: ServiceServer, closed: Promise<void>): Promise<void> {
  // Data that arrived in time is read first, even if this process is scheduled late.
  const sweeping = setInterval(() => setImmediate(() => server.closeIdle()), IDLE_MS)
  const giveUp = setTimeout(() => server.http.closeAllConnections(), FINISH_MS)
  await closed
  clearInterval(sweeping)
  clearTimeout(giveUp)
}

/** The URL of a service that listens there. */
export function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
