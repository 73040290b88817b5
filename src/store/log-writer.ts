import { mergeNotes } from '../log/cosignature.js'
import { Frontier } from '../log/frontier.js'
import type { CheckpointStamp, NewLeaf } from '../log/log-entry.js'
import {
  type Dialect,
  keyValues,
  queryRows,
  type SqlQuery,
  type SqlTask,
  type Value,
} from './dialect.js'
import { RefusedRow } from './history-writer.js'
import { KEPT_LEVELS, type KeptSubtree, LogQueries, prematureHashError } from './logs.js'
import { LOG_NAME, writeNote } from './notes.js'

/** Tables that are written in bulk. */
type WrittenTable = 'log_entries' | 'log_subtrees' | 'origins' | 'forecasts' | 'attempts'

/** How a store writes log entries and rows of any series. */
export interface LogTarget {
  readonly dialect: Dialect
  /** The name of the history in messages. */
  readonly shown: string
  /**
   * Buffers a row, or returns the statement that inserts it. The statement returns no row if the key exists already.
   * @throws {RefusedRow} if the table cannot hold it.
   */
  add(table: WrittenTable, values: readonly Value[]): SqlQuery | undefined
}

/** Reads and writes the log of a history, within the transactions of a writer; see `LogWriter`. */
export class LogAppender extends LogQueries {
  /**
   * The right edge of the tree, cached per transaction: reading it for each entry would cost as much as writing the
   * entry.
   */
  #edge: Frontier | undefined

  constructor(private readonly target: LogTarget) {
    super(target.dialect)
  }

  /**
   * Call this when a transaction begins: others may have written since, or the last one was rolled back.
   */
  begin(): void {
    this.#edge = undefined
  }

  *setName(name: string): SqlTask<void> {
    if (!this.dialect.canHold(name)) throw new RefusedRow('the history cannot hold such a name')
    yield* writeNote(this.dialect, LOG_NAME, name)
  }

  *append({ leaf, key }: NewLeaf): SqlTask<number> {
    this.#edge ??= yield* this.#edgeNow()
    const edge = this.#edge
    const index = edge.size
    const values =
      key === undefined
        ? [...this.dialect.key.map(() => null), null]
        : [...keyValues(this.dialect, key), key.kind]
    const entry = this.target.add('log_entries', [index, leaf, ...values])
    if (entry !== undefined) yield entry
    const kept: KeptSubtree[] = []
    edge.append(leaf, (hash, level) => {
      if (level % KEPT_LEVELS === 0) kept.push({ level, index: edge.size / 2 ** level - 1, hash })
    })
    for (const subtree of kept) {
      const row = [subtree.level, subtree.index, subtree.hash]
      const added = this.target.add('log_subtrees', row)
      if (added !== undefined && (yield added).length === 0) throw prematureHashError(subtree)
    }
    return index
  }

  *addCheckpoint(size: number, note: string): SqlTask<boolean> {
    return yield* this.#insert('log_checkpoints', [size, note])
  }

  *addSignatures(size: number, note: string): SqlTask<boolean> {
    const stored = (yield* this.checkpoint(size))?.note
    const merged = stored === undefined ? undefined : mergeNotes(stored, note)
    if (merged === undefined || merged === stored) return false
    const table = this.dialect.table('log_checkpoints')
    yield* queryRows(`UPDATE ${table} SET note = $1 WHERE size = $2`, [merged, size])
    return true
  }

  *addStamp(size: number, { authority, token }: CheckpointStamp): SqlTask<boolean> {
    return yield* this.#insert('log_stamps', [size, authority, Buffer.from(token)])
  }

  *#insert(table: 'log_checkpoints' | 'log_stamps', values: readonly Value[]): SqlTask<boolean> {
    const parameters = values.map((_, at) => `$${at + 1}`).join(', ')
    const sql = `INSERT INTO ${this.dialect.table(table)} VALUES (${parameters}) ON CONFLICT DO NOTHING RETURNING 1`
    return (yield* queryRows(sql, values)).length > 0
  }

  *#edgeNow(): SqlTask<Frontier> {
    const size = yield* this.size()
    const waiting: (Uint8Array | undefined)[] = []
    for (let level = 0, left = size; left > 0; level++, left = Math.floor(left / 2)) {
      const [hash] = left % 2 === 1 ? yield* this.hashes(level, left - 1, left) : []
      waiting.push(hash)
    }
    return new Frontier(size, waiting)
  }
}
