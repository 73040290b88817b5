import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import { FindingList } from '../../contract/findings/finding-list.js'
import type { Instant } from '../../contract/instant.js'
import { nameOfRow } from '../../forecast/row-faults.js'
import { nameOfSeriesRow } from '../../forecast/series-row.js'
import { type HistoryWriter, type LogWriter, RefusedRow } from '../../store/history-writer.js'
import { openHistoryWriter } from '../../store/open.js'
import type { Piece } from '../../table/split.js'
import type { ImportRow, NaturalRow } from '../natural/natural-rows.js'
import type { SeriesContext } from '../natural/series-rows.js'
import {
  type Accept,
  type AcceptedRow,
  acceptPiece,
  acceptTableRow,
  acceptValue,
  createLocator,
  createSeriesAccept,
  historyKey,
  type ImportedValue,
  type Locate,
  type TablePosition,
  type ValueSource,
} from './accept.js'
import { AddedLines } from './added-lines.js'
import { createRowWriter, type PutResult, type PutRow } from './put.js'

/** A row as findings name it. */
const rowName = (row: ImportRow) => ('series' in row ? nameOfSeriesRow(row) : nameOfRow(row))

/** Findings that mean a file is not text. */
const isNoText = (found: Finding): boolean =>
  found.code === 'document-encoding' && ['binary', 'utf-16'].includes(found.args.fault)

/**
 * Begins an import into a history, and creates it if missing.
 * @throws {ForeproofError} when the history cannot be written or is of a layout that is only read.
 */
export async function openImport(
  path: string,
  options: HistoryImportOptions,
): Promise<HistoryImport> {
  const writer = await openHistoryWriter(path, options.now, options.series ? 2 : 1)
  try {
    await writer.begin()
  } catch (cause) {
    await writer.close()
    throw cause
  }
  return new HistoryImport(writer, options)
}

/** An import in progress. */
export class HistoryImport {
  readonly #writer: HistoryWriter
  readonly #putRow: PutRow
  readonly #accept: Accept
  readonly #tally = new Tally()
  readonly #batchRows: number
  /** True once the file turned out to be binary or in another encoding. */
  unreadable = false
  #firstRow: string | undefined
  /** Whether a transaction is open. */
  #begun = true
  /** The lines of the rows of tables that this import has added. */
  readonly #lines = new AddedLines()
  /**
   * The log index of the next row; fetched in each transaction, because others write in between.
   */
  #nextEntry: number | undefined

  /** @param writer has begun. */
  constructor(writer: HistoryWriter, options: HistoryImportOptions) {
    this.#writer = writer
    this.#putRow = createRowWriter(writer, options.salt)
    this.#accept = options.series
      ? createSeriesAccept(options.series, options.asIs === true)
      : acceptValue
    this.#batchRows = options.batchRows ?? Number.POSITIVE_INFINITY
  }

  /** True once something was rejected; the rest is checked but not written. */
  get refused(): boolean {
    return this.#tally.refused
  }

  /** Conflicts so far: values that differ from the stored row of their key. */
  get conflicts(): number {
    return this.#tally.conflicts
  }

  get rows(): number {
    return this.#tally.rows
  }

  /** Committed ones of these rows. */
  get committed(): number {
    return this.#tally.rows - this.#tally.uncommitted
  }

  /** A JSON value: a forecast resource, an attempt, or an API body with forecasts. */
  async add(value: unknown, source: ValueSource = {}): Promise<void> {
    await this.#putAllAccepted([{ accepted: this.#accept(value), locate: createLocator(source) }])
  }

  /**
   * Rows of a table. Their faults repeat, so one finding of each kind is kept. A table with two different rows for
   * one key is rejected, because the forecast is ambiguous.
   */
  async addRows(rows: readonly NaturalRow[], file: string): Promise<void> {
    this.#tally.brief = true
    await this.#putAllAccepted(rows.map((row) => acceptTableRow(row, file, this.#accept)))
    this.#tally.brief = false
  }

  /** How the first row of a table of any series was read: its origin, and its target where it has one. */
  readonly readFirst = (message: string): void => {
    this.#firstRow ??= message
  }

  /** Findings about a table as a whole. */
  async addFindings(findings: readonly Finding[], file: string): Promise<void> {
    await this.addRows([{ line: undefined, findings }], file)
  }

  /** The texts of some values of a file, up to the first that makes it `unreadable`. */
  async addTexts(pieces: readonly Piece[], file: string): Promise<void> {
    let read: ImportedValue[] = []
    for (const piece of pieces) {
      const value = acceptPiece(piece, file, this.#accept)
      read.push(value)
      this.unreadable = value.accepted.findings.some(isNoText)
      if (this.unreadable) break
      if (read.length < this.#writer.keysAtOnce) continue
      await this.#putAllAccepted(read)
      read = []
    }
    await this.#putAllAccepted(read)
  }

  /** Commits what has been added and noted so far, unless something was rejected. */
  async commit(): Promise<void> {
    if (this.refused) return
    if (this.#begun) await this.#writer.commit()
    this.#begun = false
    this.#nextEntry = undefined
    this.#tally.commit()
  }

  /** Stores a note in the same transaction. */
  async note(key: string, text: string): Promise<void> {
    await this.#begin()
    await this.#writer.note(key, text)
  }

  /** Reads a note; only if everything added is committed. */
  noted(key: string): Promise<string | undefined> {
    return this.ask((writer) => writer.noted(key))
  }

  /** Reads from the history; only if everything added is committed. */
  async ask<T>(question: (writer: HistoryWriter) => Promise<T>): Promise<T> {
    await this.#begin()
    const answer = await question(this.#writer)
    await this.#writer.rollback()
    this.#begun = false
    return answer
  }

  /** Reads or writes the log in the current transaction. */
  async logs<T>(act: (logs: LogWriter) => Promise<T>): Promise<T> {
    await this.#begin()
    return await act(this.#writer)
  }

  /** Commits, or rolls back to the last whole batch if anything was rejected. */
  async finish(): Promise<HistoryImportResult> {
    if (this.refused) await this.#writer.rollback()
    else await this.commit()
    await this.#writer.close()
    const firstRow = this.#firstRow
    return { ...this.#tally.result(), ...(firstRow !== undefined && { firstRow }) }
  }

  /** Rolls back and closes the file. */
  abort(): Promise<void> {
    return this.#writer.close()
  }

  /** Begin only when there is something to write, so that others do not wait for the lock. */
  async #begin(): Promise<void> {
    if (this.#begun) return
    await this.#writer.begin()
    this.#begun = true
  }

  async #putAllAccepted(values: readonly ImportedValue[]): Promise<void> {
    if (!this.refused && this.#writer.keysAtOnce > 1) {
      await this.#writer.expect(
        values.flatMap(({ accepted }) => accepted.rows.map(({ row }) => historyKey(row))),
      )
    }
    for (const value of values) await this.#putAccepted(value)
  }

  async #putAccepted({ accepted, locate, position }: ImportedValue): Promise<void> {
    const { findings, rows } = accepted
    if (!hasNoErrors(findings)) return this.#tally.reject(findings.map(locate))
    for (const finding of findings) this.#tally.report(locate(finding))
    for (const each of rows) {
      const locateRow: Locate = (found) =>
        locate({ ...found, pointer: `${each.pointer}${found.pointer ?? ''}` })
      await this.#put(each, locateRow, position)
    }
  }

  /** Puts one row, unless something was rejected: what follows is checked, not written. */
  async #put(
    { row, resource }: AcceptedRow,
    locate: Locate,
    position?: TablePosition,
  ): Promise<void> {
    if (this.refused) return
    if (!this.#begun) await this.#begin()
    // Before the row, while the buffer is empty.
    if (position !== undefined) this.#nextEntry ??= await this.#writer.logSize()
    let result: PutResult
    try {
      result = await this.#putRow(row, resource)
    } catch (cause) {
      if (!(cause instanceof RefusedRow)) throw cause
      const args = { fault: 'import', row: rowName(row), detail: cause.message } as const
      this.#tally.reject([locate(finding('row-refused', args, { pointer: '' }))])
      return
    }
    if (position !== undefined) {
      if (result.kind === 'added') this.#keepLine(position)
      else if (await this.#isRefused(row, result, position, locate)) return
    }
    this.#tally.count('status' in row ? 'attempts' : 'forecasts', result)
    if (result.kind === 'conflict') {
      const { differs, with: other } = result
      const args = { row: rowName(row), differs, other }
      this.#tally.report(locate(finding('import-conflict', args, { pointer: differs[0] ?? '' })))
    }
    if (this.#tally.uncommitted >= this.#batchRows) await this.commit()
  }

  #keepLine(position: TablePosition): void {
    const entry = this.#nextEntry ?? 0
    this.#lines.add(entry, position)
    this.#nextEntry = entry + 1
  }

  /**
   * Reports a row of a table with the key of another row of this import. Equal rows count once; different ones make
   * the forecast ambiguous.
   */
  async #isRefused(
    row: ImportRow,
    result: PutResult,
    { file }: TablePosition,
    locate: Locate,
  ): Promise<boolean> {
    if (this.#lines.isEmpty) return false
    const rowKind = 'status' in row ? 'attempt' : 'forecast'
    const kind = result.kind === 'conflict' ? result.with : rowKind
    const entry = await this.#writer.logEntry({ ...historyKey(row), kind })
    const position = entry && this.#lines.at(entry.index)
    if (position === undefined) return false
    const other =
      position.file === file ? `line ${position.line}` : `line ${position.line} of ${position.file}`
    if (result.kind !== 'conflict') {
      this.#tally.report(locate(finding('table-repeated', { other })))
      return false
    }
    const args = { row: rowName(row), differs: result.differs, other }
    this.#tally.reject([locate(finding('natural-duplicate', args))])
    return true
  }
}

/**
 * Checks every value (a forecast resource, an attempt, or an API body) and puts it into a history, which
 * is made where there is none: all of them or, when one is rejected, nothing. The first write of a
 * key wins; a later, different one is a conflict, counted and reported.
 * @throws {ForeproofError} when the history cannot be written.
 */
export async function importResources(
  path: string,
  values: Iterable<unknown>,
  options: HistoryImportOptions,
): Promise<HistoryImportResult> {
  return await runImport(path, options, async (run) => {
    for (const value of values) await run.add(value)
  })
}

/**
 * Imports what `work` adds, and ends the import. A fault undoes what is not committed, once the progress is reported.
 * @throws {ForeproofError} when the history cannot be written; what `work` throws.
 */
export async function runImport(
  path: string,
  options: HistoryImportOptions & ImportProgress,
  work: (run: HistoryImport) => Promise<void>,
): Promise<HistoryImportResult> {
  const run = await openImport(path, options)
  try {
    await work(run)
    return await run.finish()
  } catch (cause) {
    options.onProgress?.(run.rows, run.committed)
    await run.abort()
    throw cause
  }
}

export interface HistoryImportOptions {
  /** Kept as the time at which an origin was first seen. */
  readonly now: Instant
  /**
   * Commit after this many rows. Without it, the whole import is one transaction, and one rejected value rejects all.
   */
  readonly batchRows?: number | undefined
  /** Rows are of any series, under this protocol of version 2. */
  readonly series?: SeriesContext | undefined
  /**
   * For any series: accept forecasts that can only fail under the protocol, with a warning; otherwise they are an
   * error.
   */
  readonly asIs?: boolean | undefined
  /** Add a salt of 16 random bytes to each forecast without one; stored forecasts keep theirs. */
  readonly salt?: boolean | undefined
}

export interface ImportProgress {
  /** Called with the rows put so far, and those committed: about once per mebibyte read, and when a fault ends it. */
  readonly onProgress?: ((rows: number, committed: number) => void) | undefined
}

export interface HistoryImportCounts {
  readonly added: number
  /** Rows that exist already with equal members. */
  readonly unchanged: number
  /** Rows whose key has other values; the stored row stays. */
  readonly conflicts: number
}

export interface HistoryImportResult {
  /**
   * Rejections, conflicts and warnings, each with file, line and pointer if known. A `more-findings` counts those of
   * a kind that were not kept.
   */
  readonly findings: readonly Finding[]
  /** How many findings were counted and not kept. */
  readonly withheld: number
  /** Of what was committed. */
  readonly forecasts: HistoryImportCounts
  readonly attempts: HistoryImportCounts
  /** How the first row of a table of any series was read. */
  readonly firstRow?: string
  /** Rejected values; if there is one, only earlier batches were written. */
  readonly rejected: number
  /** Rows that this import added. */
  readonly written: number
}

/** Findings that concern every row of a file; one per file is enough. */
const PER_FILE_CODES: ReadonlySet<string> = new Set([
  'price-implausible',
  'never-judged',
  'forecast-unscorable',
  'natural-levels-near',
])

type Counts = { -readonly [K in keyof HistoryImportCounts]: number }
export type CountedKind = 'forecasts' | 'attempts'

const NO_COUNTS: Counts = { added: 0, unchanged: 0, conflicts: 0 }

/** The state of an import: its counts and findings. */
class Tally {
  /** Rows that were put so far. */
  rows = 0
  /** Whether to keep one finding of each kind, because the faults of a table repeat. */
  brief = false
  readonly #findings = new FindingList()
  readonly #counts = { forecasts: { ...NO_COUNTS }, attempts: { ...NO_COUNTS } }
  #committed = { forecasts: NO_COUNTS, attempts: NO_COUNTS }
  #rowsCommitted = 0
  #rejected = 0

  /** Rows since the last commit. */
  get uncommitted(): number {
    return this.rows - this.#rowsCommitted
  }

  get conflicts(): number {
    return this.#counts.forecasts.conflicts + this.#counts.attempts.conflicts
  }

  /** True once something was rejected. */
  get refused(): boolean {
    return this.#rejected > 0
  }

  report(finding: Finding): void {
    // For example prices in another unit: keep the first, count the others.
    const brief = this.brief || PER_FILE_CODES.has(finding.code)
    if (brief) this.#findings.addBriefly(finding)
    else this.#findings.add(finding)
  }

  reject(findings: readonly Finding[]): void {
    this.#rejected++
    for (const finding of findings) this.report(finding)
  }

  count(what: CountedKind, { kind }: PutResult): void {
    this.rows++
    this.#counts[what][kind === 'conflict' ? 'conflicts' : kind]++
  }

  commit(): void {
    const { forecasts, attempts } = this.#counts
    this.#committed = { forecasts: { ...forecasts }, attempts: { ...attempts } }
    this.#rowsCommitted = this.rows
  }

  result(): HistoryImportResult {
    const { forecasts, attempts } = this.#committed
    return {
      findings: this.#findings.all(),
      withheld: this.#findings.withheld,
      forecasts,
      attempts,
      rejected: this.#rejected,
      written: forecasts.added + attempts.added,
    }
  }
}
