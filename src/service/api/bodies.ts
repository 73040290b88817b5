import { mustHold } from '../../contract/breach.js'
import { checkPayload } from '../../contract/check-payload.js'
import type { Instant } from '../../contract/instant.js'
import { API_VERSION, type ApiErrorCode } from '../../contract/limits.js'
import type { HealthData } from '../../contract/types.js'
import { asciiJson } from '../../forecast/ascii.js'
import { freshnessAt } from '../../forecast/freshness.js'
import { type SerializedForecast, withFreshness } from '../../forecast/serialize.js'
import type { ForecastPage } from './pages.js'

export function errorBody(code: ApiErrorCode, message: string): string {
  const body = { api_version: API_VERSION, error: { code, message } }
  mustHold(checkPayload('error', body))
  return asciiJson(body)
}

export function healthBody(data: HealthData): string {
  const body = { api_version: API_VERSION, data }
  mustHold(checkPayload('health', body))
  return asciiJson(body)
}

interface CachedBodies {
  readonly of: SerializedForecast | ForecastPage
  readonly now: Instant
  readonly body: Buffer
}

/**
 * Bodies of forecasts that were checked when they were serialised; only time-dependent members are added. Under load,
 * many requests for the same page arrive at the same moment; they share the bytes.
 */
export class ForecastBodies {
  #last: CachedBodies | undefined

  constructor(private readonly staleAfterSeconds: number) {}

  latest(forecast: SerializedForecast, now: Instant): Buffer {
    return this.#once(forecast, now, () => this.#latest(forecast, now))
  }

  page(page: ForecastPage, now: Instant): Buffer {
    return this.#once(page, now, () => this.#page(page, now))
  }

  #once(of: CachedBodies['of'], now: Instant, make: () => string): Buffer {
    if (this.#last?.of !== of || this.#last.now !== now) {
      this.#last = { of, now, body: Buffer.from(make(), 'latin1') }
    }
    return this.#last.body
  }

  #latest(forecast: SerializedForecast, now: Instant): string {
    const freshness = this.#freshness(forecast.key.origin, now)
    const data = withFreshness(forecast, freshness)
    return `{"api_version":"${API_VERSION}","data":${data},"freshness":${freshness}}`
  }

  #page({ forecasts, limit, nextCursor, newest }: ForecastPage, now: Instant): string {
    const pagination = { limit, next_cursor: nextCursor }
    const freshness = freshnessAt(newest, now, this.staleAfterSeconds)
    // The forecasts were checked one by one when they were read; this checks the rest.
    mustHold(checkPayload('history', { api_version: API_VERSION, data: [], pagination, freshness }))
    const end = JSON.stringify({ pagination, freshness }).slice(1)
    return `{"api_version":"${API_VERSION}","data":[${this.#items(forecasts, now)}],${end}`
  }

  #items(forecasts: readonly SerializedForecast[], now: Instant): string {
    let text = ''
    let origin: Instant | undefined
    let freshness = ''
    for (const forecast of forecasts) {
      const { key } = forecast
      if (key.origin !== origin) freshness = this.#freshness(key.origin, now)
      origin = key.origin
      text += `${text === '' ? '' : ','}${withFreshness(forecast, freshness)}`
    }
    return text
  }

  #freshness(origin: Instant, now: Instant): string {
    const freshness = freshnessAt(origin, now, this.staleAfterSeconds)
    mustHold(checkPayload('freshness', freshness))
    return JSON.stringify(freshness)
  }
}
