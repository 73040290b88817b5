import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc } from '../../contract/instant.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import {
  type HistoryImport,
  type HistoryImportResult,
  runImport,
} from '../../history/import/import.js'
import {
  type HistoryImportFilesOptions,
  importTableRows,
} from '../../history/import/import-files.js'
import {
  cellsInOrder,
  type NaturalCells,
  type NaturalColumn,
  naturalSource,
} from '../../history/natural/columns.js'
import { type NaturalRow, naturalRows } from '../../history/natural/rows.js'
import type { Vintage } from '../../outcomes/types.js'
import { type Cell, faultyRow, oneBatch, type ReadRow } from '../../table/types.js'
import { LEVEL_COLUMNS } from '../forecasts.js'
import { outputColumns, TASK_COLUMNS, WEEK_COLUMN } from './columns.js'
import { hubRows, type OutputFile, outputFiles, sourcePrices } from './files.js'
import { seriesOutputRows } from './import-series.js'
import { originOfRound } from './names.js'

interface HubImportOptions extends HistoryImportFilesOptions {
  /** Of a hub of any series: the target that is imported, where there are several. */
  readonly target?: string | undefined
}

/**
 * Imports the forecasts of hubs: all of them or, where anything is wrong, nothing. The price at an origin is that
 * of the hub's auxiliary data, otherwise the close of `options.table.outcomes`.
 * @throws {ForeproofError} when a folder is no hub, or the history cannot be written; `interrupted`.
 */
export async function importHubs(
  path: string,
  hubs: readonly string[],
  options: HubImportOptions,
): Promise<HistoryImportResult> {
  const found = hubs.map((hub) => ({ hub, ...outputFiles(hub) }))
  return await runImport(path, options, async (run) => {
    for (const each of found) await importHub(run, each, options)
  })
}

/** The forecasts of one hub, and what is to be said of it. */
async function importHub(
  run: HistoryImport,
  { hub, files, findings }: ReturnType<typeof outputFiles> & { readonly hub: string },
  options: HubImportOptions,
): Promise<void> {
  await run.addFindings(findings, hub)
  const { prices, findings: faults } = options.series ? NO_PRICES : await sourcePrices(hub)
  await run.addFindings(faults, hub)
  if (prices.size > 0 && options.table?.outcomes !== undefined) {
    await run.addFindings([unread('two-sources', 0, hub)], hub)
  }
  let rows = 0
  const leftOut = (count: number) => {
    rows += count
  }
  for (const file of files) {
    await importTableRows(run, file.path, options, () =>
      options.series
        ? seriesOutputRows(
            file,
            options.series,
            { ...options.table, target: options.target },
            leftOut,
          )
        : outputRows(file, prices, options.table?.outcomes, leftOut),
    )
    options.onProgress?.(run.rows, run.committed)
    await yieldToEventLoop(options.signal)
  }
  if (rows > 0) await run.addFindings([unread('kinds', rows, hub)], hub)
}

const unread = (fault: 'two-sources' | 'kinds', rows: number, file: string): Finding =>
  finding(
    'exchange-unread',
    { fault, rows },
    { file, severity: fault === 'kinds' ? 'warning' : 'note' },
  )

/** There is no price at the origin of any series. */
const NO_PRICES = { prices: new Map<string, number>(), findings: [] }

/**
 * The rows of a file of model output.
 * @param leftOut - called with how many rows of the file are of a type or level that is not imported.
 * @throws {TableFault} where it is no table; {ForeproofError} where it cannot be read.
 */
async function* outputRows(
  file: OutputFile,
  prices: ReadonlyMap<string, number>,
  outcomes: Vintage | undefined,
  leftOut: (rows: number) => void,
): AsyncGenerator<readonly NaturalRow[]> {
  const tasks = new Tasks(file, prices)
  const names = outputColumns(TASK_COLUMNS, 'csv').map(({ name }) => name)
  for await (const { cells, line, fault } of hubRows(file.path, names, [WEEK_COLUMN])) {
    if (fault !== undefined) {
      yield [{ line, findings: [fault] }]
      continue
    }
    const [origin = null, horizon = null, type = null, level = null, value = null] = cells
    const round = cells[names.length] ?? origin
    tasks.add({ round, origin, horizon, type, level, value, line })
  }
  yield* naturalRows(naturalSource(file.path, oneBatch(tasks.rows()), 'ndjson'), { outcomes })
  leftOut(tasks.leftOut)
}

/** A row of model output by its columns. */
interface OutputRow {
  /** The week, where rounds are weeks; otherwise the origin. */
  readonly round: Cell
  readonly origin: Cell
  readonly horizon: Cell
  readonly type: Cell
  readonly level: Cell
  readonly value: Cell
  readonly line: number
}

/** Types of hubverse that a forecast of ours has no place for. */
const ELSEWHERE = ['cdf', 'pmf', 'sample']

type RowFault = ArgsOf<'exchange-row'>['fault']
type Values = NaturalCells & { median?: Cell; mean?: Cell }

/** The rows of one file, gathered by origin and horizon into rows of a table of forecasts. */
class Tasks {
  /** Rows of types and levels that are not imported. */
  leftOut = 0
  readonly #values = new Map<string, { line: number; values: Values }>()
  readonly #faults: ReadRow[] = []

  constructor(
    private readonly file: OutputFile,
    /** At the origins, by their ids. */
    private readonly sourcePrices: ReadonlyMap<string, number>,
  ) {}

  add(row: OutputRow): void {
    const fault = this.#take(row)
    if (fault !== undefined) this.#faults.push(this.#fault(row.line, ...fault))
  }

  #take(row: OutputRow): readonly [fault: RowFault, found: Cell] | undefined {
    const { round, origin, horizon, type, level, value, line } = row
    if (String(round) !== this.file.round) return ['round', round]
    const at = originOfRound(String(origin))
    if (at === undefined) return ['no-round', origin]
    const member = memberOf(type, level)
    if (member === undefined) return ['type', type]
    if (member === 'bad-level') return ['type_id', level]
    if (member === 'left-out') {
      this.leftOut++
      return undefined
    }
    const key = `${origin} ${horizon}`
    const source_price_usd = this.sourcePrices.get(String(origin)) ?? null
    const values: Values = { origin_at: formatUtc(at), horizon_hours: horizon, source_price_usd }
    const known = this.#values.get(key) ?? { line, values }
    this.#values.set(key, known)
    if (member in known.values) return ['twice', level ?? type]
    known.values[member] = value
    return undefined
  }

  /** In the order of the file. */
  rows(): ReadRow[] {
    return [...this.#faults, ...[...this.#values.values()].map((each) => this.#rowOf(each))]
  }

  #rowOf({ line, values }: { line: number; values: Values }): ReadRow {
    const { median, mean, ...own } = values
    const has = (column: NaturalColumn) => own[column] !== undefined
    const price = median ?? mean ?? own.q50_usd ?? null
    if (price === null) return this.#fault(line, 'no-point', own.horizon_hours ?? null)
    const outer = has('q10_usd') || has('q90_usd')
    if (outer && !(has('q10_usd') && has('q50_usd') && has('q90_usd'))) {
      return this.#fault(line, 'quantiles', own.horizon_hours ?? null)
    }
    if (!outer) delete own.q50_usd
    const cells = cellsInOrder({
      ...own,
      price_usd: price,
      model: this.file.model,
    })
    return { cells, line }
  }

  #fault(line: number, fault: RowFault, found: Cell): ReadRow {
    const args = { fault, found: String(found).slice(0, 60) }
    return faultyRow(this.file.path, line, finding('exchange-row', args))
  }
}

function memberOf(type: Cell, level: Cell) {
  if (type === 'median' || type === 'mean') {
    return level === null || level === 'NA' ? type : ('bad-level' as const)
  }
  if (ELSEWHERE.includes(String(type))) return 'left-out' as const
  if (type !== 'quantile') return undefined
  const number = level === null || level === '' ? Number.NaN : Number(level)
  if (!(number >= 0 && number <= 1)) return 'bad-level' as const
  return LEVEL_COLUMNS.get(number) ?? ('left-out' as const)
}
