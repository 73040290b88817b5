import { pathToFileURL } from 'node:url'
import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'

interface SqliteOptions {
  readonly readonly?: boolean
  /** Timeout for locks of others, in milliseconds; default 5000. */
  readonly timeout?: number
  /**
   * Treat the file as immutable: SQLite takes no locks and creates no other file, even in WAL mode.
   */
  readonly immutable?: boolean
}

/** Opens a database file. To read it, it must exist. */
export function openSqlite(file: string, options: SqliteOptions = {}): Database {
  return new Database(file, options)
}

/**
 * A connection. The package has the interface of `node:sqlite`, which can replace it once every supported Node has
 * it. This file corrects where the package differs from what a history needs. Nothing else opens a database.
 */
export class Database {
  readonly #native: InstanceType<typeof DatabaseSync>

  constructor(
    file: string,
    { readonly = false, timeout = 5000, immutable = false }: SqliteOptions,
  ) {
    const location = immutable ? new URL(`${pathToFileURL(file)}?immutable=1`) : file
    this.#native = new DatabaseSync(location, { readOnly: readonly, timeout })
  }

  get isOpen(): boolean {
    return this.#native.isOpen
  }

  get inTransaction(): boolean {
    return this.#native.isTransaction
  }

  prepare<P extends unknown[] = unknown[], R = unknown>(sql: string): PreparedStatement<P, R> {
    return new PreparedStatement<P, R>(this, this.#native.prepare(sql))
  }

  exec(sql: string): this {
    this.#native.exec(sql)
    return this
  }

  pragma(source: string, { simple = false } = {}): unknown {
    const statement = this.prepare<[], unknown>(`PRAGMA ${source}`)
    return simple ? statement.pluck().get() : statement.all()
  }

  function(name: string, act: (value: unknown) => unknown): void {
    this.#native.function(name, { deterministic: true }, act)
  }

  /** Copies the database into `file`, in one transaction. It waits for locks without a timeout. */
  async backup(file: string): Promise<void> {
    await backup(this.#native, file)
  }

  /**
   * Ends the transaction first, because the package keeps a closed file and its locks until all statements are
   * collected by the garbage collector. For the same reason HeldFile keeps its descriptor.
   */
  close(): void {
    if (!this.isOpen) return
    try {
      if (this.inTransaction) this.exec('ROLLBACK')
    } finally {
      this.#native.close()
    }
  }
}

/**
 * A prepared statement. It references its database, and its cursors reference it, because the package's own pointers
 * do not keep them alive.
 */
export class PreparedStatement<P extends unknown[] = unknown[], R = unknown> {
  readonly #database: Database
  readonly #native: StatementSyncInstance
  #plucks = false

  constructor(database: Database, native: StatementSyncInstance) {
    this.#database = database
    this.#native = native
  }

  /** Returns rows as arrays from now on. */
  raw(): this {
    this.#native.setReturnArrays(true)
    return this
  }

  /** Returns only the first value of each row from now on. */
  pluck(): this {
    this.#plucks = true
    return this.raw()
  }

  run(...parameters: P): { changes: number; lastInsertRowid: number | bigint } {
    if (parameters.some(isCut)) throw new UnstorableText()
    return this.#native.run(...toBindable(parameters))
  }

  get(...parameters: P): R | undefined {
    const row = this.#native.get(...toBindable(parameters))
    return row === undefined ? undefined : this.#shown(row)
  }

  all(...parameters: P): R[] {
    const rows = this.#native.all(...toBindable(parameters))
    return this.#plucks ? rows.map((row) => this.#shown(row)) : rows
  }

  *iterate(...parameters: P): Generator<R, void, undefined> {
    const cursor = this.#native.iterate(...toBindable(parameters))
    try {
      for (let next = cursor.next(); !next.done; next = cursor.next()) {
        yield this.#shown(next.value)
      }
    } finally {
      if (this.#database.isOpen) cursor.return?.()
    }
  }

  #shown(row: unknown): R {
    return (this.#plucks ? (row as unknown[])[0] : row) as R
  }
}

/** A text that SQLite would cut at its first U+0000. */
class UnstorableText extends Error {
  readonly code = 'SQLITE_CONSTRAINT'
  override readonly message = 'a text has the character U+0000, which SQLite does not give back'
}

/**
 * Replaces parameters that the package would bind wrongly. A text with U+0000 becomes a blob, which equals no text. A
 * tiny number would become 0, so it is bound as text, which a numeric column converts exactly.
 */
function toBindable<P extends unknown[]>(parameters: P): P {
  return parameters.some((value) => isCut(value) || isTiny(value))
    ? (parameters.map(bindable) as P)
    : parameters
}

function isCut(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\0')
}

function isTiny(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < Number.EPSILON
}

function bindable(value: unknown): unknown {
  if (isCut(value)) return Buffer.from(value)
  return isTiny(value) ? String(value) : value
}
