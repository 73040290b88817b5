import { ForeproofError, fileError } from '../../contract/error.js'
import { absent, failed, type StoreFault, unavailable, unusable } from '../faults.js'

const RETRY_HELP = 'Look at the server, then run again; a service recovers by itself.'

const UNREACHABLE = unavailable(
  'the PostgreSQL server cannot be reached',
  'Check host and port, and whether the server runs and accepts connections.',
)
const LOST = unavailable('the connection to the PostgreSQL server was lost', RETRY_HELP)
const NOT_INITIALISED = absent(
  'the database has no forecast history',
  'Make its tables with `foreproof history init URL`, or name their schema: ?schema=NAME.',
)
const DENIED = failed(
  'the PostgreSQL server does not let this user in',
  'Check user and password: in the URL, in PGPASSWORD, or in the file that PGPASSFILE names.',
)
const DAMAGED = unusable(
  'damaged: the PostgreSQL server cannot read part of it',
  "Look at the server's log, and restore the database from a copy.",
)
const TOO_SLOW = unavailable(
  'the PostgreSQL server took too long',
  'Look at its load, or allow more time: statement_timeout_ms in the URL.',
)
const FOREIGN = unusable(
  'the tables are not those of a forecast history',
  'Name another schema (?schema=NAME), and make its tables with `foreproof history init URL`.',
)

/** By SQLSTATE. A state without an entry uses that of its class, the first two characters. */
const BY_STATE: Readonly<Record<string, StoreFault>> = {
  '08': LOST,
  '08P01': unavailable(
    'the server, or a pooler before it, refuses how foreproof connects',
    'Behind a pooler set statement_timeout_ms=0 in the URL, and the limit on the user instead (ALTER ROLE).',
  ),
  '22': FOREIGN,
  '23': unusable(
    'the tables take a row that is to be written for one they have',
    'Nothing of the unfinished part was kept. Run again; if it stays, see `foreproof history verify`, and whether someone reset the sequence of the column added.',
  ),
  '25006': failed(
    'it takes no writes: the server is a read replica, or this user may only read',
    'Name the primary server, and a user whose default_transaction_read_only is off.',
  ),
  '25P03': LOST,
  '28': DENIED,
  '3D000': absent(
    'the PostgreSQL server has no such database',
    'Check its name, or make it: createdb NAME.',
  ),
  '3F000': NOT_INITIALISED,
  '40': unavailable(
    'the PostgreSQL server broke it off for the sake of another transaction',
    'Run again.',
  ),
  '42': FOREIGN,
  '42501': failed(
    'this user has no right to the tables of the history',
    'Grant it: USAGE on the schema and SELECT on its tables to read; to write, INSERT, UPDATE and DELETE too; to make them, CREATE on the database.',
  ),
  '42P01': NOT_INITIALISED,
  '53': unavailable(
    'the PostgreSQL server is short of something, such as connections',
    'Look at the server: raise its max_connections, or ask for fewer: pool in the URL.',
  ),
  '53100': failed(
    'no space left on the device of the PostgreSQL server',
    'Free some space and run again: nothing of the unfinished part was kept.',
  ),
  '55P03': unavailable('locked by another writer', 'Wait until it has finished, then run again.'),
  '57': LOST,
  '57014': TOO_SLOW,
  '57P03': unavailable('the PostgreSQL server is starting or stopping', RETRY_HELP),
  XX001: DAMAGED,
  XX002: DAMAGED,
}

/** By error code of Node.js. */
const BY_ERRNO: Readonly<Record<string, StoreFault>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ENOTFOUND: absent('no such host', 'Check the name of the host.'),
  ECONNRESET: LOST,
  EPIPE: LOST,
}

const TLS = failed(
  'no TLS connection to the PostgreSQL server',
  'Check sslmode and sslrootcert in the URL against the certificate of the server.',
)

/** By message of `pg`, for errors without a code. */
const BY_MESSAGE: readonly (readonly [RegExp, StoreFault])[] = [
  [
    /timeout exceeded when trying to connect/,
    unavailable(
      'every connection of the pool is busy',
      'Look at the load of the server, or allow more connections: pool in the URL.',
    ),
  ],
  [/Query read timeout/, TOO_SLOW],
  [/timeout/, UNREACHABLE],
  [/Connection terminated|not queryable|was closed/, LOST],
  [/password/i, DENIED],
  [/SSL|TLS|certificate/i, TLS],
]

/** Whether only the connection was lost, so that the query can run again over a new one. */
export function isLost(cause: unknown): boolean {
  return findFault(cause) === LOST
}

/** Converts an error of `pg` into a ForeproofError that names the history and says what to do. */
export function postgresError(cause: unknown, shown: string): ForeproofError {
  if (cause instanceof ForeproofError) return cause
  const { message, code, syscall, path } = errorParts(cause)
  if (syscall === 'open' && path !== undefined) return fileError(cause, path)
  const [kind, says, help] = findFault(cause) ?? failed('PostgreSQL failed', RETRY_HELP)
  const isSaid = code === undefined || message.includes(code)
  const detail = [message, ...(isSaid ? [] : [code])].filter((part) => part !== '')
  const text = `${shown}: ${says}${detail.length === 0 ? '' : ` (${detail.join(', ')})`}`
  return new ForeproofError(kind, text, { file: shown, help })
}

function findFault(cause: unknown): StoreFault | undefined {
  const { message, code } = errorParts(cause)
  if (code !== undefined) {
    const fault = BY_ERRNO[code]
    if (fault !== undefined) return fault
    if (/^[0-9A-Z]{5}$/.test(code)) return BY_STATE[code] ?? BY_STATE[code.slice(0, 2)]
    if (/CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code)) return TLS
  }
  return BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]
}

function errorParts(cause: unknown) {
  const { message, code, syscall, path } = (cause ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    message: text(message) ?? String(cause),
    code: text(code),
    syscall: text(syscall),
    path: text(path),
  }
}
