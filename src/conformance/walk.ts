import type { RuleName } from '../contract/conformance-rules.js'
import { compareKeys, type ForecastKey } from '../contract/order.js'
import { forecastKey } from '../contract/rules.js'
import type { ForecastResource } from '../contract/types.js'
import type { JudgedBody } from './body.js'
import type { Judge } from './judge.js'

/** One text for each row of the history, whatever its timestamps are written like. */
export function keyOf(row: ForecastResource): string {
  const { origin, horizon, model } = forecastKey(row)
  return `${origin} ${horizon} ${model}`
}

/** Follows a walk over pages: order across their borders, and every row once. */
export class Walk {
  readonly #seen = new Set<string>()
  #last: ForecastKey | undefined

  constructor(
    private readonly judge: Judge,
    private readonly alsoBreaks?: RuleName,
  ) {}

  add(body: JudgedBody): void {
    for (const [index, row] of body.rows.entries()) {
      const key = forecastKey(row)
      const name = keyOf(row)
      const at = () => body.place(`/data/${index}`)
      const fresh = !this.#seen.has(name)
      const id = row.forecast_id
      this.judge.expect('each-once', fresh, at, `${id} was on an earlier page`)
      if (index === 0 && this.#last !== undefined && fresh) {
        const follows = compareKeys(this.#last, key) < 0
        const detail = `${id} may not follow the last forecast of the page before`
        this.judge.expect('page-order', follows, at, detail)
      }
      if (this.alsoBreaks !== undefined) {
        this.judge.expect(this.alsoBreaks, fresh, at, `${id} was met twice`)
      }
      this.#seen.add(name)
      this.#last = key
    }
  }
}
