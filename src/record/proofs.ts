import { formatUtc, type Instant } from '../contract/instant.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import { isRegistered } from '../protocol/rules/entry.js'
import { computeLevel } from '../time/level.js'
import { latestTime } from '../time/rfc3161/types.js'
import type { RecordedRegistration, RecordInputs } from './inputs.js'
import type { RecordProof } from './types.js'

/** Who shows that an entry was there, and since when it counts as shown. */
export interface Proved {
  readonly proofs: readonly RecordProof[]
  readonly at: Instant | undefined
}

/**
 * Who besides the keeper shows that an entry was there.
 * @param registration - whose authorities count; without it, all of the folder.
 */
export function proveLedgerEntry(
  entry: LedgerEntry,
  { stamps, authorities, witnessed }: RecordInputs,
  registration: RecordedRegistration | undefined,
): Proved {
  const { time } = registration ?? {}
  const level = computeLevel(entry.seq, stamps, time?.authorities ?? authorities)
  const by = level.kind === 'stamped' ? level.by : []
  const witness = isRegistered(entry) ? witnessed.get(entry.registration_sha256) : undefined
  const required = by[Math.max(1, time?.at_least ?? 1) - 1]
  const times = [required && latestTime(required), witness?.time].filter((at) => at !== undefined)
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
