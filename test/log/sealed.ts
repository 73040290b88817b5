import { createAuthority, type DemoAuthority } from '../../src/cli/demo/authority.js'
import { createLeafReader } from '../../src/history/leaf.js'
import { checkpointNote } from '../../src/history/seal.js'
import type { CheckpointStamp } from '../../src/log/log-entry.js'
import { openHistoryWriter } from '../../src/store/open.js'
import { encodeQuery } from '../../src/time/rfc3161/structures.js'
import { inTransaction } from '../history/support.js'

/** Stamps the body of a checkpoint. */
export type Stamper = (body: Uint8Array) => CheckpointStamp | Promise<CheckpointStamp>

export const LOG = 'example.org/log'

const NONCE = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)

/** The token of an authority over some bytes. */
export const tokenOver = ({ reply }: DemoAuthority, body: Uint8Array) =>
  reply(encodeQuery(body, NONCE))

/** Stamps of an authority of one's own, which is not pinned. */
export async function stamperOf(authority: string): Promise<Stamper> {
  const made = await createAuthority({ name: authority, now: () => 0 })
  return async (body) => ({ authority, token: await tokenOver(made, body) })
}

/**
 * Seals all rows of a history, as `history seal` does but for the stamps, which come from `stampers`.
 * @param share - of the entries that the checkpoint covers
 */
export async function seal(
  path: string,
  stampers: readonly Stamper[] = [],
  name = LOG,
  share = 1,
): Promise<number> {
  return await inTransaction(openHistoryWriter(path, 0), async (writer) => {
    await writer.appendMissing(createLeafReader())
    if ((await writer.logName()) === undefined) await writer.nameLog(name)
    const size = Math.floor((await writer.logSize()) * share)
    const body = await checkpointNote(writer, name, size)
    await writer.addCheckpoint(size, body)
    for (const stamp of stampers) {
      await writer.addCheckpointStamp(size, await stamp(Buffer.from(body)))
    }
    return size
  })
}
