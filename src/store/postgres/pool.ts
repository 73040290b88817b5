import type pg from 'pg'
import { withTimeout } from '../../files/waiting.js'
import type { SqlTask, Values } from '../dialect.js'
import { type Address, parseAddress } from './address.js'
import { isLost, postgresError } from './faults.js'

/**
 * Asks with values for $1, $2 …; rows come as arrays. A bigint comes as a number, for every instant and count is a
 * safe integer.
 */
export type RunQuery = (sql: string, values?: readonly unknown[]) => Promise<Values[]>

/** Does work, one question after the other. */
export async function runAsync<T>(work: SqlTask<T>, ask: RunQuery): Promise<T> {
  let step = work.next()
  while (step.done !== true) step = work.next(await ask(step.value.sql, step.value.values))
  return step.value
}

export interface PoolLimits {
  /** Most connections at a time, where the URL does not say. Default 2. */
  readonly pool?: number | undefined
  /** How long a statement may take, where the URL does not say; 0, the default, for as long as it takes. */
  readonly statementTimeoutMs?: number | undefined
  /** How long to wait for a connection. Default 5000. */
  readonly connectTimeoutMs?: number | undefined
}

/** Connections that come and go with what is asked; nothing is connected before. */
export interface ServerPool {
  readonly address: Address
  readonly ask: RunQuery
  close(): Promise<void>
}

/** One connection that is the caller's until it ends it. */
export interface Session {
  /** For what is no question, such as COPY; its errors go through `postgresError`. */
  readonly client: pg.Client
  readonly ask: RunQuery
  /** Undoes what is not committed. Never throws, and never waits long. */
  end(): Promise<void>
}

/** For a transaction: no function or operator of others is taken for one of the server's own. */
export const OWN_NAMES_ONLY = 'SET LOCAL search_path = pg_catalog'

const CONNECT_TIMEOUT_MS = 5000
/** The client waits so much longer than the server: a server that answers says better what it was. */
const ANSWER_MS = 1000
const END_MS = 1000

/**
 * A pool that outlives its server: what broke is asked again over another connection.
 * @throws {ForeproofError} `usage` for a URL that says nothing.
 */
export function openPool(url: string, limits: PoolLimits = {}): ServerPool {
  const address = parseAddress(url)
  const max = address.pool ?? limits.pool ?? 2
  let pool: Promise<pg.Pool> | undefined
  return {
    address,
    async ask(sql, values = []) {
      for (let left = max; ; left--) {
        pool ??= makePool(address, limits, max)
        try {
          return await answerOf(await pool, sql, values)
        } catch (cause) {
          // The pool drops a connection that broke; its others may be as old.
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

/** @throws {ForeproofError} when there is no connecting. */
export async function openSession(address: Address, limits: PoolLimits = {}): Promise<Session> {
  let client: pg.Client
  try {
    const { default: driver } = await import('pg')
    client = new driver.Client(clientOptions(driver, address, limits))
    // The next question gets the error.
    client.on('error', () => {})
    await client.connect()
  } catch (cause) {
    throw postgresError(cause, address.shown)
  }
  return {
    client,
    async ask(sql, values = []) {
      try {
        return await answerOf(client, sql, values)
      } catch (cause) {
        throw postgresError(cause, address.shown)
      }
    },
    end: () => ended(client),
  }
}

async function answerOf(
  client: pg.Pool | pg.Client,
  text: string,
  values: readonly unknown[],
): Promise<Values[]> {
  return (await client.query({ text, values: [...values], rowMode: 'array' })).rows
}

async function makePool(address: Address, limits: PoolLimits, max: number): Promise<pg.Pool> {
  const { default: driver } = await import('pg')
  const pool = new driver.Pool({
    ...clientOptions(driver, address, limits),
    max,
    allowExitOnIdle: true,
  })
  // A connection that breaks while it is not in use is gone from the pool: no question was lost.
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
    types: { getTypeParser: parserOf(driver) as pg.CustomTypesConfig['getTypeParser'] },
    ...(statementMs > 0 && {
      statement_timeout: statementMs,
      query_timeout: statementMs + ANSWER_MS,
    }),
  }
}

function parserOf(driver: typeof pg) {
  const { builtins, getTypeParser } = driver.types
  return (type: number, format: 'text' | 'binary' = 'text'): unknown =>
    type === builtins.INT8 ? Number : getTypeParser(type, format as 'text')
}

async function ended(open: pg.Pool | pg.Client): Promise<void> {
  await withTimeout(END_MS, open.end()).catch(() => {})
  if ('unref' in open && typeof open.unref === 'function') open.unref()
}
