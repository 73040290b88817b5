import { formatStored, type Instant, instantOf } from '../../../contract/instant.js'
import type { StoredKey } from '../entry-types.js'
import { type HistoryWriter, RefusedRow } from '../types.js'
import { readAddress } from './address.js'
import { openCopier } from './copy.js'
import { KnownRows } from './known.js'
import { readLayout } from './layout.js'
import { writeLogs } from './log-writer.js'
import { explained } from './logs.js'
import { appendMissing } from './missing-entries.js'
import { attemptValues, forecastValues, originValues } from './new-rows.js'
import { type Ask, openSession, type Session } from './pool.js'
import { quotedName } from './tables.js'
import { openTransaction } from './transaction.js'

/** Some 300 kB of rows: far fewer would be all ways to and fro, more would only take memory. */
const KEYS_AT_ONCE = 500

/**
 * Opens a history in PostgreSQL for writing rows and logs; see `openHistoryWriter`. Rows are collected and
 * go by COPY while those after them are read.
 */
export async function openPostgresWriter(url: string, now: Instant): Promise<HistoryWriter> {
  const address = readAddress(url)
  const session = await openSession(address)
  try {
    await readLayout(session.ask, address.schema, address.shown)
  } catch (cause) {
    await session.end()
    throw cause
  }
  return createWriter(session, address.schema, address.shown, formatStored(now))
}

function createWriter(
  session: Session,
  schema: string,
  shown: string,
  seenAt: string,
): HistoryWriter {
  const transaction = openTransaction(session, schema, shown)
  const copier = openCopier(session, schema, shown)
  /** Asks when what was sent has arrived: what went wrong with it is told first. */
  const ask: Ask = async (sql, values) => {
    await copier.arrived()
    return await session.ask(sql, values)
  }
  const known = new KnownRows(ask, schema)
  const logs = writeLogs(ask, copier, schema, shown)
  const told = <T>(answer: Promise<T>): Promise<T> => explained(answer, shown)
  const meta = `${quotedName(schema)}.meta`
  let expected: readonly StoredKey[] = []

  /** Everything written so far is in the tables. */
  const written = async (): Promise<void> => {
    await copier.send()
    await copier.arrived()
  }
  const learnExpected = async (): Promise<void> => {
    const keys = expected
    expected = []
    await known.learn(keys)
  }
  const entryOf = async (key: StoredKey) => known.entry(key) ?? (await learnt(key))
  const learnt = async (key: StoredKey) => {
    if (expected.length > 0) await learnExpected()
    if (known.entry(key) === undefined) {
      await written()
      await known.learn([key])
    }
    const entry = known.entry(key)
    if (entry === undefined) throw new Error('a key that was asked about is not known')
    return entry
  }
  const originOf = async (originAt: unknown) => {
    const origin = instantOf(originAt)
    if (origin === undefined) return undefined
    if (known.origin(origin) === undefined && expected.length > 0) await learnExpected()
    if (known.origin(origin) === undefined) {
      await written()
      await known.learnOrigins([origin])
    }
    return known.origin(origin)?.row
  }
  const note = async (key: string, text: string): Promise<void> => {
    await ask(
      `INSERT INTO ${meta} VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [key, text],
    )
  }
  const noted = async (key: string): Promise<string | undefined> => {
    const [row] = await ask(`SELECT value FROM ${meta} WHERE key = $1`, [key])
    return row && String(row[0])
  }
  return {
    path: shown,
    keysAtOnce: KEYS_AT_ONCE,
    async begin() {
      known.clear()
      logs.begin()
      await transaction.begin()
    },
    async commit() {
      await written()
      await transaction.commit()
    },
    async rollback() {
      await copier.drop()
      await transaction.rollback()
    },
    close: () => session.end(),
    async expect(keys) {
      expected = keys
      if (!transaction.isOpen) return
      known.next()
      await learnExpected()
      // Rows of the batch before arrive while those of this one are read.
      await copier.send()
    },
    origin: originOf,
    async addOrigin(row) {
      const values = originValues(row, seenAt)
      copier.add('origins', values)
      known.addOrigin(Number(values[0]), row)
    },
    forecast: async (key) => (await entryOf(key)).forecast,
    attempt: async (key) => (await entryOf(key)).attempt,
    async addForecast(row) {
      const entry = await entryOf(row)
      if (entry.forecast !== undefined) return false
      const origin = await originOf(row.originAt)
      if (origin === undefined) throw new RefusedRow(`there is no origin ${row.originAt}`)
      copier.add('forecasts', forecastValues(row, origin))
      // As a reader would say it: the run of a resource is in the resource.
      const { runId, ...columns } = row
      entry.forecast = { ...columns, origin }
      await copier.flow()
      return true
    },
    async addAttempt(row) {
      const entry = await entryOf(row)
      if (entry.attempt !== undefined) throw new RefusedRow('the key has an attempt already')
      copier.add('attempts', attemptValues(row))
      entry.attempt = row
      await copier.flow()
    },
    note,
    noted,
    logName: () => logs.name(),
    nameLog: (name) => logs.setName(name),
    async logSize(log) {
      await written()
      return await told(logs.size(log))
    },
    async logEntry(key, log) {
      await written()
      return await told(logs.entry(key, log))
    },
    async logHash(level, index, log) {
      await written()
      return await told(logs.hash(level, index, log))
    },
    newestCheckpoint: (log) => told(logs.newestCheckpoint(log)),
    async appendLeaf(leaf, log) {
      const index = await told(logs.append(leaf, log))
      await copier.flow()
      return index
    },
    async appendMissing(leafOf) {
      await written()
      const source = {
        ask,
        schema,
        async rows(keys: readonly StoredKey[]) {
          known.next()
          await known.learn(keys)
          return await Promise.all(keys.map(entryOf))
        },
        async has(key: Parameters<typeof logs.entry>[0]) {
          await written()
          return (await logs.entry(key, undefined)) !== undefined
        },
        async append(leaf: Parameters<typeof logs.append>[0]) {
          await logs.append(leaf, undefined)
          await copier.flow()
        },
        note,
        noted,
      }
      return await appendMissing(source, leafOf)
    },
    addCheckpoint: (size, text, log) => logs.addCheckpoint(size, text, log),
    addCheckpointStamp: (size, stamp, log) => logs.addStamp(size, stamp, log),
    dropCheckpointStamp: (size, authority, log) => logs.dropStamp(size, authority, log),
  }
}
