import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import { refuseEndless, STDIN, STDIN_NAME } from '../../files/input.js'
import {
  type HistoryImport,
  type HistoryImportResult,
  runImport,
} from '../../history/import/import.js'
import {
  type HistoryImportFilesOptions,
  importTableRows,
} from '../../history/import/import-files.js'
import { cellsInOrder, type NaturalCells, naturalSource } from '../../history/natural/columns.js'
import { naturalRows } from '../../history/natural/rows.js'
import { openTable } from '../../table/read.js'
import { faultyRow, type ReadRow, TableFault, type TableSource } from '../../table/types.js'
import { LEVEL_COLUMNS, rowFault } from '../forecasts.js'
import {
  named,
  type QuantileColumn,
  type QuantileHeader,
  type QuantileRow,
  quantileHeader,
  readQuantile,
} from './row.js'

/**
 * Imports quantile tables as scoringutils has them: all of it or, where anything is wrong, nothing. The point is the
 * median. The price at an origin is that of a column `source_price_usd`, otherwise the close of
 * `options.table.outcomes`; `options.table.utc` counts too.
 * @throws {ForeproofError} when a file cannot be read, or the history cannot be written; `interrupted`.
 */
export async function importQuantiles(
  path: string,
  files: readonly string[],
  options: HistoryImportFilesOptions,
): Promise<HistoryImportResult> {
  for (const file of files) if (file !== STDIN) refuseEndless(file)
  return await runImport(path, options, async (run) => {
    for (const file of files) await importTable(run, file, options)
  })
}

async function importTable(
  run: HistoryImport,
  file: string,
  options: HistoryImportFilesOptions,
): Promise<void> {
  const { outcomes, utc = false } = options.table ?? {}
  await importTableRows(run, file === STDIN ? STDIN_NAME : file, options, async function* () {
    const source = await openTable(file, options)
    const header = quantileHeader(source.columns, source.file)
    yield [{ line: undefined, findings: header.findings }]
    if (!hasNoErrors(header.findings)) return await source.close()
    const gathered = forecastsIn(source, header, utc)
    yield* naturalRows(naturalSource(source.file, gathered, source.format), { outcomes })
  })
}

/** The rows of forecasts gathered into one each; faults among them. */
async function* forecastsIn(
  source: TableSource,
  header: QuantileHeader,
  utc: boolean,
): AsyncGenerator<readonly ReadRow[]> {
  const { file } = source
  const gather = new Gather(file)
  const seen = { logReturns: 0, others: 0 }
  try {
    for await (const batch of source.batches) {
      const ready: ReadRow[] = []
      for (const { cells, line, fault } of batch) {
        const cellOf = (column: QuantileColumn) => cells[header.at.get(column) ?? -1] ?? null
        const read = fault ?? readQuantile(cellOf, utc)
        seen[read === undefined ? 'logReturns' : 'others']++
        if (read === undefined) continue
        if ('code' in read) ready.push(gather.refuse(line, read))
        else ready.push(...gather.add(read, line))
      }
      yield ready
    }
    yield gather.rest()
  } finally {
    await source.close()
  }
  if (seen.logReturns === 0) return
  const severity = seen.others === 0 ? 'error' : 'note'
  const args = { fault: 'log-returns', rows: seen.logReturns } as const
  yield [{ cells: [], line: 1, fault: finding('exchange-unread', args, { file, severity }) }]
}

/** So many forecasts may wait for a row: it bounds the memory, and is enough for a table in any near order. */
const MOST = 50_000

interface Open {
  readonly first: QuantileRow
  readonly line: number
  readonly values: NaturalCells
}

/** Gathers the rows of forecasts, wherever they lie in a table, as long as few wait at a time. */
export class Gather {
  /** In the order of their first rows. */
  readonly #open = new Map<string, Open>()
  /** Once a row is wrong, a level that no row has may be its own: nothing is said of it. */
  #faulty = false

  /** @param most - forecasts that may wait for a row. */
  constructor(
    private readonly file: string,
    private readonly most = MOST,
  ) {}

  /**
   * @returns what is whole, or wrong, once there is too much of it to be kept.
   * @throws {TableFault} where too many forecasts wait for a row.
   */
  add(row: QuantileRow, line: number): ReadRow[] {
    const key = JSON.stringify([row.origin, row.hours, row.model])
    const known = this.#open.get(key)
    if (known !== undefined) return this.#join(known, row, line)
    this.#open.set(key, { first: row, line, values: { [row.column]: row.usd } })
    return this.#open.size >= 2 * this.most ? this.#takeWhole() : []
  }

  /** A row that is wrong. */
  refuse(line: number, found: Finding): ReadRow {
    this.#faulty = true
    return faultyRow(this.file, line, found)
  }

  /** All that is left. */
  rest(): ReadRow[] {
    const rows = [...this.#open.values()].flatMap((open) => this.#rowOf(open))
    this.#open.clear()
    return rows
  }

  #join({ first, values }: Open, row: QuantileRow, line: number): ReadRow[] {
    if (first.sourcePrice !== row.sourcePrice)
      return [this.refuse(line, rowFault('source', named(row)))]
    const before = values[row.column]
    if (before !== undefined && before !== row.usd) {
      return [this.refuse(line, rowFault('level-twice', `${row.level} (${named(row)})`))]
    }
    values[row.column] = row.usd
    return []
  }

  #takeWhole(): ReadRow[] {
    const rows: ReadRow[] = []
    for (const [key, open] of this.#open) {
      if (missingOf(open).length > 0) continue
      rows.push(...this.#rowOf(open))
      this.#open.delete(key)
    }
    if (this.#open.size > this.most) {
      const args = { fault: 'apart', most: this.most } as const
      throw new TableFault(finding('quantiles-form', args, { file: this.file }))
    }
    return rows
  }

  #rowOf(open: Open): ReadRow[] {
    const { first, line, values } = open
    const missing = missingOf(open)
    if (missing.length > 0) {
      if (this.#faulty) return []
      return [
        faultyRow(
          this.file,
          line,
          rowFault('levels', `${missing.join(' and ')} (${named(first)})`),
        ),
      ]
    }
    const { origin, hours, model, sourcePrice } = first
    const unit = { origin_at: origin, horizon_hours: hours, model, source_price_usd: sourcePrice }
    const cells = cellsInOrder({ ...unit, ...values, price_usd: values.q50_usd ?? null })
    return [{ cells, line }]
  }
}

const missingOf = ({ values }: Open): number[] =>
  [...LEVEL_COLUMNS].flatMap(([level, column]) => (values[column] === undefined ? [level] : []))
