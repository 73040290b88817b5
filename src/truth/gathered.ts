import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import type { FindingList } from '../contract/findings/finding-list.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { TableFault } from '../table/types.js'
import { domainFault } from './domain.js'
import { ALWAYS, isTooEarly, type Release, type Releases } from './releases.js'

/** More rows do not fit into the memory of a process. */
const MOST_ROWS = 4_000_000

/** A row of a table about one period. */
export interface ReleaseRow {
  readonly asOf: Instant
  readonly value: number | undefined
  readonly line: number
}

/** The protocol and settings for collecting the rows of a table. */
export interface GatherTask {
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
  readonly times: SeriesTimes
  readonly now: Instant
  /** `absent`: treat a value that the protocol cannot score as missing; default: an error. */
  readonly outOfDomain?: 'absent' | undefined
}

/** Collects the rows of a table of outcomes. */
export class GatheredReleases {
  /** By id of the series, then by position of the period. */
  readonly #rows = new Map<string, Map<number, ReleaseRow[]>>()
  #count = 0
  #latest: Instant | undefined
  /** The files of the rows, with the number of lines before each: so one number identifies file and line. */
  readonly #files: { readonly file: string; readonly before: number }[] = []
  #lines = 0
  /** Faults shared by several rows: the text for the first one, and the count. */
  readonly #alike = new Map<string, { readonly says: (count: number) => Finding; count: number }>()

  constructor(
    private readonly task: GatherTask,
    private readonly findings: FindingList,
  ) {
    for (const { id } of task.protocol.series) this.#rows.set(id, new Map())
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
    const own = this.#rows.get(series) as Map<number, ReleaseRow[]>
    const line = (this.#files.at(-1)?.before ?? 0) + given.line
    const row = { ...given, line }
    this.#lines = Math.max(this.#lines, line)
    if (row.asOf !== ALWAYS && row.asOf <= this.task.now) {
      this.#latest = Math.max(this.#latest ?? ALWAYS, row.asOf)
    }
    if (this.#isTooEarly(series, at, row)) return
    if (++this.#count > MOST_ROWS) {
      const args = { fault: 'many', column: '', found: [String(MOST_ROWS)] } as const
      throw new TableFault(finding('truth-column', args, { file: this.#at(line).file }))
    }
    const value = this.#inDomain(series, at, row)
    const kept = value === row.value ? row : { ...row, value }
    const rows = own.get(at)
    // Growing an empty array over-allocates tenfold.
    if (rows === undefined) own.set(at, [kept])
    else rows.push(kept)
  }

  #isTooEarly(series: string, at: number, { asOf, value, line }: ReleaseRow): boolean {
    const { end, label: period } = this.task.periods[at] as PeriodList[number]
    const known = this.task.times.known(at)
    if (!isTooEarly(asOf, { end, known })) return false
    if (value === undefined) return true
    const instants = { at: formatUtc(asOf), known: Number.isNaN(known) ? '' : formatUtc(known) }
    const args = { fault: 'too-early', series, period, ...instants } as const
    const options = { ...this.#at(line), severity: 'warning' } as const
    this.#addAlike('too-early', (count) => finding('truth-rule', { ...args, count }, options))
    return true
  }

  /** The value; undefined if the protocol cannot score it. */
  #inDomain(series: string, at: number, { value, line }: ReleaseRow): number | undefined {
    const { protocol, periods, outOfDomain } = this.task
    if (value === undefined) return undefined
    const fault = domainFault(value, protocol.forecast)
    if (fault === undefined) return value
    const { label: period = '' } = periods[at] ?? {}
    const severity = outOfDomain === 'absent' ? 'warning' : 'error'
    const taken = severity === 'warning' ? 'taken as absent' : 'not imported'
    const args = {
      fault,
      series,
      period,
      found: value,
      minimum: protocol.forecast.minimum ?? '',
      taken,
    } as const
    const options = { ...this.#at(line), severity } as const
    this.#addAlike(fault, (count) => finding('truth-domain', { ...args, count }, options))
    return undefined
  }

  #addAlike(key: string, says: (count: number) => Finding): void {
    const alike = this.#alike.get(key) ?? { says, count: 0 }
    this.#alike.set(key, alike)
    alike.count++
  }

  /** Returns all rows in normal form; faults of the whole table are among the findings. */
  finish(): ReadonlyMap<string, ReadonlyMap<string, Releases>> {
    const table = new Map<string, Map<string, Releases>>()
    for (const [series, periods] of this.#rows) {
      const own = new Map<string, Releases>()
      for (const [at, rows] of periods) {
        const { label = '' } = this.task.periods[at] ?? {}
        const releases = this.#inOrder(rows, series, label)
        if (releases.length > 0) own.set(label, releases)
      }
      if (own.size > 0) table.set(series, own)
    }
    for (const { says, count } of this.#alike.values()) this.findings.add(says(count))
    return table
  }

  /** The releases of one period that change the value in force. */
  #inOrder(rows: readonly ReleaseRow[], series: string, period: string): Releases {
    const isRevised = this.task.protocol.outcome.release.rule !== 'unrevised'
    const releases: Release[] = []
    let before: ReleaseRow | undefined
    for (const row of [...rows].sort((a, b) => a.asOf - b.asOf)) {
      const { asOf, value, line } = row
      const isOther = before !== undefined && value !== before.value
      const isFaulty = asOf === before?.asOf || (!isRevised && releases.length > 0)
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
      if (value !== before?.value) releases.push({ asOf, value })
      before = row
    }
    // Copied, because a copy does not over-allocate.
    return releases.slice()
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
