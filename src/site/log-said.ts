import { type Instant, MICROS_PER_SECOND } from '../contract/instant.js'
import { readCheckpoint } from '../log/checkpoint.js'
import { cosigners } from '../log/cosignature.js'
import {
  isOfLog,
  liarsNeeded,
  type Policy,
  quorumText,
  UNWITNESSED,
  witnessedAt,
} from '../log/policy.js'
import { counted, whole } from '../output/figures.js'

/**
 * What the page says of those who saw the log.
 * @param notes - the newest cosigned checkpoints, in their order.
 * @param policy - whose cosignatures count; without one, what lies under a checkpoint is named, and no more.
 */
export function logSaid(
  notes: readonly string[],
  policy: Policy | undefined,
  now: Instant,
): string {
  const read = notes.flatMap((note) => readCheckpoint(note) ?? [])
  const isSeen = (one: (typeof read)[number], by: Policy) =>
    isOfLog(by, one) && Number.isFinite(witnessedAt(by, one, now / MICROS_PER_SECOND))
  const last = read.findLast((one) => policy === undefined || isSeen(one, policy))
  if (last === undefined) return UNWITNESSED
  const entries = `the first ${counted(last.size, 'entry', 'entries')} of this log`
  if (policy === undefined) {
    return `Under ${entries} lie cosignatures of ${cosigners(last).join(', ')}. Whether they hold, and are enough, the policy of a reader says.`
  }
  const liars = liarsNeeded(policy)
  return `A quorum of its witnesses, ${quorumText(policy)}, cosigned ${entries}. ${whole(liars)} of them would have to lie for a second version of it.`
}
