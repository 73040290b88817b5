import { ForeproofError } from '../contract/error.js'
import { mergedNote } from '../log/cosignature.js'
import { Frontier } from '../log/frontier.js'
import type { CheckpointStamp, NewLeaf } from '../log/types.js'
import {
  type Asking,
  ask,
  askOne,
  type Dialect,
  keyValues,
  type Question,
  type Value,
} from './dialect.js'
import { earlyHash, KEPT_LEVELS, type KeptSubtree, Logs, OWN_LOG } from './logs.js'
import { RefusedRow } from './types.js'

/** Tables whose rows come many at a time. */
type WrittenTable = 'log_entries' | 'log_subtrees' | 'origins' | 'forecasts' | 'attempts'

/** How a store takes what is written to its logs, and rows of any series. */
export interface LogTarget {
  readonly dialect: Dialect
  /** What messages call the history. */
  readonly shown: string
  /**
   * Takes a row to be added, or gives the question that adds it: no row comes where its key is there already.
   * @throws {RefusedRow} where the table cannot hold it.
   */
  add(table: WrittenTable, values: readonly Value[]): Question | undefined
}

/** Where a log goes on: its number, and the right edge of its tree. */
interface LogEnd {
  readonly at: number
  readonly edge: Frontier
}

/** What is asked of and written to the logs of a history, within the transactions of a writer; see `LogWriter`. */
export class WrittenLogs extends Logs {
  /** What a transaction has learnt, by name of a log: reading it for each entry would cost as much as writing it. */
  readonly #numbers = new Map<string | undefined, number>()
  readonly #ends = new Map<string | undefined, LogEnd>()

  constructor(private readonly target: LogTarget) {
    super(target.dialect)
  }

  /** To be called when a transaction begins: others may have written since the last one, or it was undone. */
  begin(): void {
    this.#numbers.clear()
    this.#ends.clear()
  }

  *name(): Asking<string | undefined> {
    const sql = `SELECT name FROM ${this.dialect.table('logs')} WHERE log = $1`
    const name = yield* askOne(sql, [OWN_LOG])
    return typeof name === 'string' ? name : undefined
  }

  *setName(name: string): Asking<void> {
    if ((yield* this.number(name)) !== undefined) {
      throw this.#refused(
        `${name} is a log that it mirrors`,
        "Give this history's own log another name.",
      )
    }
    this.#demandName(name)
    yield* ask(`UPDATE ${this.dialect.table('logs')} SET name = $1 WHERE log = $2`, [name, OWN_LOG])
  }

  *append({ leaf, key }: NewLeaf, log: string | undefined): Asking<number> {
    const { at, edge } = this.#ends.get(log) ?? (yield* this.#endOf(log))
    const index = edge.size
    const values =
      key === undefined
        ? [...this.dialect.key.map(() => null), null]
        : [...keyValues(this.dialect, key), key.kind]
    const entry = this.target.add('log_entries', [at, index, leaf, ...values])
    if (entry !== undefined) yield entry
    const kept: KeptSubtree[] = []
    edge.append(leaf, (hash, level) => {
      if (level % KEPT_LEVELS === 0) kept.push({ level, index: edge.size / 2 ** level - 1, hash })
    })
    for (const whole of kept) {
      const row = [at, whole.level, whole.index, whole.hash]
      const subtree = this.target.add('log_subtrees', row)
      if (subtree !== undefined && (yield subtree).length === 0) throw earlyHash(whole)
    }
    return index
  }

  *addCheckpoint(size: number, note: string, log: string | undefined): Asking<boolean> {
    return yield* this.#insert('log_checkpoints', [yield* this.#numberOf(log), size, note])
  }

  *addSignatures(size: number, note: string, log: string | undefined): Asking<boolean> {
    const at = yield* this.#numberOf(log)
    const known = (yield* this.checkpointOf(at, size))?.note
    const merged = known === undefined ? undefined : mergedNote(known, note)
    if (merged === undefined || merged === known) return false
    const table = this.dialect.table('log_checkpoints')
    const sql = `UPDATE ${table} SET note = $1 WHERE log = $2 AND size = $3`
    yield* ask(sql, [merged, at, size])
    return true
  }

  *addStamp(size: number, stamp: CheckpointStamp, log: string | undefined): Asking<boolean> {
    const { authority, token } = stamp
    const values = [yield* this.#numberOf(log), size, authority, Buffer.from(token)]
    return yield* this.#insert('log_stamps', values)
  }

  *#insert(table: 'log_checkpoints' | 'log_stamps', values: readonly Value[]): Asking<boolean> {
    const places = values.map((_, at) => `$${at + 1}`).join(', ')
    const sql = `INSERT INTO ${this.dialect.table(table)} VALUES (${places}) ON CONFLICT DO NOTHING RETURNING 1`
    return (yield* ask(sql, values)).length > 0
  }

  /** The number of a log to write to; one of that name is made where there is none. */
  *#numberOf(log: string | undefined): Asking<number> {
    const known = this.#numbers.get(log)
    if (known !== undefined) return known
    const found = (yield* this.number(log)) ?? (yield* this.#addLog(log))
    if (log !== undefined && found === OWN_LOG) {
      throw this.#refused(
        `${log} is the log of this very history`,
        'Mirror it into another history.',
      )
    }
    this.#numbers.set(log, found)
    return found
  }

  *#addLog(log: string | undefined): Asking<number> {
    if (log !== undefined) this.#demandName(log)
    const table = this.dialect.table('logs')
    const sql = `INSERT INTO ${table} SELECT max(log) + 1, $1 FROM ${table} RETURNING log`
    return Number(yield* askOne(sql, [log ?? null]))
  }

  *#endOf(log: string | undefined): Asking<LogEnd> {
    const at = yield* this.#numberOf(log)
    const size = yield* this.sizeOf(at)
    const waiting: (Uint8Array | undefined)[] = []
    for (let level = 0, left = size; left > 0; level++, left = Math.floor(left / 2)) {
      const [hash] = left % 2 === 1 ? yield* this.hashesOf(at, level, left - 1, left) : []
      waiting.push(hash)
    }
    const end = { at, edge: new Frontier(size, waiting) }
    this.#ends.set(log, end)
    return end
  }

  #demandName(name: string): void {
    if (!this.dialect.canHold(name)) throw new RefusedRow('the history cannot hold such a name')
  }

  #refused(why: string, help: string): ForeproofError {
    return new ForeproofError('invalid-input', `${this.target.shown}: ${why}`, { help })
  }
}
