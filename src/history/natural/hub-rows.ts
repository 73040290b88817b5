import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { isNothing } from '../../table/cells.js'
import type { RowChoice } from '../../table/choice.js'
import { type Cell, faultyRow, type SourceRow, type TableSource } from '../../table/table.js'

/** Columns of hubverse that tell which rows of a table are forecasts, and of what. */
const TARGET = 'target'
const TYPE = 'output_type'
const LEVEL = 'output_type_id'
/** If a table has this column, its `target` is a name and not a period. */
const TARGET_DATE = 'target_end_date'

/** How to read rows of hubs. */
export interface HubReading {
  readonly columns?: Readonly<Record<string, string>> | undefined
}

/** The first row with a date of origin, and the period that followed from it. */
interface DatedOrigin {
  readonly label: string
  readonly where: string
}

/** Rows of hubs. A history stores their quantiles and medians; other rows are counted. */
export class HubRows {
  readonly #types = new Set<string>()
  readonly #counts = { types: 0, medians: 0, taken: 0 }
  readonly #origins = new Map<string, DatedOrigin>()
  #saysOrigins = false
  #tableRows = 0

  /** @param choice - of a target. */
  constructor(
    readonly choice: RowChoice,
    private readonly reading: HubReading = {},
  ) {}

  /**
   * Whether the user named the column of the origin. A date in it that ends no period is the day of submission; then
   * the origin follows from target and horizon.
   */
  get hasDatedOrigins(): boolean {
    return Boolean(this.reading.columns?.origin)
  }

  /** Whether a table outside a hub has the rows of one. */
  isHubTable(columns: readonly string[]): boolean {
    const has = (...names: string[]) => names.every((name) => columns.includes(name))
    const isNamed = this.reading.columns?.target !== TARGET
    return isNamed && (has(TYPE, LEVEL) || has(TARGET, TARGET_DATE))
  }

  /** Whether the last table passed to `taken` has any row, imported or not. */
  get hasRows(): boolean {
    return this.#tableRows > 0
  }

  /** The rows to import, without the columns that only hubs have. */
  select(source: TableSource): TableSource {
    const { columns, file } = source
    const [target = -1, type = -1, level = -1] = [TARGET, TYPE, LEVEL].map((name) =>
      columns.indexOf(name),
    )
    const kept = [...columns.keys()].filter((at) => at !== target && at !== type)
    this.#tableRows = 0
    const toRows = (row: SourceRow): SourceRow[] => {
      const { cells, line, fault } = row
      this.#tableRows++
      if (fault !== undefined) return [row]
      this.choice.hasRows = true
      const text = (at: number) => String(cells[at] ?? '')
      const kind = type < 0 ? undefined : text(type)
      if (!this.#takes(kind)) return []
      const [chosen] = this.choice.ofTarget(row, cells[target], file)
      if (chosen === undefined || chosen.fault !== undefined) return chosen ? [chosen] : []
      const isLevel = !isNothing(cells[level] ?? null)
      if (kind !== undefined && isLevel !== (kind === 'quantile')) {
        const args = { fault: 'type_id', found: text(level) } as const
        return [faultyRow(file, line, finding('exchange-row', args))]
      }
      return [{ line, cells: kept.map((at) => cells[at] ?? null) }]
    }
    async function* batches() {
      for await (const batch of source.batches) yield batch.flatMap(toRows)
    }
    return { ...source, columns: kept.map((at) => columns[at] ?? ''), batches: batches() }
  }

  #takes(type = 'median'): boolean {
    if (type === 'quantile' || type === 'median') {
      this.#counts.taken++
      return true
    }
    this.#types.add(type)
    this.#counts.types++
    return false
  }

  /** Counts a forecast whose median is not its quantile of level 0.5. */
  addMedian(): void {
    this.#counts.medians++
  }

  /** Reports a date of origin that ends no period and does not determine one. */
  notAPeriod(date: Cell): Finding {
    const fault = this.hasDatedOrigins ? 'no-steps' : 'no-period'
    return finding('exchange-row', { fault, found: String(date) })
  }

  /** Records the period that follows from a date of origin. @returns a finding if another one followed before. */
  leadsTo(date: string, label: string, where: string): Finding | undefined {
    const before = this.#origins.get(date) ?? { label, where }
    this.#origins.set(date, before)
    if (before.label === label) return undefined
    const found = `${date} to ${label}, and to ${before.label} in ${before.where}`
    return finding('exchange-row', { fault: 'two-origins', found })
  }

  /** Findings about the rows since the last call. @param file - the file of the rows, or their hub. */
  rest(file: string): Finding[] {
    const { types, medians, taken: selected } = this.#counts
    const findings: Finding[] = []
    const say = (args: ArgsOf<'exchange-unread'>, severity: 'note' | 'warning' | 'error') =>
      findings.push(finding('exchange-unread', args, { file, severity }))
    const [dated] = [...this.#origins].map(([date, { label }]) => `${date} as ${label}`)
    if (dated !== undefined && !this.#saysOrigins) {
      this.#saysOrigins = true
      say({ fault: 'dates', rows: this.#origins.size, names: [dated] }, 'note')
    }
    const names = [...this.#types]
    if (types > 0 && selected === 0) say({ fault: 'only', rows: types, names }, 'error')
    else if (types > 0) say({ fault: 'types', rows: types, names }, 'warning')
    if (medians > 0) say({ fault: 'medians', rows: medians, names: [] }, 'warning')
    this.#types.clear()
    Object.assign(this.#counts, { types: 0, medians: 0, taken: 0 })
    return findings
  }
}
