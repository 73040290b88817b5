import { attemptOf, resourceOf } from '../../../src/forecast/resource.js'
import { checkpointBody } from '../../../src/history/log/checkpoint.js'
import { attemptEntry, forecastEntry } from '../../../src/history/log/entry.js'
import { leafHash, rootOf } from '../../../src/history/log/merkle.js'
import type { HistoryEntry } from '../../../src/history/store/entry-types.js'
import type { CheckpointStamp, NewLeaf } from '../../../src/history/store/log-types.js'
import { openHistoryWriter } from '../../../src/history/store/open.js'

export const LOG = 'example.org/log'

/** The leaf of a stored row. */
export function leafOfRow({ forecast, attempt }: HistoryEntry): NewLeaf | undefined {
  if (forecast !== undefined) {
    const resource = resourceOf(forecast)
    const { origin_at: originAt, model, horizon_hours: horizonHours } = resource
    const key = { kind: 'forecast', originAt, model: model.name, horizonHours } as const
    return { leaf: leafHash(forecastEntry(resource)), key }
  }
  if (attempt === undefined) return undefined
  const line = attemptOf(attempt)
  const { origin_at: originAt, model_name: model, horizon_hours: horizonHours } = line
  const key = { kind: 'attempt', originAt, model, horizonHours } as const
  return { leaf: leafHash(attemptEntry(line)), key }
}

/** Seals all rows of a history, as `history seal` does but for the stamps, which are made up. */
export async function seal(
  path: string,
  stamps: readonly CheckpointStamp[] = [],
  name = LOG,
): Promise<number> {
  const writer = await openHistoryWriter(path, 0)
  await writer.begin()
  await writer.appendMissing(leafOfRow)
  if ((await writer.logName()) === undefined) await writer.nameLog(name)
  const size = await writer.logSize()
  const root = await rootOf(size, (level, index) => writer.logHash(level, index))
  await writer.addCheckpoint(size, checkpointBody({ origin: name, size, root }))
  for (const stamp of stamps) await writer.addCheckpointStamp(size, stamp)
  await writer.commit()
  await writer.close()
  return size
}
