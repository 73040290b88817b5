import { mustHold } from '../../contract/breach.js'
import { checkFreshness, checkHistoryBody } from '../../contract/check-payload.js'
import type { Instant } from '../../contract/instant.js'
import { API_VERSION } from '../../contract/limits.js'
import { freshnessAt } from '../../forecast/freshness.js'
import type { Part } from '../../forecast/part.js'
import { Sheet } from '../../forecast/sheet.js'
import { BodyMemory } from '../http/body-memory.js'
import type { Page } from './forecasts.js'

const NOTHING = Buffer.alloc(0)

/** Under load, many requests for the same thing fall into one millisecond. */
interface Rendered<T, B> {
  readonly of: T
  readonly now: Instant
  readonly body: B
}

/** Bodies from parts that were checked and serialised before; only what depends on the time is new. */
export class Renderer {
  private lastPart: Rendered<Part, Buffer> | undefined
  private lastPage: Rendered<Page, Buffer> | undefined
  private readonly sheet = new Sheet()
  private readonly memory = new BodyMemory()

  constructor(private readonly staleAfterSeconds: number) {}

  latest(part: Part, now: Instant): Buffer {
    if (this.lastPart?.of !== part || this.lastPart.now !== now) {
      this.lastPart = { of: part, now, body: this.renderLatest(part, now) }
    }
    return this.lastPart.body
  }

  /** @returns bytes that hold until `wrote` was told of every answer they were returned for. */
  page(page: Page, now: Instant): Buffer {
    if (this.lastPage?.of !== page || this.lastPage.now !== now) {
      this.lastPage = { of: page, now, body: this.renderPage(page, now) }
    }
    this.memory.lend()
    return this.lastPage.body
  }

  /** An answer has written a page's body to the last byte. */
  wrote(body: Buffer): void {
    this.memory.wrote(body)
  }

  private renderLatest(part: Part, now: Instant): Buffer {
    const freshness = this.freshness(part.key.origin, now)
    return Buffer.from(
      `{"api_version":"${API_VERSION}","data":${part.head}${freshness}},"freshness":${freshness}}`,
      'latin1',
    )
  }

  private renderPage(page: Page, now: Instant): Buffer {
    const { heads, ends, origins, limit, nextCursor, newest } = page
    const { sheet } = this
    sheet.clear()
    sheet.text(`{"api_version":"${API_VERSION}","data":[`)
    let from = 0
    let origin: Instant | undefined
    let freshness = NOTHING
    for (let index = 0; index < ends.length; index++) {
      if (origins[index] !== origin) {
        origin = origins[index]!
        freshness = Buffer.from(`${this.freshness(origin, now)}}`, 'latin1')
      }
      if (index > 0) sheet.text(',')
      sheet.copy(heads.subarray(from, ends[index]))
      sheet.copy(freshness)
      from = ends[index]!
    }
    const pagination = { limit, next_cursor: nextCursor }
    const whole = freshnessAt(newest, now, this.staleAfterSeconds)
    // The forecasts were checked one by one when they were read; this is all that is left.
    mustHold(checkHistoryBody({ api_version: API_VERSION, data: [], pagination, freshness: whole }))
    sheet.text(`],"pagination":${JSON.stringify(pagination)},"freshness":${JSON.stringify(whole)}}`)
    return this.memory.take(sheet)
  }

  private freshness(origin: Instant, now: Instant): string {
    const freshness = freshnessAt(origin, now, this.staleAfterSeconds)
    mustHold(checkFreshness(freshness))
    return JSON.stringify(freshness)
  }
}
