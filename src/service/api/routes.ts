import { isDeepStrictEqual } from 'node:util'
import { ContractBreach } from '../../contract/breach.js'
import { MICROS_PER_SECOND } from '../../contract/instant.js'
import { asciiJson } from '../../forecast/ascii.js'
import type { HistoryReader, HistoryVersion } from '../../store/history-reader.js'
import {
  healthAt,
  type ReadableHistory,
  requireAvailable,
  requireReport,
} from '../health/health.js'
import type { RequestTarget } from '../http/target.js'
import { type ForecastBodies, healthBody } from './bodies.js'
import { invalidRequest, RequestFault } from './fault.js'
import { assertNoParameters, parsePageRequest } from './filters.js'
import type { ForecastPages } from './pages.js'
import type { RequestSnapshot, SnapshotSource } from './snapshot.js'

interface RouteParts {
  readonly reader: HistoryReader
  readonly snapshots: SnapshotSource
  readonly pages: ForecastPages
  readonly bodies: ForecastBodies
  readonly staleAfterSeconds: number
  /** Called with why the history cannot be read. */
  readonly failed: (status: 500 | 503, cause: unknown) => void
  /** Called with the state that a request used. */
  readonly sound: (what: 'history' | 'health report') => void
}

/** The answer of a route. */
interface ApiAnswer {
  readonly body: string | Buffer
  /** Of the forecasts in it: a JSON array of strings, in ASCII. */
  readonly forecastIds: string
}

/** The state of the data, for operators. */
interface DataState {
  /** Whether the health route would report healthy and the newest forecast can be sent. */
  readonly ready: boolean
  /**
   * Age of the newest origin, negative if it is in the future; undefined if the history is empty or unreadable.
   */
  readonly ageSeconds: number | undefined
}

/** The routes under /v1, and 404 for all other paths. */
export class ForecastRoutes {
  #looked: { readonly version: HistoryVersion; readonly canSend: boolean } | undefined

  constructor(private readonly parts: RouteParts) {}

  /** @throws {RequestFault} if the route cannot answer; errors of the reader. */
  async read({ path, query }: RequestTarget): Promise<ApiAnswer> {
    switch (path) {
      case '/v1/forecasts/latest':
        return await this.latest(query)
      case '/v1/forecasts':
        return await this.history(query)
      case '/v1/health':
        return await this.health(query)
      default:
        throw invalidRequest('This route does not exist.')
    }
  }

  private async latest(query: string): Promise<ApiAnswer> {
    assertNoParameters(query)
    const snapshot = this.availableSnapshot()
    const latest = await this.parts.pages.latest(snapshot)
    this.parts.sound('history')
    if (latest === undefined) throw new RequestFault(404, 'The history holds no forecast yet.')
    const body = this.parts.bodies.latest(latest, snapshot.now)
    return { body, forecastIds: asciiJson([latest.id]) }
  }

  private async history(query: string): Promise<ApiAnswer> {
    const request = parsePageRequest(query)
    const snapshot = this.availableSnapshot()
    const page = await this.parts.pages.page(snapshot, query, request)
    this.parts.sound('history')
    return { body: this.parts.bodies.page(page, snapshot.now), forecastIds: page.ids }
  }

  private async health(query: string): Promise<ApiAnswer> {
    assertNoParameters(query)
    const snapshot = this.parts.snapshots.take()
    requireReport(snapshot)
    const data = healthAt(snapshot, await this.readable(), this.parts.staleAfterSeconds)
    return { body: healthBody(data), forecastIds: '[]' }
  }

  /** @throws {RequestFault} 503 if the health report says so, or is invalid. */
  private availableSnapshot(): RequestSnapshot {
    const snapshot = this.parts.snapshots.take()
    requireAvailable(snapshot)
    this.parts.sound('health report')
    return snapshot
  }

  /** The state of the data for /readyz and /metrics. */
  async data(): Promise<DataState> {
    const snapshot = this.parts.snapshots.take()
    const history = await this.readable()
    const newest = history?.newest
    const ageSeconds =
      newest === undefined ? undefined : (snapshot.now - newest) / MICROS_PER_SECOND
    try {
      const { status } = healthAt(snapshot, history, this.parts.staleAfterSeconds)
      return { ready: status === 'healthy' && (await this.canSendLatest(snapshot)), ageSeconds }
    } catch {
      return { ready: false, ageSeconds }
    }
  }

  /** Looks when the history has changed. */
  private async canSendLatest(snapshot: RequestSnapshot): Promise<boolean> {
    const version = await snapshot.version()
    if (!isDeepStrictEqual(version, this.#looked?.version)) {
      const canSend = await this.parts.pages.latest(snapshot).then(
        () => true,
        (cause) => {
          if (!(cause instanceof ContractBreach)) throw cause
          this.parts.failed(500, cause)
          return false
        },
      )
      this.#looked = { version, canSend }
    }
    return this.#looked?.canSend === true
  }

  private async readable(): Promise<ReadableHistory | undefined> {
    try {
      // Pages belong to a version of the history; without one, nothing can be answered.
      await this.parts.reader.version()
      const newest = await this.parts.reader.newestOrigin()
      this.parts.sound('history')
      return { newest }
    } catch (error) {
      this.parts.failed(503, error)
      return undefined
    }
  }
}
