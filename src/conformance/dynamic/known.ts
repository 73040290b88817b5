import type { RuleName } from '../../contract/conformance-rules.js'
import { compareKeys, type ForecastKey } from '../../contract/order.js'
import { forecastKey } from '../../contract/rules.js'
import type { ForecastResource } from '../../contract/types.js'
import type { Judge } from '../judge.js'
import { keyOf } from '../walk.js'
import type { Page, Traversal } from './reader.js'

/** The forecasts that a walk has met: other ways to ask for them must give the same. */
export class Known {
  readonly #keys: ReadonlySet<string>
  /** What other ways showed within the walk, by its key. */
  readonly #others = new Map<string, ForecastResource>()

  /** @param complete - whether the walk came to its end. */
  constructor(
    readonly rows: readonly ForecastResource[],
    readonly complete: boolean,
  ) {
    this.#keys = new Set(rows.map(keyOf))
  }

  /**
   * Whether another way showed what the walk did not: it was left out, or came later. No forecast ever
   * goes, so a walk that begins now has to meet it.
   */
  get isBehind(): boolean {
    return this.#others.size > 0
  }

  /** Takes note of forecasts that were met in another way. */
  note(rows: readonly ForecastResource[]): void {
    const end = this.complete ? undefined : keyAt(this.rows, this.rows.length - 1)
    for (const row of rows) {
      const key = keyOf(row)
      if (!this.#keys.has(key) && isWithin(forecastKey(row), end)) this.#others.set(key, row)
    }
  }

  /** Judges one page by what it should hold: it may be cut only where it names a next one. */
  judgePage(
    judge: Judge,
    rule: RuleName,
    page: Page,
    fits: (row: ForecastResource) => boolean,
  ): void {
    const found = { rows: page.rows, ended: page.next === null, last: page }
    this.judgeTraversal(judge, rule, found, fits)
  }

  /**
   * Judges whether a traversal met all forecasts that fit and were met before it, as far as it went, and
   * none that do not fit. What it shows besides is noted: it may be new.
   */
  judgeTraversal(
    judge: Judge,
    rule: RuleName,
    { rows, ended, last }: Traversal,
    fits: (row: ForecastResource) => boolean,
  ): void {
    if (last === undefined) return
    const place = () => last.place('/data')
    const oddOne = rows.find((row) => !fits(row))
    judge.expect(rule, oddOne === undefined, place, `${oddOne?.forecast_id} does not fit`)
    const end = ended ? undefined : keyAt(rows, rows.length - 1)
    const keys = new Set(rows.map(keyOf))
    const lost = [...this.rows, ...this.#others.values()].find(
      (row) => fits(row) && !keys.has(keyOf(row)) && isWithin(forecastKey(row), end),
    )
    judge.expect(rule, lost === undefined, place, `${lost?.forecast_id} is left out`)
    this.note(rows.filter(fits))
  }
}

function keyAt(rows: readonly ForecastResource[], index: number): ForecastKey | null {
  const row = rows[index]
  return row === undefined ? null : forecastKey(row)
}

/** Up to and with the end; `undefined` is no end, and `null` one before the first row. */
function isWithin(key: ForecastKey, end: ForecastKey | null | undefined): boolean {
  return end === undefined || (end !== null && compareKeys(key, end) <= 0)
}
