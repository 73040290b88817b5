import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Piece } from '../../table/split.js'
import type { NaturalRow } from '../natural/rows.js'
import type { LogWriter } from '../store/log-types.js'
import { openHistoryWriter } from '../store/open.js'
import { type HistoryWriter, RefusedRow } from '../store/types.js'
import type { HistoryImportOptions, HistoryImportResult, ValueSource } from './import-types.js'
import { createRowWriter, type PutResult, type RowWriter } from './put.js'
import {
  keysOfRead,
  type Locate,
  type ReadValue,
  readPiece,
  readRow,
  readValue,
} from './read-value.js'
import { type Counted, Tally } from './tally.js'
import { type ImportValue, isAttempt, keyOfValue, nameOfValue } from './value.js'

const NO_TEXT = new Set(['document-binary', 'encoding-utf16'])

/**
 * Begins an import into a history, which is created where there is none.
 * @throws {ForeproofError} when the history cannot be written or is of a layout that is only read.
 */
export async function openImport(
  path: string,
  options: HistoryImportOptions,
): Promise<HistoryImport> {
  const writer = await openHistoryWriter(path, options.now)
  try {
    await writer.begin()
  } catch (cause) {
    await writer.close()
    throw cause
  }
  return new HistoryImport(writer, options)
}

/** An import under way. */
export class HistoryImport {
  readonly #writer: HistoryWriter
  readonly #rows: RowWriter
  readonly #tally: Tally
  readonly #batchRows: number
  /** True once a text of the file turned out to be no JSON text at all, but binary or of another encoding. */
  unreadable = false
  /** Whether a transaction is open. */
  #begun = true
  /** Entries of the log before the first row of a table: those from there on are of this import. */
  #entriesBefore: number | undefined

  /** @param writer has begun. */
  constructor(writer: HistoryWriter, options: HistoryImportOptions) {
    this.#writer = writer
    this.#rows = createRowWriter(writer)
    this.#tally = new Tally(options.maxFindings)
    this.#batchRows = options.batchRows ?? Number.POSITIVE_INFINITY
  }

  /** True once something was rejected: what follows is checked, not written. */
  get refused(): boolean {
    return this.#tally.refused
  }

  /** Values so far that differ from what the history holds for their key. */
  get conflicts(): number {
    return this.#tally.conflicts
  }

  get rows(): number {
    return this.#tally.rows
  }

  /** Of these rows, those that stay whatever comes. */
  get committed(): number {
    return this.#tally.rows - this.#tally.uncommitted
  }

  /** A JSON value: a forecast resource, an attempt, or an API body with forecasts. */
  async add(value: unknown, source: ValueSource = {}): Promise<void> {
    await this.#takeAll([readValue(value, source)])
  }

  /**
   * Rows of a table. They are alike, and so are their faults: one finding of a sort is kept. A
   * table that has a key twice, with other values, is rejected: it does not say what the forecast was.
   */
  async addRows(rows: readonly NaturalRow[], file: string): Promise<void> {
    this.#entriesBefore ??= await this.logs((logs) => logs.logSize())
    this.#tally.brief = true
    await this.#takeAll(rows.map((row) => readRow(row, file)))
    this.#tally.brief = false
  }

  /** What is to be said of a table as a whole. */
  async addFindings(findings: readonly Finding[], file: string): Promise<void> {
    await this.addRows([{ line: undefined, findings }], file)
  }

  /** The texts of some values of a file, up to the first that makes it `unreadable`. */
  async addTexts(pieces: readonly Piece[], file: string): Promise<void> {
    let read: ReadValue[] = []
    for (const piece of pieces) {
      const value = readPiece(piece, file)
      read.push(value)
      this.unreadable = value.accepted.findings.some(({ code }) => NO_TEXT.has(code))
      if (this.unreadable) break
      if (read.length < this.#writer.keysAtOnce) continue
      await this.#takeAll(read)
      read = []
    }
    await this.#takeAll(read)
  }

  /** Commits what has been added and noted so far, unless something was rejected. */
  async commit(): Promise<void> {
    if (this.refused) return
    if (this.#begun) await this.#writer.commit()
    this.#begun = false
    this.#tally.commit()
  }

  /** Keeps a text beside the rows, in the same transaction. */
  async note(key: string, text: string): Promise<void> {
    await this.#begin()
    await this.#writer.note(key, text)
  }

  /** What is kept under a name; only where everything that was added is committed. */
  noted(key: string): Promise<string | undefined> {
    return this.ask((writer) => writer.noted(key))
  }

  /** Asks something of the history; only where everything that was added is committed. */
  async ask<T>(question: (writer: HistoryWriter) => Promise<T>): Promise<T> {
    await this.#begin()
    const answer = await question(this.#writer)
    await this.#writer.rollback()
    this.#begun = false
    return answer
  }

  /** Asks or writes the logs of the history, in the transaction that is under way. */
  async logs<T>(act: (logs: LogWriter) => Promise<T>): Promise<T> {
    await this.#begin()
    return await act(this.#writer)
  }

  /** Commits, or undoes everything since the last whole batch when anything was rejected. */
  async finish(): Promise<HistoryImportResult> {
    if (this.refused) await this.#writer.rollback()
    else await this.commit()
    await this.#writer.close()
    return this.#tally.result()
  }

  /** Undoes what is not committed and closes the file. */
  abort(): Promise<void> {
    return this.#writer.close()
  }

  /** Only when there is something to write: others may wait for the lock meanwhile. */
  async #begin(): Promise<void> {
    if (this.#begun) return
    await this.#writer.begin()
    this.#begun = true
  }

  async #takeAll(values: readonly ReadValue[]): Promise<void> {
    if (!this.refused && this.#writer.keysAtOnce > 1) {
      await this.#writer.expect(values.flatMap(keysOfRead))
    }
    for (const value of values) await this.#take(value)
  }

  async #take({ accepted, locate }: ReadValue): Promise<void> {
    const { findings, forecasts, attempt } = accepted
    if (!hasNoErrors(findings)) return this.#tally.reject(findings.map(locate))
    for (const finding of findings) this.#tally.report(locate(finding))
    for (const { resource, pointer } of forecasts) {
      await this.#put('forecasts', resource, (found) =>
        locate({ ...found, pointer: `${pointer}${found.pointer ?? ''}` }),
      )
    }
    if (attempt !== undefined) await this.#put('attempts', attempt, locate)
  }

  /** True where what a row of a table differs from was written by this import, too. */
  async #isTwiceInTable(given: ImportValue, kind: 'forecast' | 'attempt'): Promise<boolean> {
    if (!this.#tally.brief) return false
    const entry = await this.#writer.logEntry({ ...keyOfValue(given), kind })
    return entry !== undefined && entry.index >= (this.#entriesBefore ?? 0)
  }

  /** Puts one row, unless something was rejected: what follows is checked, not written. */
  async #put(what: Counted, given: ImportValue, locate: Locate): Promise<void> {
    if (this.refused) return
    await this.#begin()
    let result: PutResult
    try {
      result = isAttempt(given) ? await this.#rows.attempt(given) : await this.#rows.forecast(given)
    } catch (cause) {
      if (!(cause instanceof RefusedRow)) throw cause
      const args = { row: nameOfValue(given), detail: cause.message }
      this.#tally.reject([locate(finding('import-constraint', args, { pointer: '' }))])
      return
    }
    if (result.kind === 'conflict' && (await this.#isTwiceInTable(given, result.with))) {
      const args = { row: nameOfValue(given), differs: result.differs }
      this.#tally.reject([locate(finding('natural-duplicate', args))])
      return
    }
    this.#tally.count(what, result)
    if (result.kind === 'conflict') {
      const { differs, with: other } = result
      const args = { row: nameOfValue(given), differs, other }
      this.#tally.report(locate(finding('import-conflict', args, { pointer: differs[0] ?? '' })))
    }
    if (this.#tally.uncommitted >= this.#batchRows) await this.commit()
  }
}
