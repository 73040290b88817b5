import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ContractBreach } from '../contract/breach.js'
import { ForeproofError, fileError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { formatUtc } from '../contract/instant.js'
import type { SerializedForecast } from '../forecast/serialize.js'
import { assertHourly, openHistory } from '../store/open.js'
import { historyFiles } from '../store/shown.js'
import { ForecastPages } from './api/pages.js'
import { BUSY_TIMEOUT_MS } from './assemble.js'
import { tryStat } from './audit/paths.js'
import type { ServiceSettings } from './config/settings.js'
import { healthSource, NO_PIPELINE, toStatus } from './health/health.js'
import { parseRedisAddress } from './limiter/redis-address.js'
import { displayReason } from './limiter/shared-limiter.js'

/** A part of a service, tried in the way the service uses it. */
export interface Tried {
  readonly part: string
  /** The result, or why it was not tried. */
  readonly text: string
  readonly fault?: ForeproofError
}

/**
 * Tries what a service reads and writes, without changing anything.
 * @param connect - whether to contact other machines too.
 */
export async function tryParts(settings: ServiceSettings, connect: boolean): Promise<Tried[]> {
  const { historyPath, limiter } = settings
  const isLocal = historyFiles(historyPath).length > 0
  return [
    await tried('history', isLocal || connect, () => tryHistory(historyPath)),
    await tried('health report', true, () => tryReport(settings.healthPath)),
    ...(limiter === '' ? [] : [await tried('limiter', connect, () => tryLimiter(settings))]),
    await tried('audit log', true, () => tryAudit(settings)),
  ]
}

async function tried(
  part: string,
  isTried: boolean,
  look: () => string | Promise<string>,
): Promise<Tried> {
  if (!isTried) return { part, text: 'not tried: --connect does' }
  try {
    return { part, text: await look() }
  } catch (fault) {
    if (!(fault instanceof ForeproofError)) throw fault
    return { part, text: fault.message, fault }
  }
}

async function tryHistory(path: string): Promise<string> {
  const reader = openHistory(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, serving: true })
  try {
    await assertHourly(path, 'serve')
    const pages = new ForecastPages(reader, 0, () => {})
    const version = () => reader.version()
    const latest = await pages.latest({ version }).catch((cause) => {
      throw cause instanceof ContractBreach ? unsendable(cause) : cause
    })
    if (latest === undefined) return 'empty'
    if (latest.faults.length > 0) throw unsound(latest)
    return `newest origin ${formatUtc(latest.key.origin)}`
  } finally {
    await reader.close()
  }
}

const VERIFY =
  '`foreproof history verify` names what is wrong in every row. Have the producer correct it.'

function unsendable({ forecastId = '', findings }: ContractBreach): ForeproofError {
  const message = `the newest forecast cannot be sent: ${forecastId} (${listCodes(findings)})`
  return new ForeproofError('invalid-input', message, { help: VERIFY })
}

function unsound({ id, faults }: SerializedForecast): ForeproofError {
  const message = `the newest forecast comes of a row that is unsound: ${id} (${listCodes(faults)})`
  return new ForeproofError('invalid-input', message, {
    help: `It is sent all the same. ${VERIFY}`,
  })
}

const listCodes = (findings: readonly Finding[]) => findings.map(({ code }) => code).join(', ')

function tryReport(path: string): string {
  if (path === NO_PIPELINE) return 'none: the history decides alone'
  const reading = healthSource(path)(Date.now())
  if (!('invalid' in reading)) return `says ${toStatus(reading)}`
  throw new ForeproofError(existsSync(path) ? 'invalid-input' : 'not-found', reading.invalid, {
    help: '`foreproof health write` writes one; --no-pipeline is for those who have none.',
  })
}

async function tryLimiter({ limiter, rateWindowSeconds }: ServiceSettings): Promise<string> {
  const address = parseRedisAddress(limiter, 'limiter')
  const { RedisStore } = await import('./limiter/redis-store.js')
  try {
    const store = await RedisStore.open(address, rateWindowSeconds, AbortSignal.timeout(5000))
    store.close()
    return 'counts'
  } catch (cause) {
    const message = `the limiter: ${displayReason(cause, address)}`
    throw new ForeproofError('unavailable', message, { cause })
  }
}

/** The existing log, or else the nearest existing folder. */
function tryAudit({ auditPath: path }: ServiceSettings): string {
  const isThere = existsSync(path)
  const folder = nearestFolder(path)
  try {
    if (isThere) accessSync(path, constants.W_OK)
    if (!isThere || tryStat(path)?.isFile()) accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw fileError(cause, isThere ? path : folder)
  }
  return 'can be written'
}

function nearestFolder(path: string): string {
  let folder = dirname(resolve(path))
  while (!existsSync(folder)) folder = dirname(folder)
  if (tryStat(folder)?.isDirectory()) return folder
  throw new ForeproofError('io', `${folder} is not a folder, and the audit log is to be in it`)
}
