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

  /** @param complete - whether the walk came to its end. */
  constructor(
    readonly rows: readonly ForecastResource[],
    readonly complete: boolean,
  ) {
    this.#keys = new Set(rows.map(keyOf))
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

  /** Judges whether a traversal met exactly the known forecasts that fit, as far as it went. */
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
    const lost = this.rows.find(
      (row) => fits(row) && !keys.has(keyOf(row)) && isWithin(forecastKey(row), end),
    )
    judge.expect(rule, lost === undefined, place, `${lost?.forecast_id} is left out`)
    const known = this.complete ? undefined : keyAt(this.rows, this.rows.length - 1)
    const extra = rows.find(
      (row) => fits(row) && !this.#keys.has(keyOf(row)) && isWithin(forecastKey(row), known),
    )
    const detail = `${extra?.forecast_id} was left out when all pages were walked`
    judge.expect('cursor-walk', extra === undefined, place, detail)
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
