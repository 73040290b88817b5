import { formatUtc, type Instant, instantOf } from '../contract/instant.js'
import { earliestFrom } from '../log/checkpoint.js'
import type { HistoryReader } from '../store/types.js'

/** How many forecasts of a mirrored log the mirror saw sealed soon after their origins. */
export interface SeenInTime {
  readonly log: string
  /** Forecasts of which the mirror knows the origin. */
  readonly forecasts: number
  /** Those in a checkpoint that the mirror saw within the lag, by its own clock. */
  readonly in_time: number
}

const noteOf = (log: string, size: number) => `log ${log} checkpoint ${size} first seen`

/** The note by which a mirror remembers when it first saw a checkpoint of a log. */
export function firstSeen(log: string, size: number, now: Instant): [key: string, text: string] {
  return [noteOf(log, size), formatUtc(now)]
}

/**
 * What a mirror itself saw of each log that it has of others. A checkpoint of which it has not noted when it first saw
 * it, from before mirrors did so, counts for nothing.
 * @param lag - how long after its origin a forecast may be seen, in microseconds.
 */
export async function seenInTime(reader: HistoryReader, lag: Instant): Promise<SeenInTime[]> {
  const notes = await reader.notes()
  const seen: SeenInTime[] = []
  for (const { name, own } of await reader.logs()) {
    if (own || name === undefined) continue
    const sizes: number[] = []
    for await (const { size } of reader.checkpoints(name)) sizes.push(size)
    const times = earliestFrom(
      sizes.map((size) => instantOf(notes.get(noteOf(name, size))) ?? Number.POSITIVE_INFINITY),
    )
    const count = { log: name, forecasts: 0, in_time: 0 }
    let next = 0
    for await (const entries of reader.logEntries(0, sizes.at(-1) ?? 0, name)) {
      for (const { index, key } of entries) {
        while (sizes[next]! <= index) next++
        if (key?.kind !== 'forecast') continue
        count.forecasts++
        if (times[next]! <= (instantOf(key.originAt) ?? Number.NaN) + lag) count.in_time++
      }
    }
    seen.push(count)
  }
  return seen
}
