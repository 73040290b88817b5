import { attemptOf, resourceOf } from '../../../src/forecast/resource.js'
import { checkpointBody } from '../../../src/history/log/checkpoint.js'
import { attemptLeaf, forecastLeaf } from '../../../src/history/log/leaf.js'
import { rootOf } from '../../../src/history/log/merkle.js'
import type { HistoryEntry } from '../../../src/history/store/entry-types.js'
import type { CheckpointStamp, NewLeaf } from '../../../src/history/store/log-types.js'
import { openHistoryWriter } from '../../../src/history/store/open.js'

export const LOG = 'example.org/log'

/** The leaf of a stored row. */
export function leafOfRow({ forecast, attempt }: HistoryEntry): NewLeaf | undefined {
  if (forecast !== undefined) return forecastLeaf(resourceOf(forecast))
  return attempt && attemptLeaf(attemptOf(attempt))
}

/**
 * Seals all rows of a history, as `history seal` does but for the stamps, which are given.
 * @param share - of the entries that the checkpoint covers
 */
export async function seal(
  path: string,
  stamps: readonly CheckpointStamp[] = [],
  name = LOG,
  share = 1,
): Promise<number> {
  const writer = await openHistoryWriter(path, 0)
  await writer.begin()
  await writer.appendMissing(leafOfRow)
  if ((await writer.logName()) === undefined) await writer.nameLog(name)
  const size = Math.floor((await writer.logSize()) * share)
  const root = await rootOf(size, (level, index) => writer.logHash(level, index))
  await writer.addCheckpoint(size, checkpointBody({ origin: name, size, root }))
  for (const stamp of stamps) await writer.addCheckpointStamp(size, stamp)
  await writer.commit()
  await writer.close()
  return size
}
