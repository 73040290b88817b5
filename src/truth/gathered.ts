import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import type { FindingList } from '../contract/findings/finding-list.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { PeriodList } from '../periods/list.js'
import type { Rules } from '../protocol/rules/compile.js'
import { TableFault } from '../table/table.js'
import { grown, ReleaseColumns, type ReleaseTable } from './release-columns.js'
import { ALWAYS, findDomainFault, isTooEarly } from './releases.js'

/** More rows do not fit into the memory of a process. */
const MOST_ROWS = 100_000_000
const LEAST_ROWS = 1024

/** A row of a table about one period. */
export interface ReleaseRow {
  readonly asOf: Instant
  readonly value: number | undefined
  readonly line: number
}

/** The protocol and settings for collecting the rows of a table. */
export interface GatherTask {
  readonly rules: Rules
  readonly periods: PeriodList
  readonly now: Instant
  /** `absent`: treat a value that the protocol cannot score as missing; default: an error. */
  readonly outOfDomain?: 'absent' | undefined
}

/** Collects the rows of a table of outcomes. */
export class GatheredReleases {
  /** By id, positions in the protocol. */
  readonly #indices: ReadonlyMap<string, number>
  /** The rows in columns, as they come: the position of the series, that of the period, instant, value, and line. */
  #series = new Uint32Array(LEAST_ROWS)
  #periods = new Uint32Array(LEAST_ROWS)
  #asOf = new Float64Array(LEAST_ROWS)
  /** NaN: no value. */
  #values = new Float64Array(LEAST_ROWS)
  #lineNumbers = new Float64Array(LEAST_ROWS)
  #count = 0
  #latest: Instant | undefined
  /** The files of the rows, with the number of lines before each: so one number identifies file and line. */
  readonly #files: { readonly file: string; readonly before: number }[] = []
  #lines = 0
  /** Faults shared by several rows: the text for the first one, and the count. */
  readonly #alike = new Map<
    string,
    { readonly toFinding: (count: number) => Finding; count: number }
  >()

  constructor(
    private readonly task: GatherTask,
    private readonly findings: FindingList,
  ) {
    this.#indices = new Map(task.rules.series.map(({ id }, index) => [id, index]))
  }

  /** The latest instant until now at which a row became public; undefined if no row states it. */
  get latest(): Instant | undefined {
    return this.#latest
  }

  /** Starts a file: rows added from now on belong to it. */
  begin(file: string): void {
    this.#files.push({ file, before: this.#lines })
  }

  /**
   * Adds a row. A row that is dated too early is dropped here and not later, because it would displace the row that
   * says the same in time.
   * @param at - position of the period.
   */
  add(series: string, at: number, given: ReleaseRow): void {
    const line = (this.#files.at(-1)?.before ?? 0) + given.line
    const row = { ...given, line }
    this.#lines = Math.max(this.#lines, line)
    if (row.asOf !== ALWAYS && row.asOf <= this.task.now) {
      this.#latest = Math.max(this.#latest ?? ALWAYS, row.asOf)
    }
    if (this.#isTooEarly(series, at, row)) return
    if (this.#count === MOST_ROWS) {
      const args = { fault: 'many', column: '', found: [String(MOST_ROWS)] } as const
      throw new TableFault(finding('truth-column', args, { file: this.#at(line).file }))
    }
    if (this.#count === this.#series.length) this.#grow()
    this.#series[this.#count] = this.#indices.get(series) as number
    this.#periods[this.#count] = at
    this.#asOf[this.#count] = row.asOf
    this.#values[this.#count] = this.#inDomain(series, at, row) ?? Number.NaN
    this.#lineNumbers[this.#count] = line
    this.#count++
  }

  #grow(): void {
    const size = 2 * this.#count
    this.#series = grown(this.#series, new Uint32Array(size))
    this.#periods = grown(this.#periods, new Uint32Array(size))
    this.#asOf = grown(this.#asOf, new Float64Array(size))
    this.#values = grown(this.#values, new Float64Array(size))
    this.#lineNumbers = grown(this.#lineNumbers, new Float64Array(size))
  }

  #isTooEarly(series: string, at: number, { asOf, value, line }: ReleaseRow): boolean {
    const { end, label: period } = this.task.periods[at] as PeriodList[number]
    const knownAt = this.task.rules.known(at)
    if (!isTooEarly(asOf, { end, known: knownAt })) return false
    if (value === undefined) return true
    const instants = { at: formatUtc(asOf), known: Number.isNaN(knownAt) ? '' : formatUtc(knownAt) }
    const args = { fault: 'too-early', series, period, ...instants } as const
    const options = { ...this.#at(line), severity: 'warning' } as const
    this.#addAlike('too-early', (count) => finding('truth-rule', { ...args, count }, options))
    return true
  }

  /** The value; undefined if the protocol cannot score it. */
  #inDomain(series: string, at: number, { value, line }: ReleaseRow): number | undefined {
    const { rules, periods, outOfDomain } = this.task
    if (value === undefined) return undefined
    const fault = findDomainFault(value, rules.forecast)
    if (fault === undefined) return value
    const { label: period = '' } = periods[at] ?? {}
    const severity = outOfDomain === 'absent' ? 'warning' : 'error'
    const handling = severity === 'warning' ? 'taken as absent' : 'not imported'
    const args = {
      fault,
      series,
      period,
      found: value,
      minimum: String(rules.forecast.minimum ?? ''),
      taken: handling,
    } as const
    const options = { ...this.#at(line), severity } as const
    this.#addAlike(fault, (count) => finding('truth-domain', { ...args, count }, options))
    return undefined
  }

  #addAlike(key: string, toFinding: (count: number) => Finding): void {
    const alike = this.#alike.get(key) ?? { toFinding, count: 0 }
    this.#alike.set(key, alike)
    alike.count++
  }

  /** Returns all rows in normal form; faults of the whole table are among the findings. */
  finish(): ReleaseTable {
    const { rules, periods } = this.task
    const table = new ReleaseColumns()
    const ranks = rankTexts(periods.map(({ label }) => label))
    const rows = this.#bySeries()
    for (const [position, { id }] of inTextOrder(rules.series)) {
      const indices = rows[position] as Uint32Array
      indices.sort(
        (a, b) =>
          (ranks[this.#periods[a] as number] as number) -
            (ranks[this.#periods[b] as number] as number) ||
          (this.#asOf[a] as number) - (this.#asOf[b] as number) ||
          a - b,
      )
      for (let first = 0; first < indices.length; ) {
        let end = first
        const at = this.#periods[indices[first] as number]
        while (end < indices.length && this.#periods[indices[end] as number] === at) end++
        this.#addInOrder(table, id, indices.subarray(first, end))
        first = end
      }
    }
    for (const { toFinding, count } of this.#alike.values()) this.findings.add(toFinding(count))
    return table
  }

  /** The rows of each series, by its position. */
  #bySeries(): Uint32Array[] {
    const counts = new Uint32Array(this.#indices.size)
    for (let row = 0; row < this.#count; row++) counts[this.#series[row] as number]!++
    const rows = Array.from(counts, (count) => new Uint32Array(count))
    const filled = new Uint32Array(counts.length)
    for (let row = 0; row < this.#count; row++) {
      const position = this.#series[row] as number
      ;(rows[position] as Uint32Array)[filled[position]!++] = row
    }
    return rows
  }

  #rowAt(row: number): ReleaseRow {
    const value = this.#values[row] as number
    return {
      asOf: this.#asOf[row] as number,
      value: Number.isNaN(value) ? undefined : value,
      line: this.#lineNumbers[row] as number,
    }
  }

  /** Adds the releases of one period that change the value in force. @param rows - ordered by their instants. */
  #addInOrder(table: ReleaseColumns, series: string, rows: Uint32Array): void {
    const isRevised = this.task.rules.outcome.release.rule !== 'unrevised'
    const { label: period = '' } =
      this.task.periods[this.#periods[rows[0] as number] as number] ?? {}
    let [before, isAdded]: [ReleaseRow | undefined, boolean] = [undefined, false]
    for (const at of rows) {
      const row = this.#rowAt(at)
      const { asOf, value, line } = row
      const isOther = before !== undefined && value !== before.value
      const isFaulty = asOf === before?.asOf || (!isRevised && isAdded)
      if (before !== undefined && isOther && isFaulty) {
        const [first, second] = [before.value, value].map((each) => String(each ?? 'no value'))
        const fault = isRevised ? 'same' : 'unrevised'
        const args = {
          fault,
          series,
          period,
          first,
          second,
          where: this.#shown(before.line, line),
        } as const
        this.findings.add(finding('truth-twice', args as ArgsOf<'truth-twice'>, this.#at(line)))
      }
      if (before?.asOf === asOf && value === before.value) {
        this.findings.addBriefly(
          finding('table-repeated', { other: this.#shown(before.line, line) }, this.#at(line)),
        )
      }
      if (value !== before?.value) {
        table.add(series, period, { asOf, value })
        isAdded = true
      }
      before = row
    }
  }

  #at(line: number) {
    const { file = '', before = 0 } = this.#files.findLast((each) => each.before < line) ?? {}
    return { file, position: { line: line - before, column: 1 } }
  }

  /** A line; with its file if the other line is in a different one. */
  #shown(line: number, other: number): string {
    const { file, position } = this.#at(line)
    return `line ${position.line}${file === this.#at(other).file ? '' : ` of ${file}`}`
  }
}

/** By position of a text, its place among all in their order. */
function rankTexts(texts: readonly string[]): Uint32Array {
  const ranks = new Uint32Array(texts.length)
  const inOrder = [...texts.entries()].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0))
  for (const [rank, [at]] of inOrder.entries()) ranks[at] = rank
  return ranks
}

/** By id, each with its position. */
const inTextOrder = <T extends { readonly id: string }>(all: readonly T[]): [number, T][] =>
  [...all.entries()].sort(([, a], [, b]) => (a.id < b.id ? -1 : 1))
