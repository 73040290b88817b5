import { ForeproofError } from '../contract/error.js'
import { instantOf } from '../contract/instant.js'
import { attemptOf, normalTimestamp, resourceOf } from '../forecast/resource.js'
import type { LogProof } from '../log/check-proof.js'
import { inclusionProof, leafHash, sameHash } from '../log/merkle.js'
import type { LogEntry, LogKey, StoredCheckpoint } from '../log/types.js'
import type { HistoryEntry, HistoryReader } from '../store/types.js'
import { attemptEntry, forecastEntry, nameOfLeaf } from './leaf.js'

const KEY = /^(.+?(?:Z|[+-]\d\d:\d\d)):(.+):([1-9]\d{0,8})$/s

/**
 * Proves that the entry of a key is in a log: under the first stamped checkpoint that covers it,
 * or the first at all.
 * @param id - as `forecast_id`: origin, model and horizon with colons between them.
 * @param log - a log that is mirrored, by its name; without it the history's own.
 * @throws {ForeproofError} `usage` for what is no such key; `not-found` where the log has no entry of it;
 * `refused` where the entry is in no checkpoint yet, or its row is another now.
 */
export async function proveEntry(
  reader: HistoryReader,
  id: string,
  log?: string,
): Promise<Omit<LogProof, 'anchors'>> {
  const [, origin, model = '', horizon] = KEY.exec(id) ?? []
  const originAt = normalTimestamp(origin)
  if (originAt === undefined) {
    throw new ForeproofError('usage', `${id}: not the key of a forecast`, {
      help: 'A key is ORIGIN:MODEL:HORIZON, such as 2026-01-02T03:00:00+00:00:seer:24.',
    })
  }
  const stored = { originAt, model, horizonHours: Number(horizon) }
  const entry =
    (await reader.logEntry({ ...stored, kind: 'forecast' }, log)) ??
    (await reader.logEntry({ ...stored, kind: 'attempt' }, log))
  if (entry?.key === undefined) {
    throw new ForeproofError('not-found', `${reader.path}: the log has no entry of ${id}`, {
      help: '`foreproof history seal` appends rows that have none.',
    })
  }
  const checkpoint = await checkpointOver(reader, entry, log)
  const { size, note, stamps } = checkpoint
  const path = await inclusionProof(entry.index, size, (level, index) =>
    reader.logHash(level, index, log),
  )
  return {
    proof_version: 1,
    index: entry.index,
    entry: await textOf(reader, entry, entry.key),
    path: path.map((hash) => Buffer.from(hash).toString('hex')),
    checkpoint: note,
    stamps: stamps.map(({ authority, token }) => ({
      authority,
      token: Buffer.from(token).toString('base64'),
    })),
  }
}

async function checkpointOver(
  reader: HistoryReader,
  { index }: LogEntry,
  log: string | undefined,
): Promise<StoredCheckpoint> {
  let first: StoredCheckpoint | undefined
  for await (const checkpoint of reader.checkpoints(log, index + 1)) {
    if (checkpoint.stamps.length > 0) return checkpoint
    first ??= checkpoint
  }
  if (first !== undefined) return first
  throw new ForeproofError('refused', `${reader.path}: entry ${index} is in no checkpoint yet`, {
    help: 'Run: foreproof history seal',
  })
}

/** The text of an entry, from its row. */
async function textOf(reader: HistoryReader, entry: LogEntry, key: LogKey): Promise<string> {
  for (const row of await rowsOf(reader, key)) {
    const text =
      key.kind === 'forecast'
        ? row.forecast && forecastEntry(resourceOf(row.forecast))
        : row.attempt && attemptEntry(attemptOf(row.attempt))
    if (text !== undefined && sameHash(leafHash(text), entry.leaf)) return text
  }
  const row = nameOfLeaf(key)
  throw new ForeproofError(
    'refused',
    `${reader.path}: ${row} is not what entry ${entry.index} was`,
    {
      help: 'The row was changed or taken out. `foreproof history verify` says more.',
    },
  )
}

async function rowsOf(reader: HistoryReader, key: LogKey): Promise<HistoryEntry[]> {
  const origin = instantOf(key.originAt)
  const rows: HistoryEntry[] = []
  const only = key.kind === 'forecast' ? 'forecasts' : 'attempts'
  for await (const batch of reader.entries({ from: origin, to: origin, only })) {
    for (const row of batch) {
      const { model, horizonHours } = row.forecast ?? row.attempt ?? {}
      if (model === key.model && horizonHours === key.horizonHours) rows.push(row)
    }
  }
  return rows
}
