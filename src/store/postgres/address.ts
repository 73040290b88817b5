import { ForeproofError } from '../../contract/error.js'
import { withoutSecrets } from '../../contract/secrets.js'

const SCHEME = /^postgres(?:ql)?:\/\//i
const DEFAULT_SCHEMA = 'foreproof'
/** PostgreSQL cuts longer names off. */
const MAX_NAME_CHARACTERS = 63

/** A history in PostgreSQL, as its URL names it. */
export interface Address {
  /** The URL for `pg`; it may hold a password. */
  readonly url: string
  /** For messages and records: only host, database and schema. */
  readonly shown: string
  readonly schema: string
  /** Undefined if the URL does not set it. */
  readonly pool: number | undefined
  readonly statementTimeoutMs: number | undefined
}

/** Whether the name of a history is a PostgreSQL URL. */
export function isPostgres(name: string): boolean {
  return SCHEME.test(name)
}

/** The name of a PostgreSQL history in messages, even if its URL is invalid. */
export function displayAddress(text: string): string {
  const url = parseUrl(text)
  const schema = url?.searchParams.get('schema') ?? null
  const query = schema === null ? '' : `?schema=${encodeURIComponent(schema)}`
  const address = withoutSecrets(text).replace(SCHEME, 'postgres://')
  return `${address.replace(/\?…$/, '')}${query}`
}

/**
 * Parses the URL of a PostgreSQL history. The parameters `schema`, `pool` and `statement_timeout_ms` are ours; `pg`
 * defines the others.
 * @throws {ForeproofError} `usage` that never quotes the URL's password.
 */
export function parseAddress(text: string): Address {
  const shown = displayAddress(text)
  const url = parseUrl(text)
  if (url === undefined) {
    const help =
      'Write it as postgres://user:password@host:5432/database; in user and password write %2F for /, %3F for ?, %23 for #, %40 for @ and %25 for %.'
    throw usage('the URL of the PostgreSQL history cannot be read', help)
  }
  const get = (name: string): string | undefined => {
    const all = url.searchParams.getAll(name)
    if (all.length > 1) throw usage(`${shown}: ${name} is given twice`, 'Give it once.')
    url.searchParams.delete(name)
    return all[0]
  }
  const schema = get('schema') ?? DEFAULT_SCHEMA
  if (!isName(schema)) {
    const help = `Use at most ${MAX_NAME_CHARACTERS} bytes, and no name that begins with pg_.`
    throw usage(`${shown}: no name of a schema`, help)
  }
  const pool = count(shown, 'pool', get('pool'), 1)
  const statementTimeoutMs = count(shown, 'statement_timeout_ms', get('statement_timeout_ms'), 0)
  for (const [name, value] of url.searchParams) assertParameter(shown, name, value)
  verifyingTls(url)
  return { url: url.href, shown, schema, pool, statementTimeoutMs }
}

/**
 * Parses a URL; undefined if its parts are uncertain. An @ after the host probably ends a password with an unescaped
 * / ? or #, so we must not show what comes before it.
 */
function parseUrl(given: string): URL | undefined {
  const text = withHost(given)
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const after = `${url.pathname}${url.search}${url.hash}`
  return url.hash !== '' || after.includes('@') ? undefined : url
}

/** libpq's form for a socket, `postgres://user:password@/database?host=/folder`, as a URL: the user goes into the query. */
function withHost(text: string): string {
  const [, scheme, user, password, rest = ''] = SOCKET_FORM.exec(text) ?? []
  if (user === undefined) return text
  const query = `user=${user}${password === undefined ? '' : `&password=${password}`}`
  return `${scheme}/${rest}${rest.includes('?') ? '&' : '?'}${query.replaceAll('+', '%2B')}`
}

const SOCKET_FORM = /^(postgres(?:ql)?:\/\/)([^:@/?#&]*)(?::([^@/?#&]*))?@\/(.*)$/is

/**
 * Parameters that `pg` reads. It ignores unknown names, so a typo in `sslmode` would silently turn off encryption.
 */
const CLIENT_PARAMETERS = [
  ...['host', 'port', 'user', 'password', 'database', 'application_name'],
  ...['fallback_application_name', 'options'],
  ...['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'],
  ...['lock_timeout', 'idle_in_transaction_session_timeout'],
]

/** Parameters of libpq that `pg` does not support, and what to write instead. */
const LIBPQ_PARAMETERS: Readonly<Record<string, string>> = {
  channel_binding:
    'Leave it out. The client does not bind channels; sslmode=verify-full verifies the server by its certificate.',
  uselibpqcompat:
    'Leave it out. Every sslmode that encrypts verifies the server here; no-verify alone does not, and says so.',
}
const TLS_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * An empty value usually comes from an unset variable: `sslmode=` would silently turn off encryption.
 */
function assertParameter(shown: string, name: string, value: string): void {
  if (CLIENT_PARAMETERS.includes(name)) {
    if (value === '') throw usage(`${shown}: ${name} is empty`, 'Give it a value, or leave it out.')
    if (name !== 'sslmode' || TLS_MODES.includes(value)) return
    throw usage(`${shown}: sslmode is none of its values`, `Give one of ${TLS_MODES.join(', ')}.`)
  }
  const help = Object.hasOwn(LIBPQ_PARAMETERS, name) ? LIBPQ_PARAMETERS[name] : undefined
  if (help !== undefined) throw usage(`${shown}: ${name} is not supported`, help)
  const message = `${shown}: ${JSON.stringify(withoutSecrets(name))} in the query is no name that is known`
  const names = CLIENT_PARAMETERS.join(', ')
  throw usage(message, `Use schema, pool, statement_timeout_ms, or one of the client's: ${names}.`)
}

/**
 * `pg` verifies the server's certificate for all of these values today, but warns that this may change.
 */
function verifyingTls(url: URL): void {
  const mode = url.searchParams.get('sslmode') ?? ''
  if (['prefer', 'require', 'verify-ca'].includes(mode)) {
    url.searchParams.set('sslmode', 'verify-full')
  }
}

function isName(name: string): boolean {
  const bytes = Buffer.byteLength(name)
  return bytes > 0 && bytes <= MAX_NAME_CHARACTERS && !name.includes('\0') && !/^pg_/i.test(name)
}

function count(shown: string, name: string, text: string | undefined, min: number) {
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min) return value
  const message = `${shown}: ${name} is not a whole number of at least ${min}`
  throw usage(message, `Write, say, ${name}=${min + 5}.`)
}

function usage(message: string, help: string): ForeproofError {
  return new ForeproofError('usage', message, { help })
}
