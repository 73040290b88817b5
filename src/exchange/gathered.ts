import type { Finding } from '../contract/findings/finding.js'
import { formatUtc, instantOrNaN } from '../contract/instant.js'
import { cellsInOrder, type NaturalCells } from '../history/natural/columns.js'
import { type Cell, faultyRow, type ReadRow } from '../table/types.js'
import { exchangedText, LEVEL_COLUMNS, rowFault } from './forecasts.js'

/** What a row says of its forecast: the point, or one of the quantiles. */
export interface ForecastPart {
  /** What the forecast is of, with the price at its origin. */
  readonly unit: NaturalCells
  readonly member: PartMember
  readonly value: Cell
}

export type PartMember = 'median' | 'mean' | 'q10_usd' | 'q50_usd' | 'q90_usd'

/** A row, read: a part, or what is wrong with it. */
export interface ReadPart {
  readonly line: number
  readonly read: ForecastPart | Finding
}

interface Open {
  /** Of its first row. */
  readonly line: number
  readonly unit: NaturalCells
  readonly values: Partial<Record<PartMember, Cell>>
}

/** So many rows come at once: between two batches an import hears a signal. */
const BATCH_ROWS = 1024

/**
 * Forecasts of which each quantile has a row of its own, as one row each, wherever their rows are in a file; what is
 * wrong with a row comes as it is met.
 * @param allLevels - whether a forecast without quantiles is faulty, too.
 */
export async function* gatheredForecasts(
  file: string,
  batches: AsyncIterable<readonly ReadPart[]>,
  allLevels: boolean,
): AsyncGenerator<readonly ReadRow[]> {
  const open = new Map<string, Open>()
  let isFaulty = false
  for await (const batch of batches) {
    yield batch.flatMap(({ line, read }) => {
      const fault = 'code' in read ? read : join(open, read, line)
      if (fault === undefined) return []
      isFaulty = true
      return [faultyRow(file, line, fault)]
    })
  }
  let rows: ReadRow[] = []
  for (const each of open.values()) {
    const row = rowOf(each, allLevels)
    if (!('code' in row)) rows.push(row)
    // Where a row is wrong, a level that no row has may be its own: nothing is said of it.
    else if (!isFaulty) rows.push(faultyRow(file, each.line, row))
    if (rows.length < BATCH_ROWS) continue
    yield rows
    rows = []
  }
  yield rows
}

/** Adds a row to its forecast. @returns what is wrong with it there. */
function join(
  open: Map<string, Open>,
  { unit, member, value }: ForecastPart,
  line: number,
): Finding | undefined {
  const key = JSON.stringify([unit.origin_at, unit.horizon_hours, unit.model])
  const known = open.get(key) ?? { line, unit, values: {} }
  open.set(key, known)
  if (known.unit.source_price_usd !== unit.source_price_usd) return rowFault('source', named(unit))
  const before = known.values[member]
  if (before !== undefined && before !== value)
    return rowFault('twice', `${WORDS[member]} (${named(unit)})`)
  known.values[member] = value
  return undefined
}

/** A forecast as a row of a table of forecasts, or what is wrong with it. */
function rowOf({ unit, line, values }: Open, allLevels: boolean): ReadRow | Finding {
  const { median, mean, ...quantiles } = values
  const missing = [...LEVEL_COLUMNS].filter(([, column]) => quantiles[column] === undefined)
  const { q10_usd: low, q90_usd: high } = quantiles
  const isPoint = !allLevels && low === undefined && high === undefined
  if (!isPoint && missing.length > 0) {
    return rowFault('levels', `${missing.map(([level]) => level).join(' and ')} (${named(unit)})`)
  }
  const price = median ?? mean ?? quantiles.q50_usd
  if (price === undefined) return rowFault('no-point', named(unit))
  return { cells: cellsInOrder({ ...unit, ...(!isPoint && quantiles), price_usd: price }), line }
}

const WORDS = {
  median: 'the median',
  mean: 'the mean',
  q10_usd: 'the level 0.1',
  q50_usd: 'the level 0.5',
  q90_usd: 'the level 0.9',
} as const satisfies Record<PartMember, string>

/** A forecast, as findings name it. */
function named({ origin_at, horizon_hours, model = null }: NaturalCells): string {
  const origin = formatUtc(instantOrNaN(String(origin_at)))
  return `${origin}, ${exchangedText(model)}, ${horizon_hours} h`
}
