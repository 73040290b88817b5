import { ForeproofError } from '../../contract/error.js'

const SCHEME = /^postgres(?:ql)?:\/\//i
const DEFAULT_SCHEMA = 'foreproof'
/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63
/** In place of a URL that cannot be read: its parts cannot be separated from its password. */
const UNREADABLE = 'postgres://…'

/** A history in PostgreSQL, as its URL names it. */
export interface Address {
  /** What `pg` connects to: a URL that may hold a password. */
  readonly url: string
  /** The same for messages and records: no password, and of the query only the schema. */
  readonly shown: string
  readonly schema: string
  /** Undefined where the URL does not say. */
  readonly pool: number | undefined
  readonly statementTimeoutMs: number | undefined
}

/** Whether a history's name is that of one in PostgreSQL. */
export function isPostgres(name: string): boolean {
  return SCHEME.test(name)
}

/** What messages call a history in PostgreSQL, whether its URL is good or not. */
export function shownAddress(text: string): string {
  const url = readUrl(text)
  if (url === undefined) return UNREADABLE
  const schema = url.searchParams.get('schema')
  const user = url.username === '' ? '' : `${url.username}@`
  const query = schema === null ? '' : `?schema=${encodeURIComponent(schema)}`
  return `postgres://${user}${url.host}${url.pathname}${query}`
}

/**
 * Reads the URL of a history in PostgreSQL. `schema`, `pool` and `statement_timeout_ms` in its query are ours;
 * everything else is as `pg` has it.
 * @throws {ForeproofError} `usage` that never quotes the URL's password.
 */
export function readAddress(text: string): Address {
  const shown = shownAddress(text)
  const url = readUrl(text)
  if (url === undefined) {
    const help =
      'Write it as postgres://user:password@host:5432/database; in user and password write %2F for /, %3F for ?, %23 for #, %40 for @ and %25 for %.'
    throw usage('the URL of the PostgreSQL history cannot be read', help)
  }
  const own = (name: string): string | undefined => {
    const all = url.searchParams.getAll(name)
    if (all.length > 1) throw usage(`${shown}: ${name} is given twice`, 'Give it once.')
    url.searchParams.delete(name)
    return all[0]
  }
  const schema = own('schema') ?? DEFAULT_SCHEMA
  if (!isName(schema)) {
    const help = `Use at most ${LONGEST_NAME} bytes, and no name that begins with pg_.`
    throw usage(`${shown}: no name of a schema`, help)
  }
  const pool = count(shown, 'pool', own('pool'), 1)
  const statementTimeoutMs = count(shown, 'statement_timeout_ms', own('statement_timeout_ms'), 0)
  for (const name of url.searchParams.keys()) demandKnown(shown, name)
  verifyingTls(url)
  return { url: url.href, shown, schema, pool, statementTimeoutMs }
}

/**
 * The parts of a URL; undefined where they are uncertain. An @ after the host is taken for the end
 * of a password in which a / ? or # was not escaped: what comes before it may be part of that password.
 */
function readUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const after = `${url.pathname}${url.search}${url.hash}`
  return url.hash !== '' || after.includes('@') ? undefined : url
}

/** What `pg` reads of a URL's query. It passes over any other name, so a slip in `sslmode` would go unencrypted. */
const OF_CLIENT = [
  ...['host', 'port', 'user', 'password', 'database', 'application_name'],
  ...['fallback_application_name', 'options'],
  ...['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'],
  ...['lock_timeout', 'idle_in_transaction_session_timeout'],
]

function demandKnown(shown: string, name: string): void {
  if (OF_CLIENT.includes(name)) return
  const says = `${shown}: ${JSON.stringify(name)} in the query is no name that is known`
  const names = OF_CLIENT.join(', ')
  throw usage(says, `Use schema, pool, statement_timeout_ms, or one of the client's: ${names}.`)
}

/** `pg` verifies the server's certificate under all of these names, but warns that it may not for ever. */
function verifyingTls(url: URL): void {
  if (url.searchParams.has('uselibpqcompat')) return
  const mode = url.searchParams.get('sslmode') ?? ''
  if (['prefer', 'require', 'verify-ca'].includes(mode)) {
    url.searchParams.set('sslmode', 'verify-full')
  }
}

function isName(name: string): boolean {
  const bytes = Buffer.byteLength(name)
  return bytes > 0 && bytes <= LONGEST_NAME && !name.includes('\0') && !/^pg_/i.test(name)
}

function count(shown: string, name: string, text: string | undefined, least: number) {
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least) return value
  const says = `${shown}: ${name} is not a whole number of at least ${least}`
  throw usage(says, `Write, say, ${name}=${least + 5}.`)
}

function usage(message: string, help: string): ForeproofError {
  return new ForeproofError('usage', message, { help })
}
