import { formatUtc, type Instant } from '../contract/instant.js'
import { isClosed, isRegistered, type LedgerEntry } from '../protocol/rules/entry.js'
import { computeLevel, type LedgerStamp } from '../time/level.js'
import { latestTime } from '../time/rfc3161/time-stamp.js'
import type { RecordedRegistration, RecordInputs } from './inputs.js'
import type { RecordProof } from './track-record.js'

/** Who shows that an entry was there, and since when it counts as shown. */
export interface Proved {
  readonly proofs: readonly RecordProof[]
  readonly at: Instant | undefined
}

/**
 * Who besides the keeper shows that an entry was there. A closing binds from its place in the chain: one that nobody
 * was shown binds nobody. Any other entry that was stamped in an earlier place was there no earlier than others saw the
 * ledger without it: it may have been held back until then.
 * @param registration - whose authorities count; without it, all of the folder.
 */
export function createLedgerProof(
  entry: LedgerEntry,
  { stamps, authorities, witnessed }: RecordInputs,
  registration: RecordedRegistration | undefined,
): Proved {
  const { time } = registration ?? {}
  const counted = isClosed(entry) ? stamps.filter(({ alone }) => alone === undefined) : stamps
  const level = computeLevel(entry.seq, counted, time?.authorities ?? authorities)
  const by = level.kind === 'stamped' ? level.by : []
  const witness = isRegistered(entry) ? witnessed.get(entry.registration_sha256) : undefined
  const without = seenWithout(entry, stamps)
  const shown = by
    .map((stamp) => Math.max(latestTime(stamp), stamp.alone === undefined ? 0 : without))
    .sort((a, b) => a - b)
  const required = shown[Math.max(1, time?.at_least ?? 1) - 1]
  const times = [required, witness?.time].filter((at) => at !== undefined)
  return {
    proofs: [
      ...by.map((stamp) => ({
        kind: 'stamp' as const,
        by: stamp.authority,
        time: formatUtc(latestTime(stamp)),
        entry: stamp.seq,
      })),
      ...(witness
        ? [
            {
              kind: 'witness' as const,
              by: witness.log,
              time: formatUtc(witness.time),
              entry: null,
            },
          ]
        : []),
    ],
    at: times.length === 0 ? undefined : Math.min(...times),
  }
}

/** When others last saw the entries before one for the first time, without it; 0 if they never did. */
function seenWithout({ seq }: LedgerEntry, stamps: readonly LedgerStamp[]): Instant {
  const first = new Map<number, Instant>()
  for (const stamp of stamps) {
    if (stamp.alone !== undefined || stamp.seq >= seq) continue
    first.set(stamp.seq, Math.min(latestTime(stamp), first.get(stamp.seq) ?? Infinity))
  }
  return Math.max(0, ...first.values())
}
