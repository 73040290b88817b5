import { type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import { ignoredColumns } from '../../history/natural/header.js'
import { isNothing, numberIn, RowReader } from '../../history/natural/row-reader.js'
import type { Cell } from '../../table/types.js'
import { exchangedText, LEVEL_COLUMNS, rowFault } from '../forecasts.js'
import { SCALES } from './table.js'

/** One quantile of one forecast. */
export interface QuantileRow {
  readonly origin: string
  readonly hours: number
  readonly model: Cell
  readonly sourcePrice: Cell
  readonly column: 'q10_usd' | 'q50_usd' | 'q90_usd'
  /** Of that quantile, as the table has it. */
  readonly level: Cell
  readonly usd: number
}

/** What the cells of a row say; undefined for a row of log returns. */
type QuantileRowRead = QuantileRow | Finding | undefined

/** scoringutils compares levels to so many digits: 0.1 + 0.8 is one of them. */
const LEVEL_DIGITS = 10

/** Reads one row of a quantile table. @param utc - whether times without an offset are UTC. */
export function readQuantile(
  cellOf: (column: QuantileColumn) => Cell,
  utc: boolean,
): QuantileRowRead {
  const scale = cellOf('scale')
  if (!isNothing(scale) && !SCALES.some((each) => each === scale)) return rowFault('scale', scale)
  if (scale === 'log_return') return undefined
  const level = numberIn(cellOf('quantile_level'))
  const column = level.ok ? LEVEL_COLUMNS.get(Number(level.value.toFixed(LEVEL_DIGITS))) : undefined
  if (column === undefined) return rowFault('level', cellOf('quantile_level'))
  const row = new RowReader(cellOf, utc)
  const needed = <T>(name: QuantileColumn, value: T | null): T => {
    if (isNothing(cellOf(name))) row.findings.push(rowFault('empty', name))
    return value as T
  }
  const origin = needed('origin_at', row.instant('origin_at'))
  let hours = row.number('horizon')
  // From `horizon`, from `target_at`, or from both where they say the same.
  if (hours === null || !isNothing(cellOf('target_at'))) {
    const target = needed('target_at', row.instant('target_at'))
    const found = (instantOrNaN(target) - instantOrNaN(origin)) / MICROS_PER_HOUR
    const differs = hours !== null && hours !== found
    if (differs) row.findings.push(rowFault('target', cellOf('target_at')))
    hours = found
  }
  const usd = needed('predicted', row.number('predicted'))
  const [model, sourcePrice] = [cellOf('model'), cellOf('source_price_usd')]
  const read = { origin, hours, model, sourcePrice, column, level: cellOf('quantile_level'), usd }
  return row.findings[0] ?? read
}

/** A forecast, as findings name it. */
export function named({ origin, hours, model }: QuantileRow): string {
  return `${formatUtc(instantOrNaN(origin))}, ${exchangedText(model)}, ${hours} h`
}

const NEEDED = ['model', 'origin_at', 'quantile_level', 'predicted'] as const
/** One of them says when the target is; of two, each has to say the same. */
const TARGETS = ['horizon', 'target_at'] as const
const MORE = ['scale', 'observed', 'source_price_usd'] as const

export type QuantileColumn =
  | (typeof NEEDED)[number]
  | (typeof TARGETS)[number]
  | (typeof MORE)[number]

/** Which cell of a row is what, and what is to be said of the columns. */
export interface QuantileHeader {
  readonly at: ReadonlyMap<QuantileColumn, number>
  readonly findings: readonly Finding[]
}

/** Says which column of a quantile table is what. With an error among the findings its rows cannot be read. */
export function quantileHeader(columns: readonly string[], file: string): QuantileHeader {
  const known: readonly QuantileColumn[] = [...NEEDED, ...TARGETS, ...MORE]
  const at = new Map(known.map((name) => [name, columns.indexOf(name)] as const))
  for (const [name, index] of at) if (index === -1) at.delete(name)
  const rest = columns.filter((name) => !known.some((each) => each === name))
  const missing: string[] = NEEDED.filter((name) => !at.has(name))
  if (!TARGETS.some((name) => at.has(name))) missing.push('horizon')
  const findings: Finding[] = []
  if (columns.includes('sample_id')) {
    findings.push(finding('quantiles-form', { fault: 'samples', most: 0 }, { file }))
  } else if (missing.length > 0) {
    findings.push(finding('exchange-columns', { missing, more: rest, known }, { file }))
  } else {
    if (rest.length > 0) findings.push(ignoredColumns(rest, file))
    if (at.has('observed')) {
      findings.push(finding('exchange-unread', { fault: 'observed', rows: 0 }, { file }))
    }
  }
  return { at, findings }
}
