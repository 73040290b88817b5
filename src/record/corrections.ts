import { type AccessEntry, type ChangedInput, changedInputs } from '../protocol/readings.js'
import type { CorrectedEntry } from '../protocol/rules/entry.js'

/** What a correction changed, by the record of readings; null if that lacks one of the two results. */
export function changedBy(
  { replaces, result_sha256 }: CorrectedEntry,
  readings: readonly AccessEntry[],
): ChangedInput[] | null {
  const findReading = (digest: string) => readings.find((each) => each.result_sha256 === digest)
  const [before, after] = [findReading(replaces), findReading(result_sha256)]
  return before && after ? changedInputs(before, after) : null
}
