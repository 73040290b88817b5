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
import { openSession, type Session } from './pool.js'
import { quotedName } from './tables.js'
import { openTransaction } from './transaction.js'

/** About a megabyte of rows: fewer would mean more round trips, more would only take memory. */
const KEYS_AT_ONCE = 2000

/**
 * Opens a history in PostgreSQL for writing rows and logs; see `openHistoryWriter`. Rows are collected and
 * go by COPY, a batch at a time.
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
  const { ask } = session
  const known = new KnownRows(ask, schema)
  const logs = writeLogs(ask, copier, schema, shown)
  const told = <T>(answer: Promise<T>): Promise<T> => explained(answer, shown)
  const meta = `${quotedName(schema)}.meta`
  let expected: readonly StoredKey[] = []

  const sendWhereFull = async (): Promise<void> => {
    if (copier.isFull) await copier.send()
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
      await copier.send()
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
      await copier.send()
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
      await copier.send()
      await transaction.commit()
    },
    async rollback() {
      copier.drop()
      await transaction.rollback()
    },
    close: () => session.end(),
    async expect(keys) {
      expected = keys
      if (!transaction.isOpen) return
      await copier.send()
      known.clear()
      await learnExpected()
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
      entry.forecast = { ...row, origin }
      await sendWhereFull()
      return true
    },
    async addAttempt(row) {
      const entry = await entryOf(row)
      if (entry.attempt !== undefined) throw new RefusedRow('the key has an attempt already')
      copier.add('attempts', attemptValues(row))
      entry.attempt = row
      await sendWhereFull()
    },
    note,
    noted,
    logName: () => logs.name(),
    nameLog: (name) => logs.setName(name),
    async logSize(log) {
      await copier.send()
      return await told(logs.size(log))
    },
    async logEntry(key, log) {
      await copier.send()
      return await told(logs.entry(key, log))
    },
    async logHash(level, index, log) {
      await copier.send()
      return await told(logs.hash(level, index, log))
    },
    newestCheckpoint: (log) => told(logs.newestCheckpoint(log)),
    async appendLeaf(leaf, log) {
      const index = await told(logs.append(leaf, log))
      await sendWhereFull()
      return index
    },
    async appendMissing(leafOf) {
      await copier.send()
      const source = {
        ask,
        schema,
        async rows(keys: readonly StoredKey[]) {
          known.clear()
          await known.learn(keys)
          return await Promise.all(keys.map(entryOf))
        },
        async has(key: Parameters<typeof logs.entry>[0]) {
          await copier.send()
          return (await logs.entry(key, undefined)) !== undefined
        },
        async append(leaf: Parameters<typeof logs.append>[0]) {
          await logs.append(leaf, undefined)
          await sendWhereFull()
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
