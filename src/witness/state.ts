import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { syncFolder } from '../files/atomic.js'
import { type Database, openSqlite } from '../store/sqlite/driver.js'

/** A checkpoint that a witness has cosigned. */
export interface CosignedCheckpoint {
  readonly size: number
  readonly root: Uint8Array
  /** The checkpoint with the signature of its log. */
  readonly note: string
  /** The line of the cosignature. */
  readonly line: string
  /** In seconds since 1970. */
  readonly time: number
}

const TABLES = ['witness', 'origins', 'cosigned', 'locked', 'clocks'] as const
const CREATE = `
CREATE TABLE state.witness (vkey TEXT NOT NULL);
CREATE TABLE state.origins (origin TEXT PRIMARY KEY NOT NULL);
CREATE TABLE state.cosigned (
  number INTEGER PRIMARY KEY, origin TEXT NOT NULL REFERENCES origins, size INTEGER NOT NULL,
  root BLOB NOT NULL, note TEXT NOT NULL, line TEXT NOT NULL, time INTEGER NOT NULL
);
CREATE INDEX state.cosigned_of ON cosigned (origin, size);
CREATE TABLE state.clocks (last_number INTEGER NOT NULL, ahead INTEGER NOT NULL, time INTEGER NOT NULL);
CREATE TABLE state.locked (origin TEXT PRIMARY KEY NOT NULL REFERENCES origins, note TEXT NOT NULL);
${TABLES.flatMap((table) =>
  ['UPDATE', 'DELETE'].map(
    (act) =>
      `CREATE TRIGGER state.no_${act}_${table} BEFORE ${act} ON ${table} BEGIN SELECT RAISE(ABORT, 'a state is only added to'); END;`,
  ),
).join('\n')}
`
const COLUMNS = 'size, root, note, line, time'

/**
 * What a witness has cosigned: one SQLite file that is only appended to. If it is lost or replaced by an older copy,
 * the witness must not continue.
 */
export class WitnessState {
  readonly #database: Database

  private constructor(readonly file: string) {
    this.#database = openSqlite(':memory:')
    // Attached, because an attached file can be detached. A database opened by itself stays open after `close` until
    // all its statements are garbage-collected.
    this.#database.prepare('ATTACH ? AS state').run(file)
    this.#database.pragma('state.journal_mode = DELETE')
    // Stricter than FULL, with which a power failure may undo the last transaction after it was answered.
    this.#database.pragma('state.synchronous = EXTRA')
    this.#database.pragma('foreign_keys = ON')
  }

  /**
   * Creates the state of a witness, or adds origins to an existing one.
   * @returns the origins that are new.
   * @throws {ForeproofError} as `open`.
   */
  static init(file: string, vkey: string, origins: readonly string[]): string[] {
    const isNew = !existsSync(file)
    let state: WitnessState | undefined
    try {
      const made = isNew ? new WitnessState(file) : WitnessState.open(file, vkey)
      state = made
      const added = made.transaction(() => {
        if (isNew) {
          made.#database.exec(CREATE)
          made.#database.prepare('INSERT INTO witness VALUES (?)').run(vkey)
        }
        const add = made.#database.prepare('INSERT OR IGNORE INTO origins VALUES (?)')
        return origins.filter((origin) => add.run(origin).changes > 0)
      })
      made.close()
      if (isNew) syncFolder(dirname(file))
      return added
    } catch (cause) {
      state?.close()
      // Remove the empty file, which would look like a lost state.
      if (isNew) for (const name of [file, `${file}-journal`]) rmSync(name, { force: true })
      throw fileError(cause, file)
    }
  }

  /** @throws {ForeproofError} `not-found`; `refused` for the state of another witness, and for any other file. */
  static open(file: string, vkey: string): WitnessState {
    if (!existsSync(file)) {
      throw new ForeproofError('not-found', `${file}: no such state`, {
        file,
        help: 'A new witness is made with --init. One whose state is lost has to begin with a new key and a new name: with the old ones it could sign a second history.',
      })
    }
    let state: WitnessState | undefined
    let storedKey: unknown
    try {
      state = new WitnessState(file)
      storedKey = state.#database.prepare('SELECT vkey FROM witness').pluck().get()
    } catch (cause) {
      state?.close()
      throw new ForeproofError('refused', `${file}: no state of a witness`, { file, cause })
    }
    if (storedKey === vkey) return state
    state.close()
    throw new ForeproofError('refused', `${file}: the state of another witness, ${storedKey}`, {
      file,
      help: `The key that was given makes ${vkey}.`,
    })
  }

  /** Whether the state contains an origin. */
  has(origin: string): boolean {
    return this.#one('SELECT 1 FROM origins WHERE origin = ?', origin) !== undefined
  }

  /** Runs `act` in a transaction that blocks other writers. When it returns, the changes are durable. */
  transaction<T>(act: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = act()
      this.#database.exec('COMMIT')
      return result
    } catch (cause) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw cause
    }
  }

  newest(origin: string): CosignedCheckpoint | undefined {
    const sql = `SELECT ${COLUMNS} FROM cosigned WHERE origin = ? ORDER BY number DESC LIMIT 1`
    return this.#database.prepare<[string], CosignedCheckpoint>(sql).get(origin)
  }

  /** The size of the first cosigned checkpoint of a log; undefined before the first. */
  firstSize(origin: string): number | undefined {
    const sql = 'SELECT size FROM cosigned WHERE origin = ? ORDER BY number LIMIT 1'
    return this.#one(sql, origin) as number | undefined
  }

  hasCosigned(origin: string, size: number, root: Uint8Array): boolean {
    const sql = 'SELECT 1 FROM cosigned WHERE origin = ? AND size = ? AND root = ?'
    return this.#one(sql, origin, size, root) !== undefined
  }

  /**
   * No new cosignature may be earlier than this time; 0 before the first. Times signed while the clock was ahead do not
   * count.
   */
  lastTime(): number {
    const sql = `SELECT max(time) FROM
      (SELECT time FROM cosigned WHERE number > (SELECT coalesce(max(last_number), 0) FROM clocks)
       UNION ALL SELECT time FROM (SELECT time FROM clocks ORDER BY rowid DESC LIMIT 1))`
    return Number(this.#one(sql) ?? 0)
  }

  /** Records that the clock was ahead: the time it had reached, and the time from which the witness cosigns again. */
  clockWasAhead(ahead: number, time: number): void {
    const sql = 'INSERT INTO clocks SELECT coalesce(max(number), 0), ?, ? FROM cosigned'
    this.#database.prepare(sql).run(ahead, time)
  }

  add(origin: string, { size, root, note, line, time }: CosignedCheckpoint): void {
    const sql = `INSERT INTO cosigned (origin, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`
    this.#database.prepare(sql).run(origin, size, root, note, line, time)
  }

  isLocked(origin: string): boolean {
    return this.#one('SELECT 1 FROM locked WHERE origin = ?', origin) !== undefined
  }

  /**
   * Stops cosigning for an origin, for good. @param note - the checkpoint that showed that the state lacks something.
   */
  lock(origin: string, note: string): void {
    this.#database.prepare('INSERT OR IGNORE INTO locked VALUES (?, ?)').run(origin, note)
  }

  /** Closes its file; rolls back an open transaction. */
  close(): void {
    if (!this.#database.isOpen) return
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
    this.#database.exec('DETACH state')
    this.#database.close()
  }

  #one(sql: string, ...values: unknown[]): unknown {
    return this.#database
      .prepare(sql)
      .pluck()
      .get(...values)
  }
}
