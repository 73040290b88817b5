import { checkFreshness, checkHistoryBody } from '../contract/check-payload.js'
import type { Instant } from '../contract/instant.js'
import { API_VERSION } from '../contract/limits.js'
import { freshnessAt } from '../history/freshness.js'
import { mustHold } from './bodies.js'
import type { Page } from './forecasts.js'
import type { Part } from './part.js'

/** Under load, many requests for the same thing fall into one millisecond. */
interface Rendered<T> {
  readonly of: T
  readonly now: Instant
  readonly body: string
}

/** Bodies from parts that were checked and serialised before; only what depends on the time is new. */
export class Renderer {
  private lastPart: Rendered<Part> | undefined
  private lastPage: Rendered<Page> | undefined

  constructor(private readonly staleAfterSeconds: number) {}

  latest(part: Part, now: Instant): string {
    if (this.lastPart?.of !== part || this.lastPart.now !== now) {
      this.lastPart = { of: part, now, body: this.renderLatest(part, now) }
    }
    return this.lastPart.body
  }

  page(page: Page, now: Instant): string {
    if (this.lastPage?.of !== page || this.lastPage.now !== now) {
      this.lastPage = { of: page, now, body: this.renderPage(page, now) }
    }
    return this.lastPage.body
  }

  private renderLatest(part: Part, now: Instant): string {
    const freshness = this.freshness(part.key.origin, now)
    return (
      `{"api_version":"${API_VERSION}","data":${part.head}${freshness}},` +
      `"freshness":${freshness}}`
    )
  }

  private renderPage({ parts, limit, nextCursor, newest }: Page, now: Instant): string {
    let body = `{"api_version":"${API_VERSION}","data":[`
    let origin: Instant | undefined
    let freshness = ''
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!
      if (part.key.origin !== origin) {
        origin = part.key.origin
        freshness = `${this.freshness(origin, now)}}`
      }
      body += index === 0 ? part.head : `,${part.head}`
      body += freshness
    }
    const pagination = { limit, next_cursor: nextCursor }
    const whole = freshnessAt(newest, now, this.staleAfterSeconds)
    // The forecasts were checked one by one when they were read; this is all that is left.
    mustHold(checkHistoryBody({ api_version: API_VERSION, data: [], pagination, freshness: whole }))
    body += `],"pagination":${JSON.stringify(pagination)},"freshness":${JSON.stringify(whole)}}`
    return body
  }

  private freshness(origin: Instant, now: Instant): string {
    const freshness = freshnessAt(origin, now, this.staleAfterSeconds)
    mustHold(checkFreshness(freshness))
    return JSON.stringify(freshness)
  }
}
