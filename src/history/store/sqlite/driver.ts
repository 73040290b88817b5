import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { ForeproofError } from '../../../contract/error.js'

const require = createRequire(import.meta.url)

/** What Node says of a package that is not there or has no binary for this system or version. */
const ABSENT = /^(MODULE_NOT_FOUND|ERR_DLOPEN_FAILED)$|^Could not locate the bindings file/

/**
 * Node 24.19 and later abort the whole process when a native object of better-sqlite3 is collected
 * ("RemoveEnvironmentCleanupHook: (env) != nullptr"). There, and only there, databases, statements
 * and cursors are kept until the process ends: some hundred bytes each, for statements are prepared
 * once and files reopened seldom.
 */
const KEPT = collectsUnsafely(process.versions.node) ? new Set<object>() : undefined

export function collectsUnsafely(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 19)
}

/**
 * Opens a database as better-sqlite3 does. That package is optional, for it has a native part: it is
 * loaded here and nowhere else, so that what needs no history runs without it.
 * @throws {ForeproofError} `unavailable` where it is not installed.
 */
export function openSqlite(file: string | Buffer, options: Sqlite.Options = {}): Sqlite.Database {
  let db: Sqlite.Database
  try {
    db = new (require('better-sqlite3') as typeof Sqlite)(file, options)
  } catch (cause) {
    throw absentError(cause) ?? cause
  }
  return KEPT === undefined ? db : keeping(db, KEPT)
}

/** Throws as `openSqlite` does where it could open nothing: the native part is loaded by the first opening. */
export function requireSqlite(): void {
  openSqlite(':memory:').close()
}

function absentError(cause: unknown): ForeproofError | undefined {
  const { code, message } = cause as NodeJS.ErrnoException
  if (!ABSENT.test(code ?? '') && !ABSENT.test(message)) return undefined
  return new ForeproofError('unavailable', 'a history needs SQLite, which is not installed', {
    help: 'Run: npm install better-sqlite3@12 (without a prebuilt binary for this system, it needs Python and a C++ compiler)',
    cause,
  })
}

/** Has everything native that a database hands out held in `kept`. */
export function keeping(db: Sqlite.Database, kept: Set<object>): Sqlite.Database {
  kept.add(db)
  const prepare = db.prepare.bind(db)
  const keptPrepare = (sql: string): Sqlite.Statement => {
    const statement = prepare(sql)
    kept.add(statement)
    const iterate = statement.iterate.bind(statement)
    statement.iterate = (...parameters: unknown[]) => {
      const cursor = iterate(...parameters)
      kept.add(cursor)
      return cursor
    }
    return statement
  }
  db.prepare = keptPrepare as typeof db.prepare
  // better-sqlite3 prepares pragmas past `prepare`; here each is prepared once.
  const pragmas = new Map<string, Sqlite.Statement>()
  db.pragma = (source: string, options?: Sqlite.PragmaOptions): unknown => {
    const statement = pragmas.get(source) ?? keptPrepare(`PRAGMA ${source}`)
    pragmas.set(source, statement)
    if (!statement.reader) return statement.run()
    return options?.simple ? statement.pluck(true).get() : statement.pluck(false).all()
  }
  return db
}
