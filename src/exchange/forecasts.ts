import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import type { RowKey } from '../forecast/row.js'
import type { Cell } from '../table/types.js'

/** A forecast as far as formats of others can say it. Prices are in US dollars. */
export interface ExchangedForecast extends RowKey {
  readonly price: number
  /** Those of `LEVELS`; none where they are not all there. */
  readonly quantiles: readonly number[]
  /** The price at the origin: the producer's own, or the close of an evaluation. */
  readonly sourcePrice: number
  /** The closes at the origin and at the target, where outcomes are at hand and have them. */
  readonly originClose: number | undefined
  readonly targetClose: number | undefined
}

/** What is known of forecasts and has no place in a format. */
type LeftOutCounts = ArgsOf<'exchange-left-out'>['counts']
type LeftOutKind = keyof LeftOutCounts

/** Counts what a format cannot hold. */
export class Omissions {
  readonly #counts = new Map<LeftOutKind, number>()

  add(kind: LeftOutKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  /** None of them 0. */
  get counts(): LeftOutCounts {
    return Object.fromEntries(this.#counts)
  }
}

/** Batches by origin: all forecasts of one origin together. They have to come in the order of origins. */
export async function* byOrigin(batches: AsyncIterable<readonly ExchangedForecast[]>) {
  let group: [ExchangedForecast, ...ExchangedForecast[]] | undefined
  for await (const batch of batches) {
    for (const forecast of batch) {
      if (group?.[0].origin === forecast.origin) {
        group.push(forecast)
        continue
      }
      if (group !== undefined) yield group
      group = [forecast]
    }
  }
  if (group !== undefined) yield group
}

/** The column of an import for each level of which a forecast may have a quantile. */
export const LEVEL_COLUMNS: ReadonlyMap<number, 'q10_usd' | 'q50_usd' | 'q90_usd'> = new Map([
  [0.1, 'q10_usd'],
  [0.5, 'q50_usd'],
  [0.9, 'q90_usd'],
])

/** Those levels, ascending. */
export const LEVELS: readonly number[] = [...LEVEL_COLUMNS.keys()]

/** Quantiles of `LEVELS`; none where one is not there. */
export function allQuantiles(quantiles: readonly (number | null)[]): readonly number[] {
  return quantiles.includes(null) ? [] : (quantiles as readonly number[])
}

/** The quantiles of a forecast with their levels, ascending. */
export const byLevel = ({ quantiles }: Pick<ExchangedForecast, 'quantiles'>) =>
  quantiles.map((value, at) => [LEVELS[at] as number, value] as const)

/** A cell as findings show it. */
export const exchangedText = (cell: Cell): string => String(cell ?? '').slice(0, 60)

/** What is wrong with a row; where it is comes later. */
export const rowFault = (fault: ArgsOf<'exchange-row'>['fault'], found: Cell): Finding =>
  finding('exchange-row', { fault, found: exchangedText(found) })
