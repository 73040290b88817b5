import type pg from 'pg'
import { withTimeout } from '../../files/waiting.js'
import type { SqlTask, Values } from '../dialect.js'
import { type Address, parseAddress } from './address.js'
import { isLost, postgresError } from './faults.js'

/**
 * Runs SQL with values for $1, $2 …; rows come as arrays. A bigint comes as a number: every instant and count is a
 * safe integer.
 */
export type RunQuery = (sql: string, values?: readonly unknown[]) => Promise<Values[]>

/** Runs a task, one statement after the other. */
export async function runAsync<T>(work: SqlTask<T>, ask: RunQuery): Promise<T> {
  let step = work.next()
  while (step.done !== true) step = work.next(await ask(step.value.sql, step.value.values))
  return step.value
}

export interface PoolLimits {
  /** Maximum number of connections, if the URL sets none. Default 2. */
  readonly pool?: number | undefined
  /** Timeout of a statement, if the URL sets none. Default 0: no limit. */
  readonly statementTimeoutMs?: number | undefined
  /** How long to wait for a connection. Default 5000. */
  readonly connectTimeoutMs?: number | undefined
}

/** Connections that open only when they are needed. */
export interface ServerPool {
  readonly address: Address
  readonly ask: RunQuery
  close(): Promise<void>
}

/** One connection, owned by the caller until it is closed. */
export interface Session {
  /** For operations other than queries, such as COPY; convert errors with `postgresError`. */
  readonly client: pg.Client
  readonly ask: RunQuery
  /** Rolls back and closes. Never throws, and never waits long. */
  end(): Promise<void>
}

/**
 * For a transaction: functions and operators of other schemas must not shadow those of the server.
 */
export const OWN_NAMES_ONLY = 'SET LOCAL search_path = pg_catalog'

const CONNECT_TIMEOUT_MS = 5000
/** The client waits this much longer than the server, because the error of the server says more. */
const ANSWER_MS = 1000
const END_MS = 1000

/**
 * A pool that survives restarts of its server: a query on a lost connection runs again on another.
 * @throws {ForeproofError} `usage` for an invalid URL.
 */
export function openPool(url: string, limits: PoolLimits = {}): ServerPool {
  const address = parseAddress(url)
  const max = address.pool ?? limits.pool ?? 2
  let pool: Promise<pg.Pool> | undefined
  return {
    address,
    async ask(sql, values = []) {
      for (let left = max; ; left--) {
        pool ??= createPool(address, limits, max)
        try {
          return await runQuery(await pool, sql, values)
        } catch (cause) {
          // The pool drops the lost connection, but its others may be lost, too.
          if (left === 0 || !isLost(cause)) throw postgresError(cause, address.shown)
        }
      }
    },
    async close() {
      const last = await pool
      pool = undefined
      if (last !== undefined) await ended(last)
    },
  }
}

/** @throws {ForeproofError} if the connection fails. */
export async function openSession(address: Address, limits: PoolLimits = {}): Promise<Session> {
  let client: pg.Client
  try {
    const { default: driver } = await import('pg')
    client = new driver.Client(clientOptions(driver, address, limits))
    // The next query gets the error.
    client.on('error', () => {})
    await client.connect()
  } catch (cause) {
    throw postgresError(cause, address.shown)
  }
  return {
    client,
    async ask(sql, values = []) {
      try {
        return await runQuery(client, sql, values)
      } catch (cause) {
        throw postgresError(cause, address.shown)
      }
    },
    end: () => ended(client),
  }
}

async function runQuery(
  client: pg.Pool | pg.Client,
  text: string,
  values: readonly unknown[],
): Promise<Values[]> {
  return (await client.query({ text, values: [...values], rowMode: 'array' })).rows
}

async function createPool(address: Address, limits: PoolLimits, max: number): Promise<pg.Pool> {
  const { default: driver } = await import('pg')
  const pool = new driver.Pool({
    ...clientOptions(driver, address, limits),
    max,
    allowExitOnIdle: true,
  })
  // The pool removes an idle connection that breaks; no query was lost.
  pool.on('error', () => {})
  return pool
}

function clientOptions(driver: typeof pg, address: Address, limits: PoolLimits): pg.ClientConfig {
  const statementMs = address.statementTimeoutMs ?? limits.statementTimeoutMs ?? 0
  return {
    connectionString: address.url,
    connectionTimeoutMillis: limits.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'foreproof',
    types: { getTypeParser: createParser(driver) as pg.CustomTypesConfig['getTypeParser'] },
    ...(statementMs > 0 && {
      statement_timeout: statementMs,
      query_timeout: statementMs + ANSWER_MS,
    }),
  }
}

function createParser(driver: typeof pg) {
  const { builtins, getTypeParser } = driver.types
  return (type: number, format: 'text' | 'binary' = 'text'): unknown =>
    type === builtins.INT8 ? Number : getTypeParser(type, format as 'text')
}

async function ended(open: pg.Pool | pg.Client): Promise<void> {
  await withTimeout(END_MS, open.end()).catch(() => {})
  if ('unref' in open && typeof open.unref === 'function') open.unref()
}
