import { isDeepStrictEqual } from 'node:util'
import { ForeproofError } from '../contract/error.js'
import { parseInstant } from '../contract/instant.js'
import { canonicalize } from '../document/canonical.js'
import { normalTimestamp, toAttempt, toResource } from '../forecast/resource.js'
import type { LogProof } from '../log/check-proof.js'
import type { LogEntry, LogKey, StoredCheckpoint, StoredKey } from '../log/log-entry.js'
import { inclusionProof, leafHash, sameHash } from '../log/merkle.js'
import { type HistoryReader, type RowVersion, rowsIn } from '../store/history-reader.js'
import { forecastEntry, leafName } from './leaf.js'

/** Series, origin and horizon have no commas; a model may. */
const SERIES_ID = /^([^,]+),([^,]+),(-?\d{1,9}),(.+)$/s
const KEY = /^(.+?(?:Z|[+-]\d\d:\d\d)):(.+):([1-9]\d{0,8})$/s

/**
 * Makes a proof that the entry of a key is in a log: under the first stamped checkpoint that covers it, otherwise the
 * first.
 * @param id - as `forecast_id`: origin, model and horizon with colons between them; of any series its id, origin,
 * horizon and model with commas between them.
 * @throws {ForeproofError} `usage` for an invalid key; `not-found` if the log has no entry of it; `refused` if no
 * checkpoint covers the entry yet, or its row has changed.
 */
export async function createEntryProof(
  reader: HistoryReader,
  id: string,
): Promise<Omit<LogProof, 'anchors'>> {
  const stored = parseForecastId(id, await reader.rowVersion())
  const entry =
    (await reader.logEntry({ ...stored, kind: 'forecast' })) ??
    (await reader.logEntry({ ...stored, kind: 'attempt' }))
  if (entry?.key === undefined) {
    throw new ForeproofError('not-found', `${reader.path}: the log has no entry of ${id}`, {
      help: '`foreproof history seal` appends rows that have none.',
    })
  }
  const checkpoint = await checkpointOver(reader, entry)
  const { size, note, stamps } = checkpoint
  const path = await inclusionProof(entry.index, size, (level, index) =>
    reader.logHash(level, index),
  )
  return {
    proof_version: 1,
    index: entry.index,
    entry: await readEntryText(reader, entry, entry.key),
    path: path.map((hash) => Buffer.from(hash).toString('hex')),
    checkpoint: note,
    stamps: stamps.map(({ authority, token }) => ({
      authority,
      token: Buffer.from(token).toString('base64'),
    })),
  }
}

/** @throws {ForeproofError} `usage`. */
function parseForecastId(id: string, version: RowVersion): StoredKey {
  if (version === 2) {
    const [, series, originAt = '', steps, model = ''] = SERIES_ID.exec(id) ?? []
    if (series !== undefined) return { series, originAt, horizonHours: Number(steps), model }
  } else {
    const [, origin, model = '', horizon] = KEY.exec(id) ?? []
    const originAt = normalTimestamp(origin)
    if (originAt !== undefined) return { originAt, model, horizonHours: Number(horizon) }
  }
  throw new ForeproofError('usage', `${id}: not the key of a forecast`, {
    help:
      version === 2
        ? 'A key is SERIES,ORIGIN,HORIZON,MODEL, such as US,2026-W02,-1,seer.'
        : 'A key is ORIGIN:MODEL:HORIZON, such as 2026-01-02T03:00:00+00:00:seer:24.',
  })
}

async function checkpointOver(
  reader: HistoryReader,
  { index }: LogEntry,
): Promise<StoredCheckpoint> {
  let first: StoredCheckpoint | undefined
  for await (const checkpoint of reader.checkpoints(index + 1)) {
    if (checkpoint.stamps.length > 0) return checkpoint
    first ??= checkpoint
  }
  if (first !== undefined) return first
  throw new ForeproofError('refused', `${reader.path}: entry ${index} is in no checkpoint yet`, {
    help: 'Run: foreproof history seal',
  })
}

/** The text of an entry, from its row. */
async function readEntryText(reader: HistoryReader, entry: LogEntry, key: LogKey): Promise<string> {
  const texts = key.series === undefined ? hourlyTexts(reader, key) : seriesTexts(reader, key)
  for await (const text of texts) if (sameHash(leafHash(text), entry.leaf)) return text
  const row = leafName(key)
  throw new ForeproofError(
    'refused',
    `${reader.path}: ${row} is not what entry ${entry.index} was`,
    {
      help: 'The row was changed or taken out. `foreproof history verify` says more.',
    },
  )
}

async function* seriesTexts(reader: HistoryReader, key: LogKey): AsyncGenerator<string> {
  for await (const batch of reader.seriesEntries({
    series: key.series ?? '',
    from: key.originAt,
    to: key.originAt,
  })) {
    for (const row of batch) if (isDeepStrictEqual(row.key, key)) yield row.entry
  }
}

async function* hourlyTexts(reader: HistoryReader, key: LogKey): AsyncGenerator<string> {
  const origin = parseInstant(key.originAt)
  const only = key.kind === 'forecast' ? 'forecasts' : 'attempts'
  for await (const batch of reader.entries({ from: origin, to: origin, only })) {
    for (const row of rowsIn(batch)) {
      if (row.model !== key.model || row.horizonHours !== key.horizonHours) continue
      yield 'status' in row ? canonicalize(toAttempt(row)) : forecastEntry(toResource(row))
    }
  }
}
